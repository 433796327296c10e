package org.ftrma.launch.inject;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Random;
import org.ftrma.MisuseException;
import org.ftrma.core.control.ControlMessage;
import org.ftrma.core.membership.JobGroups;
import org.ftrma.launch.inject.InjectedFailure.Action;
import org.ftrma.options.JobOptions;
import org.ftrma.xor.domains.Domain;
import org.ftrma.xor.domains.Topology;
import org.ftrma.xor.domains.TopologyText;
import org.junit.jupiter.api.Test;

class InjectedFailureTest {
    private final JobOptions options = JobOptions.of(Map.of("ranks", "4", "checksums", "2"));

    @Test
    void allFormsAreUnderstood() {
        assertEquals(new InjectedFailure(Action.KILL, List.of(2), 2, 5),
            InjectedFailure.parse(Action.KILL, "2@5", options));
        assertEquals(new InjectedFailure(Action.STOP, List.of(5), 0, 0),
            InjectedFailure.parse(Action.STOP, "checksum1@0", options));
        assertEquals(new InjectedFailure(Action.KILL, List.of(3), 3, 5, true),
            InjectedFailure.parse(Action.KILL, "3@5+recovery", options));
        assertEquals(new InjectedFailure(Action.STOP, List.of(4), 0, 5, true),
            InjectedFailure.parse(Action.STOP, "checksum0@5+recovery", options));
        assertEquals(new InjectedFailure(Action.KILL, List.of(4, 3, 1), 3, 7),
            InjectedFailure.parse(Action.KILL, "checksum0+3+1@7", options));
    }

    /** Nodes that are numbered from 1: their own names count, and level and number where no name is that. */
    @Test
    void namesOfNodesGoBeforeLevelAndNumber() {
        Topology topology = Topology.of("lab", List.of("node"),
            List.of(Domain.node("node2", 9), Domain.node("node3", 9), Domain.node("node1", 9),
            Domain.node("x", 9), Domain.node("y", 9), Domain.node("z", 9)));
        JobOptions placed = JobOptions.of(Map.of("ranks", "4", "checksums", "2", "topology",
            TopologyText.of(topology)));
        for (String[] pair : new String[][] {{"node2", "0"}, {"node3", "1"}, {"node1", "2"}, {"node4", "4"},
            {"z", "5"}}) {
            assertEquals(JobGroups.membersOn(1, Integer.parseInt(pair[1]), placed),
                InjectedFailure.parse(Action.KILL, pair[0] + "@1", placed).members());
        }
    }

    @Test
    void aDemandCheckpointIsAMomentOfItsOwn() {
        JobOptions full = JobOptions.of(Map.of("ranks", "4", "checksums", "2", "protocol", "full"));
        InjectedFailure fault = InjectedFailure.parse(Action.KILL, "checksum0+3@demand", full);
        assertEquals(new InjectedFailure(Action.KILL, List.of(4, 3), 3, ControlMessage.Watch.DEMAND), fault);
        assertEquals("in a demand checkpoint of rank 3", fault.when(true));
        MisuseException e = assertThrows(MisuseException.class,
            () -> InjectedFailure.parse(Action.KILL, "1@demand", options));
        assertTrue(e.getMessage().contains("--protocol full"), e.getMessage());
    }

    @Test
    void wrongFormsAreRefusedByNameAndLimit() {
        String[] wrong = {"", "2", "@5", "2@", "4@1", "checksum2@1", "checksum@1", "x@1", "1@x", "-1@2", "1+1@2",
            "1+@2", "1@99999999999", "1@2+",
            "1@2+recover", "1+2@3+recovery", "1@+recovery", "+recovery", "1+recovery@3"};
        for (String text : wrong) {
            MisuseException e = assertThrows(MisuseException.class,
                () -> InjectedFailure.parse(Action.KILL, text, options),
                text);
            assertTrue(e.getMessage().startsWith("--kill=" + text), e.getMessage());
        }
        JobOptions bare = JobOptions.of(Map.of("ranks", "4", "protocol", "none"));
        assertTrue(assertThrows(MisuseException.class, () -> InjectedFailure.parse(Action.KILL, "1@2+recovery", bare))
            .getMessage().contains("protected"));
        MisuseException e = assertThrows(MisuseException.class,
            () -> InjectedFailure.parse(Action.KILL, "4@1", options));
        assertTrue(e.getMessage().contains("0 to 3"), e.getMessage());
    }

    @Test
    void chaosIsSpreadOverTheRunAndRepeatsWithItsSeed() {
        List<InjectedFailure> plan = new Chaos(20, 0, options).plan(1, 800, new Random(7));
        assertEquals(plan, new Chaos(20, 0, options).plan(1, 800, new Random(7)));
        assertTrue(!plan.equals(new Chaos(20, 0, options).plan(1, 800, new Random(8))));
        assertEquals(20, plan.size());
        long last = 1;
        for (InjectedFailure fault : plan) {
            assertTrue(fault.step() > last && fault.step() <= 800, fault + " after " + last);
            assertTrue(fault.members().getFirst() < 6);
            last = fault.step();
        }
        assertTrue(plan.stream().map(InjectedFailure::members).distinct().count() > 3,
            "20 kills hit only few members: " + plan);
        assertTrue(last > 700, "the last kill is in step " + last);
    }
}
