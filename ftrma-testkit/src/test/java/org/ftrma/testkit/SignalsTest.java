package org.ftrma.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.ftrma.AtomicOp;
import org.ftrma.Comparison;
import org.ftrma.Job;
import org.ftrma.Window;
import org.ftrma.core.control.FallbackReason;
import org.ftrma.testkit.programs.Programs;
import org.ftrma.testkit.programs.SimProgram;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Signals order what ranks do, whoever of them is lost, at whatever point: between the data and the signal, with the
 * signal under way, when it was seen and its sender's log does not tell of it, in a wait, in a replay. The programs
 * have nothing else that orders their accesses.
 */
@Tag("long")
class SignalsTest {
    private static final long STEPS = 4;

    static Stream<String> programs() {
        return Programs.signals(1).stream().map(SimProgram::name);
    }

    /** An interval of "none": the first checkpoint only, so that replay is long. */
    private static Simulation full(String program, String interval) {
        return new Simulation().program(program).protocol("full").steps(STEPS).interval(interval).spares(2);
    }

    private static void check(SimReport report) {
        System.out.println(report.summary());
        assertTrue(report.clean(), report::toString);
        assertEquals(0, report.gaveUp(), report::toString);
        assertTrue(report.replays() > 0, report::summary);
    }

    /** A program that tests takes very many steps: fewer of its points are enough. */
    private static int stride(String program, int ofOthers) {
        return EveryPoint.or(program.equals("signaltested") ? 5 * ofOthers : ofOthers);
    }

    @ParameterizedTest
    @MethodSource("programs")
    void resultsDoNotDependOnTheSchedule(String program) {
        for (String protocol : List.of("none", "coordinated", "puts", "ml", "full")) {
            for (String path : List.of("auto", "network")) {
                Simulation simulation = new Simulation().program(program).steps(STEPS).protocol(protocol).path(path);
                SimReport report = simulation.checksums(protocol.equals("none") ? 0 : 1).schedules(4);
                assertTrue(report.clean() && report.rollbacks() == 0, report::toString);
            }
        }
    }

    /**
     * One loss: the others run on, whatever it was in, but for those before the first checkpoint. No reason is about
     * accesses.
     */
    @ParameterizedTest
    @MethodSource("programs")
    void oneCrashAtEveryPointOfEveryMemberTakesThatOneBackAlone(String program) {
        int stride = stride(program, 13);
        for (String path : List.of("auto", "network")) {
            Simulation simulation = full(program, "none").path(path);
            Map<String, Integer> reasons = new TreeMap<>();
            SimMemory memory = new SimMemory();
            SimResult base = simulation.run(1, List.of(), memory);
            assertTrue(base.succeeded(), base::story);
            int local = 0;
            for (int rank = 0; rank < simulation.ranks(); rank++) {
                for (long point = 1 + rank % stride; point <= base.memberPoints()[rank]; point += stride) {
                    List<Crash> crash = List.of(new Crash(true, rank, point, Crash.How.AFTER));
                    SimResult result = simulation.run(1, crash, memory);
                    assertTrue(result.fault(base.contents()) == null,
                        () -> simulation.command(1, crash) + "\n" + result.story());
                    local += result.outcome().rollbacks() == 0 ? result.outcome().localRecoveries() : 0;
                    result.outcome().fallbacks().keySet().forEach(one -> reasons.merge(one, 1, Integer::sum));
                }
            }
            reasons.remove(FallbackReason.BEFORE_FIRST_CHECKPOINT.name());
            reasons.remove(FallbackReason.WHILE_RESTORING.name());
            assertEquals(Map.of(), reasons, program + ": " + local + " local recoveries");
            assertTrue(local > 10, program + ": " + local + " local recoveries");
        }
    }

    @ParameterizedTest
    @MethodSource("programs")
    void killsAtAnyMomentLeaveTheResultAsItIs(String program) {
        check(full(program, "2").seed(7).kills(stride(program, 113)));
        check(full(program, "2").seed(8).hosts(3).checksums(3).kills(stride(program, 499)));
    }

    @ParameterizedTest
    @CsvSource({"signalpipe", "signalrelay", "signalinturn", "signalwithlocks"})
    void twoLossesLeaveTheResultAsItIsOrEndClearly(String program) {
        SimReport report = full(program, "2").seed(40).pairs(60);
        System.out.println(report.summary());
        assertTrue(report.clean(), report::toString);
    }

    /** What came before a signal is not there when the program goes on: the data that it reads directly is old. */
    @Test
    void aReplayedWaitThatOrdersNothingIsFound() {
        for (String program : List.of("signalpipe", "signalrelay")) {
            SimReport report = full(program, "none").faults(Set.of("SIGNAL_ORDER_IGNORED")).until(1)
                .singles(7);
            assertTrue(report.failed() > 0, report::summary);
        }
    }

    /**
     * The owner of a flag sets it back when it was seen. Its sender dies before its log has the signal: that the flag
     * is as it was before would mean that there was no signal.
     */
    @Test
    void aWaitThatReturnsBeforeTheSignalIsOverIsFound() {
        SimReport report = full("signalreset", "none").steps(2).faults(Set.of("SIGNAL_NOT_OVER")).until(1)
            .singles(1);
        assertTrue(report.failed() > 0, report::summary);
    }

    /** The message of the deadline names the cell, what is there, and what was waited for. */
    @Test
    void aWaitInVainNamesWhatItWaitedFor() {
        SimProgram program = new SimProgram() {
            @Override
            public String name() {
                return "in vain";
            }

            @Override
            public void run(Job job, Results results) {
                Window window = job.allocateWindow("cells", 64);
                for (long step : job.steps(1)) {
                    window.signal(AtomicOp.SUM, 3 * step, (job.rank() + 1) % job.ranks(), 8);
                    window.waitUntil(8, Comparison.EQ, 3);
                    if (job.rank() == 1) {
                        window.waitUntil(8, Comparison.GE, 4);
                    }
                    job.gsync();
                }
            }
        };
        for (String protocol : List.of("coordinated", "full")) {
            SimResult result = new Simulation().program(program).protocol(protocol).run(1, List.of(), new SimMemory());
            String message = result.outcome().message();
            assertTrue(message.contains("waitUntil(offset=8, GE, 4) in window=cells, where 3 is"), message);
            assertTrue(message.contains("--deadline"), message);
        }
    }

    @Test
    void programsAreFoundByTheirNames() {
        programs().forEach(name -> assertEquals(name, Programs.byName(name, 3).name()));
    }
}
