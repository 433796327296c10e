package org.ftrma.xor;

import java.util.Arrays;

/**
 * Assignment of computing ranks to the checksum ranks that protect them. Members are numbered as in the whole job: the
 * computing ranks are 0 to N-1, then come the checksum ranks N to N+C-1; group g has the checksum rank N+g. Every
 * computing rank is in exactly one group, and the sizes of the groups differ by at most one: the first {@code N % C}
 * groups have one rank more.
 *
 * <p>Two placements:
 * <ul>
 * <li>{@link Placement#ROUND_ROBIN} (the default): rank r is in group {@code r % C}. Launchers usually put neighbouring
 * ranks on one host; they are then in different groups, so that the loss of a host takes at most one computing rank
 * from each group as long as a host holds no more than C ranks.</li>
 * <li>{@link Placement#CONTIGUOUS}: neighbouring ranks share a group. Parity is gathered from near by, and a lost host
 * is fatal unless it holds a single rank of the group.</li>
 * </ul>
 *
 * <p>Or the groups are those of a {@link org.ftrma.xor.domains.Placement}, in which members are numbered alike.
 *
 * <p>Immutable; any thread. {@link #groupOf}, {@link #indexInGroup} and {@link #member} allocate nothing.
 */
public final class Groups {
    /** How ranks are dealt out to groups. */
    public enum Placement {
        /** Rank r is in group r % C. */
        ROUND_ROBIN,
        /** Group 0 has the first ranks, group 1 the next ones, and so on. */
        CONTIGUOUS
    }

    private final int ranks;
    private final int groups;
    private final int checksumsPerGroup;
    private final Placement placement;
    /** The computing ranks of each group, where they were told one by one; else null. */
    private final int[][] told;
    private final int[] toldGroup;
    private final int[] toldIndex;

    /**
     * Deals out ranks to groups.
     *
     * @param ranks             computing ranks, N, at least 1
     * @param groups            groups, C, 1 to N
     * @param checksumsPerGroup checksum ranks in each group, m: how many losses a group survives; above 1 it has at
     *     most 255 members
     * @param placement         how
     */
    public Groups(int ranks, int groups, int checksumsPerGroup, Placement placement) {
        if (ranks < 1) {
            throw new IllegalArgumentException("ranks=" + ranks + ": a job has at least one computing rank");
        }
        if (groups < 1) {
            throw new IllegalArgumentException("groups=" + groups
                + ": there must be at least one; a job without protection has no"
                + " groups at all");
        }
        if (groups > ranks) {
            throw new IllegalArgumentException("groups=" + groups + " ranks=" + ranks
                + ": each group needs at least one computing rank, so"
                + " there can be at most " + ranks + " groups");
        }
        requireCode(checksumsPerGroup, (ranks - 1) / groups + 1);
        if (ranks > Integer.MAX_VALUE - (long) groups * checksumsPerGroup) {
            throw new IllegalArgumentException("ranks=" + ranks + " groups=" + groups
                + ": more members than an int can number");
        }
        this.ranks = ranks;
        this.groups = groups;
        this.checksumsPerGroup = checksumsPerGroup;
        this.placement = placement;
        told = null;
        toldGroup = null;
        toldIndex = null;
    }

    private static void requireCode(int checksumsPerGroup, int largest) {
        if (checksumsPerGroup < 1 || checksumsPerGroup > 1 && largest > ReedSolomon.MAX_MEMBERS - checksumsPerGroup) {
            throw new IllegalArgumentException("checksumsPerGroup=" + checksumsPerGroup + " with " + largest
                + " computing ranks in a group: must be at least 1, and a group of more than one has at most "
                + ReedSolomon.MAX_MEMBERS
                    + " members");
        }
    }

    private Groups(org.ftrma.xor.domains.Placement mapped) {
        ranks = mapped.ranks();
        groups = mapped.groups();
        checksumsPerGroup = mapped.losses();
        placement = null;
        told = new int[groups][];
        toldGroup = new int[ranks];
        toldIndex = new int[ranks];
        for (int group = 0; group < groups; group++) {
            int[] members = mapped.membersOf(group);
            told[group] = Arrays.copyOf(members, members.length - checksumsPerGroup);
            requireCode(checksumsPerGroup, told[group].length);
            for (int index = 0; index < told[group].length; index++) {
                toldGroup[told[group][index]] = group;
                toldIndex[told[group][index]] = index;
            }
        }
    }

