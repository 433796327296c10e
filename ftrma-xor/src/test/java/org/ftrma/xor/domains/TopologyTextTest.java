package org.ftrma.xor.domains;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A topology as text, and back. */
class TopologyTextTest {
    private static void assertSame(Topology one, Topology other) {
        assertEquals(one.name(), other.name());
        assertEquals(one.levelNames(), other.levelNames());
        for (int level = 1; level <= one.levels(); level++) {
            assertEquals(one.count(level), other.count(level));
            for (int i = 0; i < one.count(level); i++) {
                assertEquals(one.domainName(level, i), other.domainName(level, i));
                assertEquals(one.firstNode(level, i), other.firstNode(level, i));
                assertEquals(one.endNode(level, i), other.endNode(level, i));
            }
        }
        for (int node = 0; node < one.nodes(); node++) {
            assertEquals(one.slots(node), other.slots(node));
        }
    }

    @Test
    void aTopologyIsTheSameAfterwards() {
        Topology uneven = Topology.of("a (strange), name*2", List.of("node", "row/rack"), List.of(
            Domain.of("left, upper", List.of(Domain.node("n:1", 3), Domain.node("", 8), Domain.node("", 8),
            Domain.node("", Topology.UNLIMITED))),
            Domain.of("", List.of(Domain.node("n2", 1)))));
        for (Topology topology : List.of(Topology.nodes(1), Topology.nodes(1000), Machine.named("tsubame2").topology(),
            uneven,
            Topology.regular("odd", List.of("node", "switch", "rack"), new int[] {11, 4, 3}, 5))) {
            String text = TopologyText.of(topology);
            assertSame(topology, TopologyText.parse(text));
            assertEquals(text, TopologyText.of(TopologyText.parse(text)));
            assertTrue(text.length() < 2000, text);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a", "a/node", "a/node/", "a/node,rack/x", "a/node,rack/x(", "a/node,rack/x(y",
        "a/node/x*", "a/node/x:y", "a/node/x)",
        "a/node/*999999999", "a/node/x*2000000", "a/node,node/x(y)", "a/none/x", "a/node/x:0",
        "a/n,r/(x*1048576)*1048576",
        "a/n,r,s/((x)*1048576)*1048576", "a/n,r/(x)*600000,(y)*600000", "a/1,2,3,4,5,6,7,8,9,10,11,12,13/x"})
    void whatIsNoTopologyIsRefused(String text) {
        if (text.equals("a/node/")) {
            assertEquals(1, TopologyText.parse(text).nodes(), "one node without a name");
        } else {
            assertThrows(IllegalArgumentException.class, () -> TopologyText.parse(text));
        }
    }
}
