package org.ftrma.apps.npb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigInteger;
import java.util.Arrays;
import java.util.Map;
import org.ftrma.MisuseException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** NAS CG: its matrix, its grid of ranks, and its result. */
class CgTest {
    private static final CgClass S = CgClass.of("S");

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4, 8})
    void resultIsThatOfTheReference(int ranks) {
        Map<String, Object> reports = SimulatedNpb.reports("cg --class S", ranks, ranks);
        assertEquals(true, reports.get("verified"), reports::toString);
        assertEquals(15, ((Number) reports.get("iterations")).intValue());
        assertTrue((double) reports.get("largestError") < 1e-12, reports::toString);
    }

    @Test
    void bitsDependOnTheNumberOfRanksOnly() {
        Object first = SimulatedNpb.reports("cg --class S --iterations 2", 4, 1).get("checksumDigest");
        for (long seed = 2; seed < 5; seed++) {
            Map<String, Object> reports = SimulatedNpb.reports("cg --class S --iterations 2", 4, seed);
            assertEquals(first, reports.get("checksumDigest"), "seed " + seed);
            assertFalse(reports.containsKey("verified"), "there is no reference for 2 iterations");
        }
    }

    @Test
    void aWrongEigenvalueDoesNotVerify() {
        assertTrue(S.error(S.zeta() * (1 + 0.9e-10)) <= CgClass.TOLERANCE);
        assertFalse(S.error(S.zeta() * (1 + 1.1e-10)) <= CgClass.TOLERANCE);
        assertFalse(S.error(Double.NaN) <= CgClass.TOLERANCE);
    }

    private static double at(CgMatrix matrix, int row, int column) {
        int k = Arrays.binarySearch(matrix.columns, matrix.starts[row], matrix.starts[row + 1], column);
        return k < 0 ? 0 : matrix.values[k];
    }

    /** Number of elements, their sum and the largest one are those that NPB's own program finds. */
    @ParameterizedTest
    @CsvSource({"S, 78148, 43, -4796.5593210133202, 0.95178232526960982",
        "W, 508402, 80, -26325.256014458111, 1.3309407883908744"})
    void matrixIsThatOfNpb(String name, int elements, int ofFirstRow, double sum, double largest) {
        CgClass problem = CgClass.of(name);
        CgMatrix matrix = CgMatrix.block(problem, 0, problem.na(), 0, problem.na());
        assertEquals(elements, matrix.values.length);
        assertEquals(ofFirstRow, matrix.starts[1]);
        assertEquals(sum, Arrays.stream(matrix.values).sum(), 1e-12 * Math.abs(sum));
        assertEquals(largest, Arrays.stream(matrix.values).max().orElseThrow(), 1e-14);
    }

    @Test
    void matrixIsSymmetric() {
        CgMatrix matrix = CgMatrix.block(S, 0, S.na(), 0, S.na());
        for (int row = 0; row < S.na(); row++) {
            for (int k = matrix.starts[row]; k < matrix.starts[row + 1]; k++) {
                assertTrue(k == matrix.starts[row] || matrix.columns[k] > matrix.columns[k - 1], "row " + row);
                assertEquals(matrix.values[k], at(matrix, matrix.columns[k], row), 1e-15 * Math.abs(matrix.values[k]));
            }
        }
    }

    /** The product with a block is the part of the whole product that the block contributes. */
    @Test
    void blocksMakeUpTheMatrix() {
        CgMatrix whole = CgMatrix.block(S, 0, S.na(), 0, S.na());
        for (int ranks : new int[] {2, 4, 32}) {
            int elements = 0;
            for (int rank = 0; rank < ranks; rank++) {
                CgGrid grid = CgGrid.of(S, ranks, rank);
                int from = grid.begin(grid.column());
                CgMatrix block = CgMatrix.block(S, grid.firstRow(), grid.endRow(), from, grid.begin(grid.column() + 1));
                elements += block.values.length;
                for (int row = 0; row + 1 < block.starts.length; row++) {
                    for (int k = block.starts[row]; k < block.starts[row + 1]; k++) {
                        assertEquals(at(whole, grid.firstRow() + row, from + block.columns[k]), block.values[k]);
                    }
                }
            }
            assertEquals(whole.values.length, elements, ranks + " ranks");
        }
    }

    @Test
    void eachRankOfTheGridGetsItsPieceFromTheOneThatAddsItUp() {
        for (int ranks = 1; ranks <= 1024; ranks *= 2) {
            for (int rank = 0; rank < ranks; rank++) {
                CgGrid grid = CgGrid.of(S, ranks, rank);
                CgGrid other = CgGrid.of(S, ranks, grid.transposed());
                assertEquals(rank, other.transposed());
                assertEquals(grid.column(), other.summedPiece(), rank + " of " + ranks);
                assertTrue(grid.longest() >= grid.length(grid.column()));
            }
        }
    }

    /** The first numbers, from the recurrence in whole numbers: 5^13 * 314159265 mod 2^46, and so on. */
    @Test
    void randomNumbersAreThoseOfTheRecurrence() {
        Random46 random = new Random46(0);
        BigInteger state = BigInteger.valueOf(314159265);
        for (int k = 1; k < 1000; k++) {
            state = state.multiply(BigInteger.valueOf(5).pow(13)).mod(BigInteger.TWO.pow(46));
            double next = random.next();
            assertEquals(state.doubleValue() / Math.pow(2, 46), next);
            assertEquals(next, new Random46(k - 1).next());
        }
    }

    @Test
    void wrongArgumentsAreRefusedWithTheReason() {
        Npb.Benchmark cg = Npb.all().getFirst();
        for (String[] one : new String[][] {
            {"--class D", "4", "--class=D: must be one of S, W, A, B, C"},
            {"--class S", "3", "--ranks=3: NAS CG needs a power of two"},
            {"--class S", "4194304", "class S has 1400 rows, which is too few for a grid of ranks with 2048 columns"},
            {"--iterations 0", "2", "--iterations=0"}, {"--any-source", "2", "--any-source"},
        }) {
            MisuseException refused = assertThrows(MisuseException.class,
                () -> cg.check().accept(one[0].split(" "), Integer.parseInt(one[1])), one[0]);
            assertTrue(refused.getMessage().contains(one[2]), refused.getMessage());
        }
    }
}
