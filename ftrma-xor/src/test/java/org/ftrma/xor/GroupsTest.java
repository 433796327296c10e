package org.ftrma.xor;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.ftrma.xor.domains.GroupMapper;
import org.ftrma.xor.domains.NoPlacementException;
import org.ftrma.xor.domains.Topology;
import org.junit.jupiter.api.Test;

class GroupsTest {
    @Test
    void everyMemberIsInExactlyOneGroupAndLookupsAgreeInBothDirections() {
        for (Groups.Placement placement : Groups.Placement.values()) {
            for (int ranks = 1; ranks <= 40; ranks++) {
                for (int count = 1; count <= ranks; count++) {
                    Groups groups = new Groups(ranks, count, 1, placement);
                    String name = groups.toString();
                    assertEquals(ranks + count, groups.members(), name);
                    int[] seen = new int[groups.members()];
                    for (int g = 0; g < count; g++) {
                        int[] members = groups.membersOf(g);
                        assertEquals(groups.size(g) + 1, members.length, name);
                        assertArrayEquals(Arrays.stream(members).sorted().toArray(), members, name);
                        for (int i = 0; i < members.length; i++) {
                            seen[members[i]]++;
                            assertEquals(g, groups.groupOf(members[i]), name + " member " + members[i]);
                            assertEquals(i, groups.indexInGroup(members[i]), name + " member " + members[i]);
                            assertEquals(members[i], groups.member(g, i), name);
                            assertEquals(i == members.length - 1, groups.isChecksum(members[i]), name);
                        }
                        assertEquals(ranks + g, groups.checksumOf(g), name);
                        assertArrayEquals(Arrays.copyOf(members, members.length - 1), groups.ranksOf(g), name);
                    }
                    assertTrue(Arrays.stream(seen).allMatch(n -> n == 1), name);
                }
            }
        }
    }

    @Test
    void sizesDifferByAtMostOneAndLargerGroupsComeFirst() {
        for (Groups.Placement placement : Groups.Placement.values()) {
            for (int ranks = 1; ranks <= 100; ranks++) {
                for (int count = 1; count <= ranks; count++) {
                    Groups groups = new Groups(ranks, count, 1, placement);
                    int[] sizes = IntStream.range(0, count).map(groups::size).toArray();
                    assertEquals(ranks, Arrays.stream(sizes).sum());
                    assertTrue(sizes[0] - sizes[count - 1] <= 1 && sizes[count - 1] >= 1, groups.toString());
                    assertTrue(IntStream.range(1, count).allMatch(g -> sizes[g] <= sizes[g - 1]), groups.toString());
                }
            }
        }
    }

    @Test
    void roundRobinSeparatesNeighboursAndContiguousKeepsThemTogether() {
        Groups dealt = Groups.of(7, 3);
        assertArrayEquals(new int[] {0, 3, 6, 7}, dealt.membersOf(0));
        assertArrayEquals(new int[] {1, 4, 8}, dealt.membersOf(1));
        assertArrayEquals(new int[] {2, 5, 9}, dealt.membersOf(2));
        Groups blocks = new Groups(7, 3, 1, Groups.Placement.CONTIGUOUS);
        assertArrayEquals(new int[] {0, 1, 2, 7}, blocks.membersOf(0));
        assertArrayEquals(new int[] {3, 4, 8}, blocks.membersOf(1));
        assertArrayEquals(new int[] {5, 6, 9}, blocks.membersOf(2));
        assertEquals(Groups.Placement.ROUND_ROBIN, dealt.placement());
    }

    @Test
    void groupsOfAPlacementAreThoseOfTheMapper() throws NoPlacementException {
        for (int aware = 0; aware <= 1; aware++) {
            org.ftrma.xor.domains.Placement placement = GroupMapper.map(Topology.nodes(6), 11, 4, 2, aware);
            Groups groups = Groups.of(placement);
            for (int g = 0; g < 2; g++) {
                assertArrayEquals(placement.membersOf(g), groups.membersOf(g));
                assertEquals(g == 0 ? 6 : 5, groups.size(g));
                for (int i = 0; i < groups.membersOf(g).length; i++) {
                    assertEquals(g, groups.groupOf(groups.member(g, i)));
                    assertEquals(i, groups.indexInGroup(groups.member(g, i)));
                }
            }
        }
    }

    @Test
    void groupsOfAPlacementThatNoCodeCanGuardAreRefused() throws NoPlacementException {
        assertEquals(300, Groups.of(GroupMapper.map(Topology.nodes(6), 300, 1, 1, 0)).size(0));
        org.ftrma.xor.domains.Placement placement = GroupMapper.map(Topology.nodes(6), 300, 2, 2, 0);
        assertTrue(assertThrows(IllegalArgumentException.class, () -> Groups.of(placement)).getMessage()
            .contains("checksumsPerGroup=2 with 300 computing ranks in a group"));
    }

    @Test
    void groupsMayHaveSeveralChecksumRanks() {
        Groups groups = new Groups(7, 3, 2, Groups.Placement.ROUND_ROBIN);
        assertEquals(13, groups.members());
        assertArrayEquals(new int[] {1, 4, 9, 10}, groups.membersOf(1));
        assertEquals(9, groups.checksumOf(1));
        assertEquals(2, groups.indexInGroup(9));
        assertEquals(1, groups.groupOf(10));
    }

    @Test
    void largeJobsAreNumberedWithoutTables() {
        Groups groups = new Groups(1_000_000_000, 1_000_000, 1, Groups.Placement.CONTIGUOUS);
        assertEquals(1_000_000_000 + 999_999, groups.checksumOf(999_999));
        assertEquals(999_999, groups.groupOf(999_999_999));
        assertEquals(999, groups.indexInGroup(999_999_999));
    }

    private static void refused(String expected, int ranks, int groups, int checksums) {
        String message = assertThrows(IllegalArgumentException.class,
            () -> new Groups(ranks, groups, checksums, Groups.Placement.ROUND_ROBIN)).getMessage();
        assertTrue(message.startsWith(expected), message);
    }

    @Test
    void impossibleNumbersAreRefusedByName() {
        refused("ranks=0:", 0, 1, 1);
        refused("groups=0:", 4, 0, 1);
        refused("groups=-1:", 4, -1, 1);
        refused("groups=5 ranks=4: each group needs at least one computing rank, so there can be at most 4 groups", 4,
            5, 1);
        refused("checksumsPerGroup=2 with 254 computing ranks in a group:", 254, 1, 2);
        refused("checksumsPerGroup=0 ", 4, 2, 0);
        refused("ranks=2147483647 groups=1:", Integer.MAX_VALUE, 1, 1);
        Groups groups = Groups.of(4, 2);
        assertEquals("member=6: the job has 4 computing ranks and 2 checksum ranks, members 0 to 5",
            assertThrows(IndexOutOfBoundsException.class, () -> groups.groupOf(6)).getMessage());
        assertThrows(IndexOutOfBoundsException.class, () -> groups.isChecksum(-1));
        assertThrows(IndexOutOfBoundsException.class, () -> groups.membersOf(2));
        assertThrows(IndexOutOfBoundsException.class, () -> groups.size(-1));
        assertThrows(IndexOutOfBoundsException.class, () -> groups.member(0, 3));
    }
}
