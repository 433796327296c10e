package org.ftrma.xor.domains;

import java.util.Arrays;
import java.util.List;

/**
 * Places a job's members on the nodes of a machine and deals them out to groups, so that at most m members of a group,
 * checksum ranks included, share an element of any level up to the t-awareness level n (ftRMA, equation 6). Groups are
 * equal in size; where the numbers do not divide, the first ones have one computing rank more.
 *
 * <p><b>Why this is exact.</b> Elements of lower levels lie inside those of level n, so level n decides. A group has at
 * most m members in an element of level n, so g groups have at most g m there: if the elements can take, each at most g
 * m and at most its slots, fewer members than there are, no placement exists. Otherwise there is one: lay that many
 * members on the elements, then go through the nodes in order and deal the members to the groups in turn. Members of
 * one group are then g apart, and an element, which is a row of at most g m consecutive members, gets at most m of
 * each. The same holds within any row of elements for the groups that are dealt there.
 *
 * <p><b>What is best.</b> In this order: the fullest node holds as few members as any placement allows; groups have as
 * few members in one element as that leaves possible (with m of 2 and more, two members together would make the loss of
 * both likelier); members of a group are near each other, by cutting the machine into as many rows as the first two
 * allow and keeping each group within a row. Groups that share a row share its elements, which also keeps the number of
 * fatal combinations low (ftRMA, figure 8, scenario A). Checksum ranks are spread evenly over the nodes of their
 * groups. Ranks are numbered along the nodes.
 *
 * <p>Pure functions; any thread.
 */
public final class GroupMapper {
    /** The most members of a job. */
    public static final int MAX_MEMBERS = 1 << 22;
    private static final int SINGLE_STEPS = 64;

    private final Topology topology;
    private final int ranks;
    private final int groups;
    private final int losses;
    private final int level;
    private final int members;
    private final Room room;

    private GroupMapper(Topology topology, int ranks, int groups, int losses, int level) {
        this.topology = topology;
        this.ranks = ranks;
        this.groups = groups;
        this.losses = losses;
        this.level = level;
        members = ranks + groups * losses;
        room = new Room(topology, level);
    }

    /**
     * The placement of a job.
     *
     * @param topology   the machine
     * @param ranks      computing ranks, N, at least 1
     * @param checksums  checksum ranks of all groups together, a multiple of {@code losses}, at most N times as many
     * @param losses     how many losses a group survives, m, at least 1
     * @param awareLevel the t-awareness level n, 1 to h, or 0: any members may share anything, and groups are of
     *     neighbours
     * @throws NoPlacementException     where there is none
     * @throws IllegalArgumentException for numbers that are no job's
     */
    public static Placement map(Topology topology, int ranks, int checksums, int losses, int awareLevel)
        throws NoPlacementException {
        require(topology, ranks, checksums, losses, awareLevel);
        GroupMapper mapper = new GroupMapper(topology, ranks, checksums / losses, losses, awareLevel);
        Placement placement = awareLevel == 0 ? mapper.placeNeighbours() : mapper.placeApart();
        List<String> violations = PlacementCheck.violations(placement, awareLevel);
        if (!violations.isEmpty()) {
            throw new IllegalStateException("a placement that breaks its own rules: " + violations);
        }
        return placement;
    }

    private static void require(Topology topology, int ranks, int checksums, int losses, int awareLevel) {
        if (ranks < 1 || losses < 1 || checksums < losses) {
            throw new IllegalArgumentException("ranks=" + ranks + " checksums=" + checksums + " losses=" + losses
                + ": there must be at least one rank, and a checksum rank for each loss that a group survives");
        }
        if (checksums % losses != 0) {
            throw new IllegalArgumentException("checksums=" + checksums + " losses=" + losses + ": each group has "
                + losses
                + " checksum ranks, so their number must be a multiple of it, such as "
                + (checksums - checksums % losses) + " or "
                + (checksums - checksums % losses + losses));
        }
        if (checksums / losses > ranks) {
            throw new IllegalArgumentException("checksums=" + checksums + " losses=" + losses + " ranks=" + ranks + ": "
                + checksums / losses
                + " groups, but each needs at least one computing rank; at most " + (long) ranks * losses
                + " checksum ranks have work");
        }
        if ((long) ranks + checksums > MAX_MEMBERS) {
            throw new IllegalArgumentException("ranks=" + ranks + " checksums=" + checksums + ": more than "
                + MAX_MEMBERS + " together");
        }
        if (awareLevel < 0 || awareLevel > topology.levels()) {
            throw new IllegalArgumentException("awareLevel=" + awareLevel + ": " + topology.name() + " has levels 1 to "
                + topology.levels());
        }
    }

    /** No rule but nearness: groups are cut from the row of members one after the other. */
    private Placement placeNeighbours() throws NoPlacementException {
        if (room.leastLoad(0, room.elements(), members, Long.MAX_VALUE) < 0) {
            throw Shortage.of(topology, ranks, groups, losses, level);
        }
        int[] load = new int[topology.nodes()];
        room.fill(0, room.elements(), members, Long.MAX_VALUE, load);
        int[] row = row(load, 0, topology.nodes(), members);
        int[] group = new int[members];
        for (int g = 0, at = 0; g < groups; g++) {
            Arrays.fill(group, at, at + size(g), g);
            at += size(g);
        }
        return number(row, group);
    }

