package org.ftrma.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import org.ftrma.testkit.programs.MessageFlavour;
import org.ftrma.testkit.programs.Programs;
import org.ftrma.testkit.programs.RandomMessages;
import org.ftrma.testkit.programs.SimProgram;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Random message programs: what they are, and that losses leave no orphans and their results as they are. */
@Tag("long")
class RandomMessagesTest {
    private static final int STEPS = 3;

    private static RandomReport report(MessageFlavour flavour, long first, int count, UnaryOperator<Simulation> shape) {
        RandomReport report = new RandomRuns().messages(flavour).shaped(shape).seeds(first, count).run();
        System.out.println(report);
        assertTrue(report.clean(), report::toString);
        return report;
    }

    private static long ends(RandomReport report, RandomReport.End... some) {
        long sum = 0;
        for (RandomReport.End end : some) {
            sum += report.ends().getOrDefault(end, 0L);
        }
        return sum;
    }

    @ParameterizedTest
    @EnumSource
    void lostRanksComeBackAloneAndLeaveNoOrphans(MessageFlavour flavour) {
        RandomReport report = report(flavour, 100, 50, simulation -> simulation.protocol("pessimistic-v"));
        assertTrue(ends(report, RandomReport.End.LOCAL, RandomReport.End.BOTH) > 25, report::toString);
        assertTrue(ends(report, RandomReport.End.ROLLBACK, RandomReport.End.BOTH) > 5, report::toString);
    }

    @Test
    void lossesOnHostsLeaveNoOrphans() {
        RandomReport report = report(null, 200, 24, simulation -> simulation.protocol("pessimistic-v").hosts(3));
        assertTrue(ends(report, RandomReport.End.LOCAL, RandomReport.End.BOTH) > 6, report::toString);
    }

    @Test
    void allGoBackUnderCoordinatedCheckpoints() {
        RandomReport report = report(null, 300, 32, simulation -> simulation.protocol("coordinated"));
        assertEquals(0, ends(report, RandomReport.End.LOCAL, RandomReport.End.BOTH), report::toString);
        assertTrue(ends(report, RandomReport.End.ROLLBACK) > 32, report::toString);
    }

    @Test
    void withoutProtectionTheyRunUnderOtherSchedules() {
        RandomReport report = report(null, 400, 16, simulation -> simulation.protocol("none"));
        assertEquals(32, report.runs(), report::toString);
    }

    @ParameterizedTest
    @CsvSource({"PTP, true", "ANY, false", "COLLECTIVES, true", "MIXED, false"})
    void resultsDependOnTheScheduleWhereSourcesAreNotNamed(MessageFlavour flavour, boolean hasMemory) {
        for (long number = 1; number <= 8; number++) {
            SimProgram program = Programs.byName("messages-" + flavour.key() + "-" + number, STEPS);
            Map<Integer, Map<String, byte[]>> expected = run(program, 1);
            assertEquals(hasMemory, expected.get(0).containsKey("state"));
            assertTrue(expected.get(0).containsKey(RandomMessages.ORPHANS));
            for (long schedule = 2; schedule <= 3; schedule++) {
                SimResult result = new Simulation().program(program).seed(schedule).steps(STEPS).replay();
                assertNull(result.fault(expected), program.name() + ", schedule " + schedule);
            }
        }
    }

    private static Map<Integer, Map<String, byte[]>> run(SimProgram program, long schedule) {
        SimResult result = new Simulation().program(program).seed(schedule).steps(STEPS).replay();
        assertTrue(result.succeeded(), result::story);
        return result.contents();
    }

    /** Whoever sends something else than it remembers is found out, by the ranks themselves. */
    @ParameterizedTest
    @CsvSource({"PTP, send", "PTP, isend", "PTP, issend", "PTP, ssend", "PTP, sendrecv", "ANY, isend", "ANY, issend",
        "COLLECTIVES, gather", "COLLECTIVES, scatter", "COLLECTIVES, allGather", "COLLECTIVES, allToAll",
        "COLLECTIVES, reduce", "COLLECTIVES, scan", "COLLECTIVES, igather", "COLLECTIVES, iallToAll",
        "COLLECTIVES, iscan", "MIXED, isend"})
    void anOrphanShows(MessageFlavour flavour, String call) {
        int tampered = 0;
        for (long number = 1; number <= 24; number++) {
            TamperedMessages program = new TamperedMessages(new RandomMessages(flavour, number, STEPS), call, 0, 1,
                ConcurrentHashMap.newKeySet());
            Map<Integer, Map<String, byte[]>> contents = run(program, number);
            if (program.tampered()) {
                tampered++;
                assertTrue(contents.values().stream().map(of -> of.get(RandomMessages.ORPHANS))
                    .anyMatch(orphans -> Arrays.mismatch(orphans, new byte[orphans.length]) >= 0), program.name());
            }
        }
        assertTrue(tampered > 2, () -> "few programs have " + call);
    }

    /** Each flavour has all that belongs to it, in a few dozen programs. */
    @Test
    void allKindsOfCallsOccur() {
        Map<MessageFlavour, Set<String>> called = new EnumMap<>(MessageFlavour.class);
        for (MessageFlavour flavour : MessageFlavour.values()) {
            Set<String> names = ConcurrentHashMap.newKeySet();
            called.put(flavour, names);
            for (long number = 0; number < 24; number++) {
                run(new TamperedMessages(new RandomMessages(flavour, number, STEPS), "", 0, 1, names), number);
            }
        }
        Set<String> named = Set.of("send", "ssend", "isend", "issend", "recv", "irecv", "sendrecv", "probe", "waitAll");
        Set<String> any = Set.of("isend", "issend", "recv", "irecv", "probe", "iprobe", "waitAny", "testAny",
            "testAll");
        Set<String> collectives = Set.of("barrier", "broadcast", "reduce", "allReduce", "gather", "allGather",
            "scatter", "allToAll", "scan", "split", "ibarrier", "ibroadcast", "ireduce", "iallReduce", "igather",
            "iallGather", "iscatter", "iallToAll", "iscan");
        assertTrue(called.get(MessageFlavour.PTP).containsAll(named), called::toString);
        assertTrue(called.get(MessageFlavour.ANY).containsAll(any), called::toString);
        assertTrue(called.get(MessageFlavour.COLLECTIVES).containsAll(collectives), called::toString);
        for (Set<String> part : List.of(named, any, collectives)) {
            assertTrue(called.get(MessageFlavour.MIXED).containsAll(part), called::toString);
        }
    }
}
