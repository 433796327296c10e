package org.ftrma.xor.domains;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class TopologyTest {
    private static final Topology SMALL = Topology.of("small", List.of("node", "rack"), List.of(
        Domain.of("left", List.of(Domain.node("a", 2), Domain.node("", 1))),
        Domain.of("right", List.of(Domain.node("c", 4)))));

    @Test
    void machineOfThePaperIsNestedAsItSays() {
        Topology topology = Machine.tsubame2().topology();
        assertEquals("tsubame2: 1408 node, 352 psu, 88 switch, 44 rack", topology.toString());
        for (int node : new int[] {0, 3, 4, 15, 16, 31, 32, 1407}) {
            assertEquals(node / 4, topology.domainOf(node, 2));
            assertEquals(node / 16, topology.domainOf(node, 3));
            assertEquals(node / 32, topology.domainOf(node, 4));
        }
        assertEquals("rack43", topology.domainName(4, 43));
    }

    @Test
    void elementsAreRangesOfNodesAtEveryLevel() {
        for (Topology topology : List.of(SMALL, Machine.tsubame2().topology(),
            Topology.regular("odd", List.of("node", "board", "rack"), new int[] {17, 5, 3}, 2))) {
            for (int level = 1; level <= topology.levels(); level++) {
                int node = 0;
                for (int i = 0; i < topology.count(level); i++) {
                    assertEquals(node, topology.firstNode(level, i));
                    assertTrue(topology.endNode(level, i) > node, "empty");
                    for (; node < topology.endNode(level, i); node++) {
                        assertEquals(i, topology.domainOf(node, level));
                        assertTrue(level == 1 || topology.domainOf(topology.firstNode(level, i), level - 1)
                            <= topology.domainOf(node, level - 1));
                    }
                }
                assertEquals(topology.nodes(), node);
            }
        }
    }

    @Test
    void namesAreThoseGivenOrLevelAndNumber() {
        assertEquals(List.of("a", "node1", "c"), List.of(SMALL.domainName(1, 0), SMALL.domainName(1, 1),
            SMALL.domainName(1, 2)));
        assertEquals("right", SMALL.domainName(2, SMALL.domainOf(2, 2)));
        assertEquals(2, SMALL.level("rack"));
        assertEquals(0, SMALL.level("none"));
        assertTrue(assertThrows(IllegalArgumentException.class, () -> SMALL.level("blade")).getMessage()
            .contains("none, node, rack"));
    }

    @Test
    void whatIsNoHierarchyIsRefused() {
        List<String> levels = List.of("node", "rack");
        for (Runnable wrong : List.<Runnable>of(
            () -> Topology.regular("x", levels, new int[] {2, 3}, 1),
            () -> Topology.regular("x", levels, new int[] {2}, 1),
            () -> Topology.regular("x", levels, new int[] {2, 0}, 1),
            () -> Topology.regular("x", levels, new int[] {2, 1}, 0),
            () -> Topology.regular("x", List.of("node", "node"), new int[] {2, 1}, 1),
            () -> Topology.regular("x", List.of("none"), new int[] {2}, 1),
            () -> Topology.regular("x", List.of(), new int[0], 1),
            () -> Topology.nodes(Topology.MAX_NODES + 1),
            () -> Topology.of("x", levels, List.of()),
            () -> Topology.of("x", levels, List.of(Domain.node("rack", 1))),
            () -> Topology.of("x", List.of("node"), List.of(Domain.of("rack", List.of(Domain.node("a", 1))))),
            () -> Topology.of("x", List.of("node"), List.of(Domain.node("a", 1), Domain.node("a", 1))),
            () -> Machine.named("roadrunner"))) {
            assertThrows(IllegalArgumentException.class, wrong::run);
        }
    }

    @Test
    void sumsOfDistributionsAreThoseOfTheirTerms() {
        for (FailureDistribution failures : List.of(FailureDistribution.exponential(0.3e-2, 1.36),
            FailureDistribution.exponential(1e-3, 1e-9),
            FailureDistribution.tabulated(0.5, 0, 0.25))) {
            for (int to : new int[] {0, 1, 2, 3, 100}) {
                double sum = 0;
                for (int x = 2; x <= to; x++) {
                    sum += failures.perDay(x);
                }
                assertEquals(sum, failures.perDay(2, to), 1e-12 * sum);
            }
            assertEquals(0, failures.perDay(0));
        }
        assertThrows(IllegalArgumentException.class, () -> FailureDistribution.exponential(0, 1));
        assertThrows(IllegalArgumentException.class, () -> FailureDistribution.exponential(1, Double.NaN));
        assertThrows(IllegalArgumentException.class, () -> FailureDistribution.tabulated(-1));
        assertThrows(IllegalArgumentException.class, FailureDistribution::tabulated);
    }
}