    private Placement placeApart() throws NoPlacementException {
        long load = room.leastLoad(0, room.elements(), members, (long) groups * losses);
        if (load < 0) {
            throw Shortage.of(topology, ranks, groups, losses, level);
        }
        int share = 1;
        while (room.of(0, room.elements(), load, (long) groups * share) < members) {
            share++;
        }
        int[] group = new int[members];
        int[] nodeLoad = new int[topology.nodes()];
        Rows rows = rows(load, share);
        for (int i = 0, at = 0; i < rows.count(); i++) {
            int inRow = rows.groupEnd(i) - rows.groupEnd(i - 1);
            int size = sizes(rows.groupEnd(i - 1), rows.groupEnd(i));
            room.fill(rows.elementEnd(i - 1), rows.elementEnd(i), size, (long) inRow * share, nodeLoad);
            for (int k = 0; k < size; k++) {
                group[at++] = rows.groupEnd(i - 1) + k % inRow;
            }
        }
        return number(row(nodeLoad, 0, topology.nodes(), members), group);
    }

    /** Where each row of elements ends, and the groups dealt there: element and group numbers, exclusive. */
    private record Rows(int[] elementEnds, int[] groupEnds) {
        int count() {
            return groupEnds.length;
        }

        int elementEnd(int row) {
            return row < 0 ? 0 : elementEnds[row];
        }

        int groupEnd(int row) {
            return row < 0 ? 0 : groupEnds[row];
        }
    }

    /** As many rows as hold their groups; one row always does. */
    private Rows rows(long load, int share) {
        int most = Math.min(groups, room.elements());
        long[] weights = new long[room.elements() + 1];
        for (int i = 0; i < room.elements(); i++) {
            weights[i + 1] = weights[i] + room.of(i, load, (long) groups * share);
        }
        int least = (size(0) - 1) / share + 1;
        int count = Math.max(1, Math.min(most, room.elements() / least));
        for (int tries = 0; count > 1; tries++) {
            Rows rows = cut(count, weights);
            if (holds(rows, load, share)) {
                return rows;
            }
            count -= tries < SINGLE_STEPS ? 1 : Math.max(1, count / 16);
        }
        return new Rows(new int[] {room.elements()}, new int[] {groups});
    }

    /** Rows of about equal room, and groups in proportion. */
    private Rows cut(int count, long[] weights) {
        int[] elementEnds = new int[count];
        int[] groupEnds = new int[count];
        long total = weights[weights.length - 1];
        int element = 0;
        for (int i = 0; i < count; i++) {
            while (element < room.elements() && (double) weights[element] * count < (double) total * (i + 1)) {
                element++;
            }
            elementEnds[i] = i == count - 1 ? room.elements() : element;
            groupEnds[i] = i == count - 1 ? groups : (int) Math.round((double) groups * weights[element] / total);
        }
        return new Rows(elementEnds, groupEnds);
    }

    private boolean holds(Rows rows, long load, int share) {
        for (int i = 0; i < rows.count(); i++) {
            int inRow = rows.groupEnd(i) - rows.groupEnd(i - 1);
            long size = sizes(rows.groupEnd(i - 1), rows.groupEnd(i));
            if (room.of(rows.elementEnd(i - 1), rows.elementEnd(i), load, (long) inRow * share) < size) {
                return false;
            }
        }
        return true;
    }

    /** Members of a group: the first ones have one more where the numbers do not divide. */
    private int size(int group) {
        return ranks / groups + (group < ranks % groups ? 1 : 0) + losses;
    }

    /** Members of the groups {@code from} to {@code to - 1}. */
    private int sizes(int from, int to) {
        int large = ranks % groups;
        return (to - from) * (ranks / groups + losses) + Math.min(to, large) - Math.min(from, large);
    }

    /** The node of each member along the machine. */
    private static int[] row(int[] load, int from, int to, int members) {
        int[] row = new int[members];
        int at = 0;
        for (int node = from; node < to; node++) {
            Arrays.fill(row, at, at + load[node], node);
            at += load[node];
        }
        return row;
    }

    /** Chooses each group's checksum ranks so that nodes hold equally many, and numbers all others along the row. */
    private Placement number(int[] row, int[] group) {
        int[][] places = new int[groups][];
        int[] count = new int[groups];
        for (int g = 0; g < groups; g++) {
            places[g] = new int[size(g)];
        }
        for (int place = 0; place < row.length; place++) {
            places[group[place]][count[group[place]]++] = place;
        }
        int[] nodes = new int[members];
        boolean[] checksum = new boolean[members];
        int[] held = new int[topology.nodes()];
        for (int g = 0; g < groups; g++) {
            for (int i = 0; i < losses; i++) {
                int best = -1;
                for (int place : places[g]) {
                    if (!checksum[place] && (best < 0 || held[row[place]] <= held[row[best]])) {
                        best = place;
                    }
                }
                checksum[best] = true;
                held[row[best]]++;
                nodes[ranks + g * losses + i] = row[best];
            }
        }
        int[] groupOf = new int[ranks];
        int rank = 0;
        for (int place = 0; place < row.length; place++) {
            if (!checksum[place]) {
                nodes[rank] = row[place];
                groupOf[rank++] = group[place];
            }
        }
        return new Placement(topology, ranks, groups, losses, nodes, groupOf);
    }
}
