package org.ftrma.xor.domains;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

class GroupMapperTest {
    private static final String[] NAMES = {"node", "psu", "switch", "rack"};

    /** A job on a machine. */
    record Job(Topology topology, int ranks, int checksums, int losses, int level) {
        int groups() {
            return checksums / losses;
        }
    }

    /** Random machines of up to four levels, with few or many slots. */
    @Provide
    Arbitrary<Topology> topologies() {
        Arbitrary<List<Integer>> sizes = Arbitraries.integers().between(1, 3).list().ofMinSize(40).ofMaxSize(40);
        Arbitrary<List<Integer>> slots = Arbitraries.integers().between(1, 4).list().ofMinSize(20).ofMaxSize(20);
        return Combinators.combine(Arbitraries.integers().between(1, 4), Arbitraries.integers().between(1, 3), sizes,
            slots,
            Arbitraries.of(true, false)).as((depth, roots, children, nodeSlots, limited) -> {
                int[] next = {0, 0};
                return Topology.of("random", List.of(Arrays.copyOf(NAMES, depth)),
                    IntStream.range(0, roots).mapToObj(i -> domain(depth - 1, children, nodeSlots, limited, next))
                    .toList());
            });
    }

    private static Domain domain(int depth, List<Integer> children, List<Integer> slots, boolean limited, int[] next) {
        if (depth == 0) {
            return Domain.node("", limited ? slots.get(next[1]++ % slots.size()) : Topology.UNLIMITED);
        }
        int count = children.get(next[0]++ % children.size());
        return Domain.of("", IntStream.range(0, count).mapToObj(i -> domain(depth - 1, children, slots, limited, next))
            .toList());
    }

    @Provide
    Arbitrary<Job> jobs() {
        return Combinators.combine(topologies(), Arbitraries.integers().between(1, 9),
            Arbitraries.integers().between(1, 4),
            Arbitraries.integers().between(1, 3), Arbitraries.integers().between(0, 4))
            .as((topology, ranks, groups, losses, level) ->
                new Job(topology, ranks, Math.min(groups, ranks) * losses, losses, Math.min(level, topology.levels())));
    }

    /**
     * The least load of the fullest node among all placements there are, or -1: tries them, without any idea how to
     * find one.
     */
    private static int bestLoad(Job job) {
        int members = job.ranks + job.checksums;
        for (int load = 1; load <= members; load++) {
            int level = Math.max(1, job.level);
            int[] room = new int[job.topology.count(level)];
            for (int node = 0; node < job.topology.nodes(); node++) {
                room[job.topology.domainOf(node, level)] += Math.min(load, job.topology.slots(node));
            }
            int[] sizes = new int[job.groups()];
            for (int g = 0; g < sizes.length; g++) {
                sizes[g] = job.ranks / sizes.length + (g < job.ranks % sizes.length ? 1 : 0) + job.losses;
            }
            if (fits(sizes, 0, room, 0, sizes[0], job.level == 0 ? members : job.losses)) {
                return load;
            }
        }
        return -1;
    }

    /** Every way to give the rest of a group's members to the elements from one on, and then the other groups'. */
    private static boolean fits(int[] sizes, int group, int[] room, int element, int rest, int most) {
        if (rest == 0) {
            return group + 1 == sizes.length || fits(sizes, group + 1, room, 0, sizes[group + 1], most);
        }
        if (element == room.length) {
            return false;
        }
        for (int take = Math.min(rest, Math.min(most, room[element])); take >= 0; take--) {
            room[element] -= take;
            boolean found = fits(sizes, group, room, element + 1, rest - take, most);
            room[element] += take;
            if (found) {
                return true;
            }
        }
        return false;
    }

    @Property(tries = 400, edgeCases = EdgeCasesMode.NONE)
    void placesWhereverThereIsAPlacementAndLoadsNoNodeMoreThanNeeded(@ForAll("jobs") Job job) {
        if (job.topology.nodes() > 8) {
            return;
        }
        int best = bestLoad(job);
        try {
            Placement placement = GroupMapper.map(job.topology, job.ranks, job.checksums, job.losses, job.level);
            assertEquals(best, Arrays.stream(placement.load()).max().orElse(0), "load");
            assertEquals(List.of(), PlacementCheck.violations(placement, job.level));
            assertTrue(placement.awareLevel() >= job.level);
        } catch (NoPlacementException e) {
            assertEquals(-1, best, e.getMessage());
            assertTrue(e.missingMembers() > 0, e.getMessage());
        }
    }

    @Property(tries = 200, edgeCases = EdgeCasesMode.NONE)
    void groupsAreNumberedAsEverywhereAndCheckSumRanksAreSpread(@ForAll("topologies") Topology topology)
        throws NoPlacementException {
        Placement placement;
        try {
            placement = GroupMapper.map(topology, 60, 12, 1, 1);
        } catch (NoPlacementException e) {
            return;
        }
        for (int group = 0; group < 12; group++) {
            int[] members = placement.membersOf(group);
            assertEquals(6, members.length);
            assertEquals(60 + group, members[5]);
        }
        for (int rank = 1; rank < 60; rank++) {
            assertTrue(placement.nodeOf(rank - 1) <= placement.nodeOf(rank), "ranks follow the nodes");
        }
    }

