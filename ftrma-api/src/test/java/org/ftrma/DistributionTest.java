package org.ftrma;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Where the elements of distributions are: each at one place, and those of a run one behind the other. */
class DistributionTest {
    private static final int MOST_RANKS = 9;
    private static final int MOST_ELEMENTS = 24;

    private static List<Distribution> all(int elements) {
        return List.of(Distribution.block(elements, 8), Distribution.cyclic(elements, 4),
            Distribution.even(elements, 24), Distribution.blockCyclic(elements, 3, 4),
            Distribution.blockCyclic(elements, 8, 100), Distribution.block(elements, 5).after(7));
    }

    @Test
    void eachElementHasAPlaceOfItsOwnWithoutGaps() {
        for (int elements = 1; elements <= MOST_ELEMENTS; elements++) {
            for (Distribution one : all(elements)) {
                for (int ranks = 1; ranks <= MOST_RANKS; ranks++) {
                    assertSound(one, elements, ranks);
                }
            }
        }
    }

    private static void assertSound(Distribution one, int elements, int ranks) {
        String what = one + " on " + ranks + " ranks";
        Distribution.Placement placement = one.placement();
        long head = one.toString().contains(" after ") ? 7 : 0;
        Set<String> taken = new HashSet<>();
        long[] counts = new long[ranks];
        for (long element = 0; element < elements; element++) {
            int rank = placement.rank(ranks, element);
            long offset = placement.offset(ranks, element);
            assertTrue(rank >= 0 && rank < ranks, what);
            assertEquals(head + counts[rank]++ * one.elementBytes(), offset, what);
            assertTrue(taken.add(rank + " " + offset), what);
            long run = placement.run(ranks, element);
            assertTrue(run >= 1 && run <= elements - element, what);
            for (long next = 1; next < run; next++) {
                assertEquals(rank, placement.rank(ranks, element + next), what);
                assertEquals(offset + next * one.elementBytes(), placement.offset(ranks, element + next), what);
            }
        }
        assertEquals(elements, one.elements());
    }

    @Test
    void partsAreAsTheirNamesSay() {
        Distribution.Placement block = Distribution.block(10, 8).placement();
        assertEquals(List.of(0, 2, 3), List.of(block.rank(4, 2), block.rank(4, 8), block.rank(4, 9)));
        Distribution.Placement even = Distribution.even(10, 8).placement();
        assertEquals(List.of(0, 1, 1, 2, 3),
            List.of(even.rank(4, 1), even.rank(4, 2), even.rank(4, 4), even.rank(4, 6), even.rank(4, 9)));
        Distribution.Placement cyclic = Distribution.cyclic(10, 8).placement();
        assertEquals(List.of(1, 16L), List.of(cyclic.rank(4, 9), cyclic.offset(4, 9)));
        Distribution.Placement groups = Distribution.blockCyclic(10, 8, 2).placement();
        assertEquals(List.of(0, 24L, 1L), List.of(groups.rank(4, 9), groups.offset(4, 9), groups.run(4, 9)));
        Distribution.Placement most = Distribution.even(1L << 46, 1).placement();
        assertEquals((1 << 16) - 1, most.rank(1 << 16, (1L << 46) - 1));
    }

    @Test
    void textsTellThemApart() {
        assertEquals("block of 10 elements of 8 bytes", Distribution.block(10, 8).toString());
        assertEquals("cyclic by 3, 10 elements of 8 bytes after 16 bytes",
            Distribution.blockCyclic(10, 8, 3).after(16).toString());
        assertEquals("replicated", Distribution.replicated().toString());
    }

    @Test
    void whatIsNoDistributionIsRefused() {
        misuse(() -> Distribution.block(0, 8), "elements=0 elementBytes=8: both must be 1 or more");
        misuse(() -> Distribution.cyclic(1L << 60, 16), "fewer than 2^63 bytes");
        misuse(() -> Distribution.blockCyclic(10, 8, 0), "blockElements=0: must be 1 or more");
        misuse(() -> Distribution.even(1L << 47, 1), "must be 1 to 70368744177664");
        misuse(() -> Distribution.of("a: b", 10, 8, Distribution.block(10, 8).placement()), "without colons");
        misuse(() -> Distribution.of("a", 10, 8, null), "placement is null");
        misuse(() -> Distribution.block(10, 8).after(-1), "after -1 bytes; it must be 0 or more");
        misuse(() -> Distribution.replicated().after(8), "of elements");
    }

    private static void misuse(Runnable call, String part) {
        MisuseException e = assertThrows(MisuseException.class, call::run);
        assertTrue(e.getMessage().contains(part), e.getMessage());
    }
}