    /** The groups of a placement on a machine. */
    public static Groups of(org.ftrma.xor.domains.Placement mapped) {
        return new Groups(mapped);
    }

    /** One checksum rank for each group, dealt out round-robin. */
    public static Groups of(int ranks, int groups) {
        return new Groups(ranks, groups, 1, Placement.ROUND_ROBIN);
    }

    /** Computing ranks in the job, N. */
    public int ranks() {
        return ranks;
    }

    /** Groups in the job, C. */
    public int groups() {
        return groups;
    }

    /** Checksum ranks in each group, m. */
    public int checksumsPerGroup() {
        return checksumsPerGroup;
    }

    /** How ranks are dealt out; null where they were placed on a machine. */
    public Placement placement() {
        return placement;
    }

    /** Computing and checksum ranks in the job. */
    public int members() {
        return ranks + groups * checksumsPerGroup;
    }

    /** Whether the member is a checksum rank. */
    public boolean isChecksum(int member) {
        requireMember(member);
        return member >= ranks;
    }

    /** The group of a computing or checksum rank. */
    public int groupOf(int member) {
        requireMember(member);
        if (member >= ranks) {
            return (member - ranks) / checksumsPerGroup;
        }
        if (told != null) {
            return toldGroup[member];
        }
        if (placement == Placement.ROUND_ROBIN) {
            return member % groups;
        }
        int small = ranks / groups;
        int large = ranks % groups;
        int inLarge = large * (small + 1);
        return member < inLarge ? member / (small + 1) : large + (member - inLarge) / small;
    }

    /** The computing ranks in a group, k. */
    public int size(int group) {
        requireGroup(group);
        return told != null ? told[group].length : ranks / groups + (group < ranks % groups ? 1 : 0);
    }

    /**
     * The place of a member in its group: computing ranks 0 to k-1 by number, then the checksum ranks. {@link #member}
     * leads back.
     */
    public int indexInGroup(int member) {
        int group = groupOf(member);
        if (member >= ranks) {
            return size(group) + (member - ranks) % checksumsPerGroup;
        }
        if (told != null) {
            return toldIndex[member];
        }
        return placement == Placement.ROUND_ROBIN ? member / groups : member - firstRank(group);
    }

    /** The member at a place of a group, as {@link #indexInGroup} counts. */
    public int member(int group, int index) {
        int size = size(group);
        if (index < 0 || index >= size + checksumsPerGroup) {
            throw new IndexOutOfBoundsException("index=" + index + " in group " + group + " of " + size
                + " computing and "
                + checksumsPerGroup + " checksum ranks");
        }
        if (index >= size) {
            return ranks + group * checksumsPerGroup + index - size;
        }
        if (told != null) {
            return told[group][index];
        }
        return placement == Placement.ROUND_ROBIN ? group + index * groups : firstRank(group) + index;
    }

    /** The (first) checksum rank of a group. */
    public int checksumOf(int group) {
        return member(group, size(group));
    }

    /** All members of a group, in the order of their numbers: computing ranks, then checksum ranks. A new array. */
    public int[] membersOf(int group) {
        int[] members = new int[size(group) + checksumsPerGroup];
        for (int i = 0; i < members.length; i++) {
            members[i] = member(group, i);
        }
        return members;
    }

    /** The computing ranks of a group, in order. A new array. */
    public int[] ranksOf(int group) {
        return Arrays.copyOf(membersOf(group), size(group));
    }

    private int firstRank(int group) {
        return group * (ranks / groups) + Math.min(group, ranks % groups);
    }

    private void requireMember(int member) {
        if (member < 0 || member >= members()) {
            throw new IndexOutOfBoundsException("member=" + member + ": the job has " + ranks + " computing ranks and "
                + groups * checksumsPerGroup + " checksum ranks, members 0 to " + (members() - 1));
        }
    }

    private void requireGroup(int group) {
        if (group < 0 || group >= groups) {
            throw new IndexOutOfBoundsException("group=" + group + ": groups are 0 to " + (groups - 1));
        }
    }

    @Override
    public String toString() {
        return ranks + " computing ranks in " + groups + " groups (" + (told != null ? "placed" : placement) + "), "
            + checksumsPerGroup
            + (checksumsPerGroup == 1 ? " checksum rank each" : " checksum ranks each");
    }
}
