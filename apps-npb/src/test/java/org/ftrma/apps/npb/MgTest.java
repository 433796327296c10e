package org.ftrma.apps.npb;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import org.ftrma.MisuseException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** NAS MG: its operators, its grid of ranks, and its result. */
class MgTest {
    private static final MgClass S = MgClass.of("S");

    /** On one rank and several, cut along each axis, with coarse levels that all compute, and with either receive. */
    @ParameterizedTest
    @CsvSource({"1, ''", "2, ''", "4, ''", "2, --grid 2x1x1", "4, --grid 1x4x1", "8, ''",
        "4, --grid 1x1x4 --any-source", "4, --any-source", "16, --any-source"})
    void resultIsThatOfTheReference(int ranks, String options) {
        Map<String, Object> reports = SimulatedNpb.reports("mg --class S " + options, ranks, ranks);
        assertEquals(true, reports.get("verified"), reports::toString);
        assertTrue((double) reports.get("largestError") < 1e-11, reports::toString);
    }

    /** Four ranks in a row: a receive from any source may be matched by the neighbour of either side. */
    @ParameterizedTest
    @ValueSource(strings = {"", " --any-source"})
    void whoSendsFirstChangesNothing(String option) {
        String line = "mg --class S --iterations 1 --grid 1x1x4" + option;
        Object first = SimulatedNpb.reports(line, 4, 1).get("checksumDigest");
        for (long seed = 2; seed < 12; seed++) {
            Map<String, Object> reports = SimulatedNpb.reports(line, 4, seed);
            assertEquals(first, reports.get("checksumDigest"), "seed " + seed);
            assertFalse(reports.containsKey("verified"), "there is no reference for 1 cycle");
        }
    }

    @Test
    void aWrongNormDoesNotVerify() {
        assertTrue(S.error(S.norm() * (1 + 0.9e-8)) <= MgClass.TOLERANCE);
        assertFalse(S.error(S.norm() * (1 + 1.1e-8)) <= MgClass.TOLERANCE);
        assertFalse(S.error(Double.NaN) <= MgClass.TOLERANCE);
    }

    /** Ten of each: no other point's number is as extreme as the least of them. */
    @Test
    void chargesAreAtTheExtremes() {
        long points = S.points();
        for (int sign : new int[] {1, -1}) {
            long[] places = MgCharges.extremes(points, sign);
            double least = Double.MAX_VALUE;
            for (long place : places) {
                least = Math.min(least, sign * new Random46(place).next());
            }
            Random46 random = new Random46(0);
            int better = 0;
            for (long i = 0; i < points; i++) {
                better += sign * random.next() >= least ? 1 : 0;
            }
            assertEquals(10, better);
        }
    }

    /** A residual of a constant is the right-hand side; restriction and interpolation keep constants. */
    @Test
    void operatorsTreatConstantsAsTheyMust() {
        MgGrid grid = MgGrid.of(S, null, 1, 0);
        MgLevel fine = new MgLevel(grid, 3);
        MgLevel coarse = new MgLevel(grid, 2);
        MgKernels kernels = new MgKernels(S.smoother(), fine.sx);
        Arrays.fill(fine.u, 7);
        double[] v = new double[fine.u.length];
        Arrays.fill(v, 3);
        kernels.residual(fine, v);
        for (int axis = 0; axis < MgGrid.AXES; axis++) {
            MgHalo.wrap(fine, fine.r, axis);
        }
        kernels.restrict(fine, coarse);
        Arrays.fill(coarse.u, 5);
        kernels.interpolate(coarse, fine);
        for (double u : fine.u) {
            assertEquals(12, u, 1e-12);
        }
        for (int z = 1; z < 5; z++) {
            for (int x = 1; x < 5; x++) {
                assertEquals(3, fine.r[fine.row(z, x) + x], 1e-12);
                assertEquals(4 * 3, coarse.r[coarse.row(z, x) + x], 1e-11);
            }
        }
        assertEquals(8 * 8 * 8 * 9, MgKernels.squares(fine), 1e-9);
    }

    /** What is stored in a cycle and after it is all of the approximation, however the grid is cut. */
    @ParameterizedTest
    @CsvSource({"1x1x1", "1x1x2", "1x2x1", "2x1x1", "2x2x2", "1x2x2"})
    void stateIsTheWholeApproximation(String cut) {
        String[] sides = cut.split("x");
        int[] ranks = {Integer.parseInt(sides[0]), Integer.parseInt(sides[1]), Integer.parseInt(sides[2])};
        MgGrid grid = MgGrid.of(S, ranks, ranks[0] * ranks[1] * ranks[2], 0);
        MgLevel box = new MgLevel(grid, 3);
        Random random = new Random(1);
        Arrays.setAll(box.u, i -> random.nextDouble());
        MemorySegment memory = Arena.ofAuto().allocate(8L * box.u.length, 8);
        new MgKernels(S.smoother(), box.sx).smooth(box, memory);
        for (int axis = 0; axis < MgGrid.AXES; axis++) {
            MgHalo.wrap(box, box.u, axis);
        }
        MgState.storeHalo(grid, box, memory);
        double[] u = box.u.clone();
        Arrays.fill(box.u, Double.NaN);
        MgState.load(grid, box, memory);
        assertArrayEquals(u, box.u);
    }

    @Test
    void neighboursAreEachOthersNeighbours() {
        for (int ranks = 1; ranks <= 64; ranks *= 2) {
            for (int rank = 0; rank < ranks; rank++) {
                MgGrid grid = MgGrid.of(S, null, ranks, rank);
                for (int axis = 0; axis < MgGrid.AXES; axis++) {
                    int next = grid.neighbour(axis, 1);
                    assertEquals(rank, MgGrid.of(S, null, ranks, next).neighbour(axis, -1));
                }
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"3, --class S, --ranks=3: NAS MG needs a power of two",
        "4, --grid 1x1x2, '--grid=1x1x2: needs 2 ranks, the job has 4'", "4, --grid 1x3x1, --grid=1x3x1: must be",
        "4, --grid 4, --grid=4: must be", "8192, --class S, '--ranks=8192: class S has 32 points in each direction'",
        "2, --class D, --class=D: must be one of"})
    void wrongArgumentsAreRefusedWithTheReason(int ranks, String arguments, String why) {
        MisuseException refused = assertThrows(MisuseException.class,
            () -> MgOptions.parse(arguments.split(" ")).grid(ranks, 0));
        assertTrue(refused.getMessage().startsWith(why), refused.getMessage());
    }
}
