package org.ftrma.xor.domains;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Equations 7 to 9, what section 7.1.1 concludes from them, and what placements really have. */
class CatastropheFormulaTest {
    private static final Machine TSUBAME = Machine.tsubame2();
    private static final int PROCESSES = 4000;

    private static double pcf(int checksums, int aware) {
        return CatastropheFormula.of(TSUBAME, PROCESSES, checksums, 1, aware).perDay();
    }

    private static BigInteger binomial(int n, int k) {
        BigInteger value = BigInteger.ONE;
        for (int i = 0; i < k; i++) {
            value = value.multiply(BigInteger.valueOf(n - i)).divide(BigInteger.valueOf(i + 1));
        }
        return n < k || k < 0 ? BigInteger.ZERO : value;
    }

    @Test
    void conditionalProbabilityIsEquation8AsPrintedAndClamped() {
        int[][] cases = {{1408, 21, 2}, {1408, 21, 3}, {1408, 21, 700}, {352, 21, 5}, {88, 11, 2}, {44, 21, 2},
            {44, 21, 44}, {44, 44, 3}};
        for (int[] one : cases) {
            BigInteger above = BigInteger.valueOf((one[0] + one[1] - 1) / one[1]).multiply(binomial(one[1],
                2)).multiply(binomial(one[0] - 2, one[2] - 2));
            double printed = new BigDecimal(above).divide(new BigDecimal(binomial(one[0], one[2])),
                MathContext.DECIMAL64).doubleValue();
            double value = CatastropheFormula.conditional(one[0], one[1], 1, one[2]);
            assertEquals(Math.min(1, printed), value, 1e-12 * value);
        }
        assertEquals(0, CatastropheFormula.conditional(1408, 21, 1, 1));
        assertEquals(0, CatastropheFormula.conditional(1408, 21, 1, 0));
    }

    @Test
    void conditionalProbabilityIsStableForHugeLevels() {
        int huge = 1_000_000;
        assertEquals(1, CatastropheFormula.conditional(huge, 1000, 1, huge));
        double small = CatastropheFormula.conditional(huge, 21, 1, 2);
        assertEquals(Math.ceil(huge / 21.0) * 210 / (huge * (huge - 1.0) / 2), small, 1e-12 * small);
        assertTrue(CatastropheFormula.conditional(huge, 300, 100, 150) >= 0);
    }

    @Test
    void moreLossesNeedMoreElementsToFail() {
        for (int m = 1; m <= 4; m++) {
            assertEquals(0, CatastropheFormula.conditional(100, 10, m, m));
            double expected = 10 * binomial(10, m + 1).doubleValue() / binomial(100, m + 1).doubleValue();
            assertEquals(expected, CatastropheFormula.conditional(100, 10, m, m + 1), 1e-12 * expected);
        }
        // Twelve members of a group on six elements, two on each: with m = 2 any two elements take four.
        assertEquals(15 / 15.0, CatastropheFormula.conditional(6, 12, 2, 2), 1e-12);
        assertEquals(0, CatastropheFormula.conditional(6, 12, 2, 1));
    }

    @Test
    void withoutAwarenessChecksumRanksDoNotMatter() {
        for (int checksums : new int[] {1, 40, 200, 800, 4000}) {
            assertEquals(pcf(200, 0), pcf(checksums, 0));
        }
    }

    @Test
    void switchesAreAboutFourTimesBetterThanNodesAtFivePercent() {
        double ratio = pcf(200, 1) / pcf(200, 3);
        assertTrue(ratio > 3 && ratio < 5, "nodes / switches = " + ratio);
        assertEquals(21, CatastropheFormula.of(TSUBAME, PROCESSES, 200, 1, 1).groupSize());
    }

    @Test
    void awarePlacementsAreOneToThreeOrdersOfMagnitudeBetterThanNone() {
        for (int aware = 1; aware <= 4; aware++) {
            double ratio = pcf(200, 0) / pcf(200, aware);
            assertTrue(ratio >= 10 && ratio <= 1000, "none / level " + aware + " = " + ratio);
            assertTrue(aware == 1 || pcf(200, aware) < pcf(200, aware - 1));
        }
    }

