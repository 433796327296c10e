package org.ftrma.launch.topology;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import org.ftrma.MisuseException;
import org.ftrma.xor.domains.Machine;
import org.ftrma.xor.domains.Topology;
import org.junit.jupiter.api.Test;

class TopologyFileTest {
    private static final String TREE = """
        {"name": "lab", "levels": ["node", {"name": "rack", "failures": {"scale": 1e-5, "decay": 1.5}}], "slots": 8,
         "domains": [
           {"name": "left", "domains": ["a", "b", {"slots": 2}]},
           {"domains": [{"count": 4}, {"name": "big", "slots": 64}]}
         ]}""";

    private static Machine parse(String text) {
        return TopologyFile.parse("topology.json", text.getBytes(StandardCharsets.UTF_8));
    }

    private static void refuses(String text, String... parts) {
        String message = assertThrows(MisuseException.class, () -> parse(text), text).getMessage();
        for (String part : parts) {
            assertTrue(message.contains(part), message);
        }
        assertTrue(message.startsWith("topology.json"), message);
    }

    @Test
    void treeIsReadWithNamesAndSlots() {
        Machine machine = parse(TREE);
        Topology topology = machine.topology();
        assertEquals("lab: 8 node, 2 rack", topology.toString());
        assertEquals("b", topology.domainName(1, 1));
        assertEquals("node2", topology.domainName(1, 2));
        assertEquals("rack1", topology.domainName(2, topology.domainOf(7, 2)));
        assertEquals(8, topology.slots(0));
        assertEquals(2, topology.slots(2));
        assertEquals(64, topology.slots(7));
        assertNull(machine.failures().get(0));
        assertEquals(1e-5 * Math.exp(-3), machine.failures().get(1).perDay(2), 1e-20);
    }

    @Test
    void countsDescribeARegularMachine() {
        Machine machine = parse("""
            {"levels": [{"name": "node", "count": 1408, "failures": {"scale": 0.0030142, "decay": 1.3567}},
                        {"name": "psu", "count": 352, "failures": {"perDay": [0.5, 0.25]}}]}""");
        assertEquals("topology.json: 1408 node, 352 psu", machine.topology().toString());
        assertEquals(Machine.tsubame2().failures().get(0).perDay(1), machine.failures().get(0).perDay(1));
        assertEquals(0.25, machine.failures().get(1).perDay(2));
        assertEquals(Topology.UNLIMITED, machine.topology().slots(0));
    }

    @Test
    void whatIsWrongIsToldWithLineAndField() {
        refuses("", "empty");
        refuses("{\n \"levels\": [\"node\",]}", "line 2");
        refuses("[]", "line 1: the file must be an object", "levels");
        refuses("{}", "lacks the field 'levels'");
        refuses("{\"levels\": []}", "levels has 0 elements, must have 1 to 12");
        refuses("{\"levels\": [\"node\"],\n\"color\": 3}", "line 2: color is not known here",
            "domains, levels, name, slots");
        refuses("{\"levels\": [\"node\"],\n\n\"slots\": -1, \"domains\": [\"a\"]}",
            "line 3: slots is -1, must be a whole number from 1 to 65536");
        refuses("{\"levels\": [\"node\"], \"slots\": 1.5, \"domains\": [\"a\"]}", "slots is 1.5");
        refuses("{\"levels\": [\"node\"], \"slots\": \"many\", \"domains\": [\"a\"]}", "slots must be a number");
        refuses("{\"levels\": [\"node\"], \"slots\": 1e999, \"domains\": [\"a\"]}", "slots must be a number");
        refuses("{\"levels\": [\"node\"]}", "levels[0] lacks the field 'count'");
        refuses("{\"levels\": [{\"name\": \"node\", \"count\": 0}]}", "levels[0].count is 0");
        refuses("{\"levels\": [{\"count\": 4}]}", "levels[0] lacks the field 'name'");
        refuses("{\"levels\": [{\"name\": \"node\", \"count\": 2}, {\"name\": \"rack\", \"count\": 3}]}",
            "levels is not a hierarchy",
            "count=3 of level rack");
        refuses("{\"levels\": [\"node\", \"node\"], \"domains\": [{\"domains\": [\"a\"]}]}",
            "there is a level of this name already");
        refuses("{\"levels\": [\"node\", \"rack\"], \"domains\": [\n{\"name\": \"r\"}]}",
            "line 2: domains[0] is a rack and lacks the field 'domains'");
        refuses("{\"levels\": [\"node\", \"rack\"], \"domains\": [\"a\"]}", "domains[0] must be an object");
        refuses("{\"levels\": [\"node\", \"rack\"], \"domains\": [{\"domains\": []}]}",
            "domains[0].domains has 0 elements");
        refuses("{\"levels\": [\"node\"], \"domains\": [{\"domains\": [\"a\"]}]}",
            "domains[0].domains is not known here; fields are count, name, slots");
        refuses("{\"levels\": [\"node\"], \"domains\": [\"a\", \"a\"]}", "domains is not a hierarchy",
            "another node of this name");
        refuses("{\"levels\": [\"node\"], \"domains\": [{\"count\": 2, \"name\": \"a\"}]}",
            "domains[0].count is 2, but only one node");
        refuses("{\"levels\": [\"node\"], \"domains\": [{\"count\": 1048576}, \"a\"]}",
            "domains[1] is beyond the limit of 1048576 nodes");
        refuses("{\"levels\": [{\"name\": \"node\", \"count\": 3}], \"domains\": [\"a\"]}",
            "levels[0] has count 3, but 'domains' tells 1");
        refuses("{\"levels\": [{\"name\": \"node\", \"count\": 3,\n\"failures\": {\"scale\": 0, \"decay\": 1}}]}",
            "line 2: levels[0].failures is not a distribution");
        refuses("{\"levels\": [{\"name\": \"node\", \"count\": 3, \"failures\": {\"scale\": 1}}]}",
            "levels[0].failures lacks the field 'decay'");
        refuses("{\"levels\": [{\"name\": \"node\", \"count\": 3, \"failures\": {\"perDay\": [1], \"scale\": 1}}]}",
            "has both");
        refuses("{\"levels\": [{\"name\": \"node\", \"count\": 3, \"failures\": {\"perDay\": [-1]}}]}",
            "probability -1.0");
        refuses("{\"levels\": [\"node\"], \"levels\": [\"node\"]}", "line 1", "Duplicate");
        refuses("{\"levels\": [\"node\"]} 1", "something follows");
        refuses("{\"levels\": [\"" + "x".repeat(300) + "\"]}", "300");
        refuses("\n" + "[".repeat(100) + "]".repeat(100), "line 2", "depth");
        refuses("{\"levels\": [\"node\"],\n\"domains\": [\"a\\u001b[31m\"]}",
            "line 2: domains[0] has a control character: 'a?[31m'");
        refuses("{\"levels\": [\"node\"],\n\"\\u001b[2J\": 1}", "line 2: ?[2J is not known here");
    }
}
