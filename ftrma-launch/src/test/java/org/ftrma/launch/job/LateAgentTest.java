package org.ftrma.launch.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.ftrma.core.coordinator.JobOutcome;
import org.ftrma.launch.agent.LocalAgent;
import org.ftrma.launch.inject.FaultPlan;
import org.ftrma.launch.inject.InjectedFailure;
import org.ftrma.launch.inject.InjectedFailure.Action;
import org.ftrma.launch.programs.Ring;
import org.ftrma.launch.record.JobResult;
import org.ftrma.options.JobOptions;
import org.ftrma.rank.control.MachineClock;
import org.ftrma.rank.control.RankCheck;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Jobs of real processes whose host hears and answers late, as one behind a network would. */
@Tag("long")
class LateAgentTest {
    private static final long DELAY_NANOS = 150_000_000L;
    private static final long TIMEOUT_NANOS = 120_000_000_000L;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private JobResult run(Map<String, String> given, List<InjectedFailure> failures, Class<?> program,
        String... arguments) {
        JobOptions options = JobOptions.of(given);
        JobRequest request = new JobRequest(options, program.getName(), List.of(arguments),
            System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")), "", RankCheck.NONE,
            List.of(), null, true, TIMEOUT_NANOS);
        return new JobHost(request, new FaultPlan(failures, 0, 1),
            new PrintStream(out, true, StandardCharsets.UTF_8), new PrintStream(err, true, StandardCharsets.UTF_8),
            new LateAgent(new LocalAgent(MachineClock.HERE), DELAY_NANOS), MachineClock.HERE).run();
    }

    private static InjectedFailure failure(Action action, String text, Map<String, String> given) {
        return InjectedFailure.parse(action, text, JobOptions.of(given));
    }

    private String text() {
        return out + "\n" + err;
    }

    private void assertVerified(JobResult result) {
        assertEquals(JobOutcome.Kind.SUCCESS, result.outcome().kind(), () -> result.outcome() + "\n" + text());
        assertTrue(result.outcome().reports().toString().contains("verified=true"), () ->
            result.outcome().reports().toString());
    }

    /** It is hit in its last step: went it on while the signal is under way, the job would end before. */
    @Test
    void aKilledRankIsReplacedAndTheResultIsRight() {
        Map<String, String> given = Map.of("ranks", "2", "checksums", "1", "spares", "1", "protocol", "full",
            "interval", "5");
        JobResult result = run(given, List.of(failure(Action.KILL, "1@40", given)), Ring.class, "40");
        assertVerified(result);
        assertEquals(1, result.faults());
        // Its connection has ended long before its host tells of its death.
        String cause = result.record().failures().getFirst().cause();
        assertTrue(Set.of("killed by SIGKILL", "lost its control connection, then killed").contains(cause), cause);
        assertEquals(5, result.record().processes(), "two ranks, a checksum rank, a spare, and one in place of it");
        assertTrue(out.toString().contains("[rank 0] ring of 2 begins"), this::text);
    }

    @Test
    void aStoppedRankIsFencedAndReplaced() {
        Map<String, String> given = Map.of("ranks", "2", "checksums", "1", "protocol", "coordinated", "interval", "5",
            "heartbeat-timeout", "1500ms");
        JobResult result = run(given, List.of(failure(Action.STOP, "1@7", given)), Ring.class, "30");
        assertVerified(result);
        assertEquals("silent for more than 1500 ms (it was stopped), then killed",
            result.record().failures().getFirst().cause());
    }

    @Test
    void theStatusOfAProgramThatEndsItselfIsTold() {
        JobResult result = run(Map.of("ranks", "2"), List.of(), Ring.class, "40", "halt@3");
        assertEquals(JobOutcome.Kind.CATASTROPHIC, result.outcome().kind(), () -> result.outcome() + "\n" + text());
        assertTrue(result.outcome().message().contains("exited with status 9"), result.outcome()::toString);
        assertFalse(result.interrupted());
    }
}