    @Test
    void probabilityFallsWithMoreChecksumRanksUntilUnawareLevelsDominate() {
        for (int aware = 1; aware <= 4; aware++) {
            assertTrue(pcf(40, aware) > pcf(200, aware) && pcf(200, aware) > pcf(800, aware));
        }
        double rest = pcf(200, 1) - CatastropheFormula.of(TSUBAME, PROCESSES, 200, 1, 1).levels().get(0).perDay();
        assertEquals(rest, CatastropheFormula.of(TSUBAME, PROCESSES, 200, 1, 1).levels().stream().skip(1)
            .mapToDouble(CatastropheFormula.Level::failuresPerDay).sum(), 1e-12 * rest);
    }

    @Test
    void groupsLargerThanALevelAreMarkedAsNotPlaceable() {
        assertFalse(CatastropheFormula.of(TSUBAME, PROCESSES, 40, 1, 4).placeable());
        assertTrue(CatastropheFormula.of(TSUBAME, PROCESSES, 40, 1, 2).placeable());
        assertTrue(CatastropheFormula.of(TSUBAME, PROCESSES, 120, 3, 4).placeable());
    }

    @Test
    void fewestChecksumRanksReachTheTargetAndOneGroupLessDoesNot() {
        for (int losses = 1; losses <= 2; losses++) {
            double target = 1.5e-5;
            int fewest = CatastropheFormula.fewestChecksums(TSUBAME, PROCESSES, losses, 4, target);
            assertTrue(fewest > losses && fewest % losses == 0);
            assertTrue(CatastropheFormula.of(TSUBAME, PROCESSES, fewest, losses, 4).perDay() <= target);
            CatastropheFormula.Result less = CatastropheFormula.of(TSUBAME, PROCESSES, fewest - losses, losses, 4);
            assertTrue(less.perDay() > target || !less.placeable());
        }
        assertEquals(-1, CatastropheFormula.fewestChecksums(TSUBAME, PROCESSES, 1, 1, 1e-9));
    }

    /**
     * The formula's own assumptions, played: one process on each element, {@code H / |G|} groups, x elements at random.
     * For two failures it is exact; for more it counts some twice, so it lies above, and not far as long as it is
     * small.
     */
    @Test
    void seededMonteCarloAgreesWithTheFormula() {
        Random random = new Random(42);
        int samples = 40_000;
        int[][] cases = {{88, 11, 1, 2}, {88, 11, 1, 3}, {352, 22, 1, 2}, {352, 22, 1, 4}, {88, 11, 2, 3},
            {88, 11, 2, 4}, {60, 6, 3, 5}};
        for (int[] one : cases) {
            int elements = one[0];
            int hits = 0;
            for (int i = 0; i < samples; i++) {
                hits += catastrophic(random, elements, one[1], one[2], one[3]) ? 1 : 0;
            }
            double formula = CatastropheFormula.conditional(elements, one[1], one[2], one[3]);
            double played = (double) hits / samples;
            double error = 4 * Math.sqrt(formula * (1 - formula) / samples);
            assertTrue(played <= formula + error, played + " is more than " + formula);
            assertTrue(played >= formula * (one[3] == one[2] + 1 ? 1 : 0.7) - error,
                played + " is less than " + formula);
        }
    }

    private static boolean catastrophic(Random random, int elements, int groupSize, int losses, int failed) {
        boolean[] down = new boolean[elements];
        int[] lost = new int[elements / groupSize];
        for (int i = 0; i < failed; i++) {
            int element;
            do {
                element = random.nextInt(elements);
            } while (down[element]);
            down[element] = true;
            if (++lost[element / groupSize] > losses) {
                return true;
            }
        }
        return false;
    }

    @Test
    void placementWithOneProcessOnEachElementHasTheFormulasValueForTwoFailures() throws NoPlacementException {
        Topology topology = Topology.nodes(88);
        Machine machine = new Machine(topology, List.of(FailureDistribution.tabulated(0.1, 0.01)));
        Placement placement = GroupMapper.map(topology, 80, 8, 1, 1);
        PlacementRisk.Result exact = PlacementRisk.of(placement, machine.failures(), 2, 1);
        assertEquals(CatastropheFormula.of(machine, 80, 8, 1, 1).perDay(), exact.perDay(), 1e-15);
        assertEquals(0, exact.standardError());
    }