    @Property(tries = 200, edgeCases = EdgeCasesMode.NONE)
    void whatIsMissingIsExactlyWhatIsMissing(@ForAll("jobs") Job job) {
        try {
            GroupMapper.map(job.topology, job.ranks, job.checksums, job.losses, job.level);
        } catch (NoPlacementException e) {
            if (e.missingDomains() > 0) {
                int needed = job.topology.count(job.level) + e.missingDomains();
                // As many elements as are said to be needed, with any number of slots, are enough; one less is not.
                assertTrue(bestLoad(new Job(Topology.nodes(needed), job.ranks, job.checksums, job.losses, 1)) > 0);
                assertEquals(-1, bestLoad(new Job(Topology.nodes(needed - 1), job.ranks, job.checksums, job.losses,
                    1)));
            }
        }
    }

    @Test
    void eightRanksInTwoGroupsNeedFiveNodes() throws NoPlacementException {
        Placement placement = GroupMapper.map(Topology.nodes(6), 8, 2, 1, 1);
        assertEquals(1, placement.sharing(1));
        assertEquals(2, Arrays.stream(placement.load()).max().orElse(0));
        assertEquals(1, Arrays.stream(placement.load()).min().orElse(0));
        NoPlacementException refused = assertThrows(NoPlacementException.class,
            () -> GroupMapper.map(Topology.nodes(4), 8, 2, 1, 1));
        assertEquals(1, refused.missingDomains());
        assertEquals("2 groups of 5 (4 computing ranks and 1 checksum rank) do not fit on 4 nodes; at most 1 member "
            + "of a group may share a "
            + "node, so a group needs 5: 1 is missing. With 3 checksum ranks (smaller groups) it would fit",
            refused.getMessage());
        GroupMapper.map(Topology.nodes(4), 8, 3, 1, 1);
    }

    @Test
    void withoutAwarenessNeighboursShareAGroupAndANode() throws NoPlacementException {
        Placement placement = GroupMapper.map(Topology.nodes(6), 8, 2, 1, 0);
        assertEquals(2, placement.sharing(1));
        assertEquals(0, placement.awareLevel());
    }

    @Test
    void groupsOfTheMachineOfThePaperAreNear() throws NoPlacementException {
        Topology topology = Machine.tsubame2().topology();
        double before = 0;
        for (int level = 0; level <= 4; level++) {
            Placement placement = GroupMapper.map(topology, 4000, 200, 1, level);
            assertTrue(placement.awareLevel() >= level);
            assertEquals(3, Arrays.stream(placement.load()).max().orElse(0), "load, aware level " + level);
            assertTrue(placement.distance() >= before, "distance");
            before = placement.distance();
        }
    }

    @Test
    void severalLossesAreKeptApartWhereThatIsPossible() throws NoPlacementException {
        assertEquals(1, GroupMapper.map(Topology.nodes(12), 20, 8, 2, 1).sharing(1));
        assertEquals(2, GroupMapper.map(Topology.nodes(4), 20, 8, 2, 1).sharing(1));
        Topology racks = Topology.regular("racks", List.of("node", "rack"), new int[] {16, 4}, Topology.UNLIMITED);
        Placement placement = GroupMapper.map(racks, 24, 8, 2, 2);
        assertEquals(2, placement.sharing(2));
        assertEquals(1, placement.sharing(1));
    }

    @Test
    void checksumRanksAreSpreadOverTheNodes() throws NoPlacementException {
        Placement placement = GroupMapper.map(Topology.nodes(8), 28, 4, 1, 1);
        List<Integer> nodes = new ArrayList<>();
        for (int checksum = 28; checksum < 32; checksum++) {
            nodes.add(placement.nodeOf(checksum));
        }
        assertEquals(4, nodes.stream().distinct().count(), nodes.toString());
    }

    @Test
    void checkFindsWhatIsWrong() {
        Topology topology = Topology.regular("two", List.of("node", "rack"), new int[] {2, 1}, 2);
        Placement wrong = new Placement(topology, 3, 1, 1, new int[] {0, 0, 0, 1}, new int[] {0, 0, 0});
        assertEquals(List.of("node0 holds 3 members and has 2 slots"), PlacementCheck.violations(wrong, 0));
        assertEquals(3, PlacementCheck.violations(wrong, 2).size());
        Placement uneven = new Placement(topology, 3, 2, 1, new int[] {0, 0, 1, 1, 1}, new int[] {0, 0, 0});
        assertTrue(PlacementCheck.violations(uneven, 0).toString()
            .contains("group 1 has 0 computing ranks, where 1 or 2"));
    }

    @Test
    void numbersThatAreNoJobsAreRefused() {
        Topology topology = Topology.nodes(4);
        for (int[] wrong : new int[][] {{0, 1, 1, 1}, {4, 0, 1, 1}, {4, 3, 2, 1}, {4, 1, 2, 1}, {2, 3, 1, 1},
            {4, 1, 0, 1}, {4, 1, 1, 2},
            {4, 1, 1, -1},
            {GroupMapper.MAX_MEMBERS, 1, 1, 0}}) {
            assertThrows(IllegalArgumentException.class,
                () -> GroupMapper.map(topology, wrong[0], wrong[1], wrong[2], wrong[3]));
        }
    }
}
