package org.ftrma.xor.domains;

import java.util.Arrays;

/**
 * On which node each member of a job runs, and in which group it is. Members are numbered as in
 * {@link org.ftrma.xor.Groups}: computing ranks 0 to N-1, then the checksum ranks, group by group. Made by
 * {@link GroupMapper}; checked by {@link PlacementCheck}.
 *
 * <p>Immutable; any thread.
 */
public final class Placement {
    private final Topology topology;
    private final int ranks;
    private final int groups;
    private final int losses;
    private final int[] nodes;
    private final int[] groupOf;
    private final int[][] members;

    /**
     * A placement as told; nothing is checked but the lengths and ranges.
     *
     * @param topology where
     * @param ranks    computing ranks
     * @param groups   groups
     * @param losses   checksum ranks of each group, m
     * @param nodes    of each member: its node
     * @param groupOf  of each computing rank: its group
     */
    public Placement(Topology topology, int ranks, int groups, int losses, int[] nodes, int[] groupOf) {
        if (ranks < 1 || groups < 1 || losses < 1 || nodes.length != ranks + groups * losses
            || groupOf.length != ranks) {
            throw new IllegalArgumentException("ranks=" + ranks + " groups=" + groups + " losses=" + losses + ": "
                + nodes.length
                + " nodes and " + groupOf.length + " groups are given");
        }
        for (int node : nodes) {
            if (node < 0 || node >= topology.nodes()) {
                throw new IllegalArgumentException("node " + node + ": " + topology.name() + " has "
                    + topology.nodes());
            }
        }
        for (int group : groupOf) {
            if (group < 0 || group >= groups) {
                throw new IllegalArgumentException("group " + group + ": there are " + groups);
            }
        }
        this.topology = topology;
        this.ranks = ranks;
        this.groups = groups;
        this.losses = losses;
        this.nodes = nodes.clone();
        this.groupOf = groupOf.clone();
        int[] sizes = new int[groups];
        Arrays.fill(sizes, losses);
        for (int group : groupOf) {
            sizes[group]++;
        }
        members = new int[groups][];
        for (int group = 0; group < groups; group++) {
            members[group] = new int[sizes[group]];
        }
        for (int member = nodes.length; member-- > 0;) {
            int group = groupOf(member);
            members[group][--sizes[group]] = member;
        }
    }

    /** Where the members are placed. */
    public Topology topology() {
        return topology;
    }

    /** Computing ranks, N. */
    public int ranks() {
        return ranks;
    }

    /** Groups. */
    public int groups() {
        return groups;
    }

    /** Checksum ranks of each group, and losses that it survives, m. */
    public int losses() {
        return losses;
    }

    /** Computing and checksum ranks. */
    public int members() {
        return nodes.length;
    }

    /** The group of a member. */
    public int groupOf(int member) {
        return member < ranks ? groupOf[member] : (member - ranks) / losses;
    }

    /** The node on which a member runs. */
    public int nodeOf(int member) {
        return nodes[member];
    }

    /** The element of a level, 1 to h, on which a member runs: M(p, k) of equation (5). */
    public int domainOf(int member, int level) {
        return topology.domainOf(nodes[member], level);
    }

    /** The members of a group: computing ranks by number, then its checksum ranks. A new array. */
    public int[] membersOf(int group) {
        return members[group].clone();
    }

    /** Members of each element of a level, as lists of their numbers. */
    int[][] membersByDomain(int level) {
        int[] counts = new int[topology.count(level)];
        for (int member = 0; member < nodes.length; member++) {
            counts[domainOf(member, level)]++;
        }
        int[][] inside = new int[counts.length][];
        for (int i = 0; i < counts.length; i++) {
            inside[i] = new int[counts[i]];
        }
        for (int member = nodes.length; member-- > 0;) {
            int domain = domainOf(member, level);
            inside[domain][--counts[domain]] = member;
        }
        return inside;
    }

    /** The most members of any one group that share an element of a level. */
    public int sharing(int level) {
        int most = 0;
        int[] count = new int[groups];
        for (int[] inside : membersByDomain(level)) {
            for (int member : inside) {
                most = Math.max(most, ++count[groupOf(member)]);
            }
            for (int member : inside) {
                count[groupOf(member)] = 0;
            }
        }
        return most;
    }

    /** The highest level at and below which the placement is t-aware (equation 6); 0 where it is not even for nodes. */
    public int awareLevel() {
        int level = 0;
        while (level < topology.levels() && sharing(level + 1) <= losses) {
            level++;
        }
        return level;
    }

    /** Members on each node. A new array. */
    public int[] load() {
        int[] load = new int[topology.nodes()];
        for (int node : nodes) {
            load[node]++;
        }
        return load;
    }

    /**
     * How far the members of a group are from each other: the mean over all pairs of the lowest level whose element
     * they share, counted h + 1 where they share none.
     */
    public double distance() {
        double pairs = 0;
        double shared = 0;
        for (int[] group : members) {
            pairs += group.length * (group.length - 1.0) / 2;
        }
        long[] count = new long[groups];
        for (int level = 1; level <= topology.levels(); level++) {
            for (int[] inside : membersByDomain(level)) {
                for (int member : inside) {
                    shared += count[groupOf(member)]++;
                }
                for (int member : inside) {
                    count[groupOf(member)] = 0;
                }
            }
        }
        return topology.levels() + 1 - shared / pairs;
    }
}