    @Test
    void placementsOnFewElementsAreCountedAndSamplingAgrees() throws NoPlacementException {
        // The same job on 14 nodes, where every subset is counted, and on 18, where it is sampled: brute force decides
        // on both.
        for (int nodes : new int[] {14, 18}) {
            for (int losses = 1; losses <= 2; losses++) {
                Topology topology = Topology.nodes(nodes);
                List<FailureDistribution> failures = List.of(FailureDistribution.exponential(0.5, 0.4));
                Placement placement = GroupMapper.map(topology, 12, 3 * losses, losses, 1);
                PlacementRisk.Result result = PlacementRisk.of(placement, failures, 40_000, 7);
                double brute = brute(placement, failures.getFirst());
                assertEquals(brute, result.perDay(), nodes == 14 ? 1e-12 : 4 * result.standardError());
                assertEquals(nodes == 18, result.standardError() > 0);
            }
        }
    }

    private static double brute(Placement placement, FailureDistribution failures) {
        int nodes = placement.topology().nodes();
        double[] fatal = new double[nodes + 1];
        for (int set = 0; set < 1 << nodes; set++) {
            int[] lost = new int[placement.groups()];
            boolean catastrophic = false;
            for (int member = 0; member < placement.members(); member++) {
                catastrophic |= (set >> placement.nodeOf(member) & 1) != 0
                    && ++lost[placement.groupOf(member)] > placement.losses();
            }
            fatal[Integer.bitCount(set)] += catastrophic ? 1 : 0;
        }
        double sum = 0;
        for (int x = 1; x <= nodes; x++) {
            sum += failures.perDay(x) * fatal[x] / binomial(nodes, x).doubleValue();
        }
        return sum;
    }

    @Test
    void formulaIsNoBoundWhereProcessesShareNodesAndGroupsDoNotShareTheirNodes() throws NoPlacementException {
        Topology nodes = Topology.nodes(1408);
        List<FailureDistribution> failures = TSUBAME.failures().subList(0, 1);
        double formula = CatastropheFormula.of(new Machine(nodes, failures), PROCESSES, 200, 1, 1).perDay();
        PlacementRisk.Result mapped = PlacementRisk.of(GroupMapper.map(nodes, PROCESSES, 200, 1, 1), failures, 20_000,
            1);
        assertTrue(mapped.perDay() < 1.05 * formula, mapped + " and " + formula);
        int[] where = new int[4200];
        int[] group = new int[PROCESSES];
        for (int i = 0; i < where.length; i++) {
            where[i] = i % 1408;
        }
        for (int i = 0; i < group.length; i++) {
            group[i] = (int) (i * 7919L % 4000 / 20);
        }
        PlacementRisk.Result scattered = PlacementRisk.of(new Placement(nodes, PROCESSES, 200, 1, where, group),
            failures, 20_000, 1);
        assertTrue(scattered.perDay() > 2 * formula, scattered + " and " + formula);
    }

    @Test
    void sharedElementsAreFatalAlone() throws NoPlacementException {
        Topology topology = Topology.regular("racks", List.of("node", "rack"), new int[] {30, 3}, Topology.UNLIMITED);
        List<FailureDistribution> failures = List.of(FailureDistribution.tabulated(0.5),
            FailureDistribution.tabulated(0.25));
        PlacementRisk.Result result = PlacementRisk.of(GroupMapper.map(topology, 24, 6, 1, 1), failures, 10, 1);
        assertEquals(0, result.levels().get(0).fatalElements());
        assertEquals(3, result.levels().get(1).fatalElements());
        assertEquals(0.25, result.perDay(), 1e-12);
    }

    @Test
    void nonsenseIsRefused() {
        assertThrows(IllegalArgumentException.class, () -> CatastropheFormula.conditional(0, 2, 1, 0));
        assertThrows(IllegalArgumentException.class, () -> CatastropheFormula.conditional(5, 1, 1, 0));
        assertThrows(IllegalArgumentException.class, () -> CatastropheFormula.conditional(5, 2, 1, 6));
        assertThrows(IllegalArgumentException.class, () -> CatastropheFormula.of(TSUBAME, 10, 3, 2, 1));
        assertThrows(IllegalArgumentException.class, () -> CatastropheFormula.of(TSUBAME, 10, 11, 1, 1));
        assertThrows(IllegalArgumentException.class, () -> CatastropheFormula.of(TSUBAME, 10, 1, 1, 5));
    }
}
