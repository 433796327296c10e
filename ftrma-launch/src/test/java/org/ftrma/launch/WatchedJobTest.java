package org.ftrma.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.ftrma.launch.programs.Ring;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real jobs, looked into from outside: one with a kill, and one whose launcher is killed. */
class WatchedJobTest {
    @TempDir
    private Path jobs;

    private Command command(String words) {
        return Command.line(words + " --job-dir " + jobs).exits(0);
    }

    private static Map<String, Object> of(List<Map<String, Object>> events, String kind) {
        return events.stream().filter(event -> event.get("event").equals(kind)).findFirst().orElseThrow();
    }

    private static Map<String, Object> parse(String line) {
        try {
            return JSON.std.mapFrom(line);
        } catch (IOException e) {
            throw new AssertionError(line, e);
        }
    }

    private static double seconds(Map<String, Object> event) {
        return 1e-6 * ((Number) event.get("jobClockMicros")).longValue();
    }

    /** The numbers of a member in what stat tells. */
    private static Map<?, ?> counters(Map<String, Object> stat, int member) {
        return (Map<?, ?>) ((Map<?, ?>) ((List<?>) stat.get("members")).get(member)).get("counters");
    }

    @Test
    void aJobWithAKillIsToldAsItsResultTellsIt() throws IOException {
        Map<String, Object> result = command("sample stencil --size 64x64 --steps 12 --ranks 2 --checksums 1 "
            + "--spares 1 --protocol full --interval 3 --kill 1@7 --json").json();
        Map<?, ?> failure = (Map<?, ?>) ((List<?>) result.get("failures")).getFirst();
        List<Map<String, Object>> events = command("events --json").out().lines().map(WatchedJobTest::parse).toList();
        Map<String, Object> lost = of(events, "lost");
        assertEquals(List.of(failure.get("rank"), failure.get("step"), failure.get("cause")),
            List.of(lost.get("member"), lost.get("step"), lost.get("text")));
        Map<String, Object> back = of(events, "recovered");
        assertEquals(failure.get("how"), back.get("text"));
        assertEquals(((Number) failure.get("recoverMillis")).doubleValue(), 1e3 * (seconds(back) - seconds(lost)),
            0.01);
        Map<String, Object> replayed = of(events, "replayed");
        assertEquals(((Number) failure.get("replayMillis")).doubleValue(),
            1e-6 * ((Number) replayed.get("replayNanos")).doubleValue(), 0.001);
        assertEquals(failure.get("stepsRepeated"), replayed.get("stepsRepeated"));
        assertEquals(result.get("checkpoints"), (int) events.stream().filter(event -> event.get("event").equals("cut"))
            .count());
        assertEquals(result.get("exitCode"), of(events, "ended").get("exitCode"));

        Map<String, Object> stat = command("stat --once --json").json();
        assertEquals(List.of("ended", "success", 1, 1, result.get("generation")), List.of(stat.get("state"),
            stat.get("outcome"), stat.get("losses"), stat.get("recoveries"), stat.get("generation")));
        for (Object one : (List<?>) result.get("log")) {
            Map<?, ?> log = (Map<?, ?>) one;
            Map<?, ?> counters = counters(stat, (Integer) log.get("rank"));
            assertEquals(List.of(log.get("putBytes"), log.get("getBytes"), log.get("records"), log.get("peakBytes"),
                12),
                List.of(counters.get("putLogBytes"), counters.get("getLogBytes"), counters.get("accesses"),
                    counters.get("peakLogBytes"), counters.get("step")));
        }
        assertEquals(replayed.get("replayNanos"), counters(stat, 1).get("recoveryReplay"));

        String why = command("why").out();
        assertTrue(why.lines().count() <= 10, why);
        assertTrue(why.contains("rank 1 was lost in step " + failure.get("step")) && why.contains("killed by SIGKILL")
            && why.contains("ms after the loss (replay)") && why.contains("the job ended: success"), why);
        assertEquals(why, command("why " + stat.get("job")).out());
        assertTrue(command("jobs").out().contains(stat.get("job") + "  "));
        Command.line("why 1 --job-dir " + jobs).exits(1).tells("there is no job 1 in " + jobs);
        Command.line("why nonsense --job-dir " + jobs).exits(2);
        Command.line("stat 1 2 --job-dir " + jobs).exits(2);
    }

    @Test
    void aJobWhoseLauncherIsKilledIsStillKnown() throws IOException {
        try (LauncherProcess launcher = new LauncherProcess("run", "--job-dir", jobs.toString(), "--ranks", "2",
            "--checksums", "1", "--spares", "1", "--", Ring.class.getName(), "1000000000")) {
            launcher.awaitLine("ring of 2 begins");
            launcher.takeStock();
            long[] step = {0};
            launcher.await("steps that counters tell", () -> {
                Map<String, Object> stat = command("stat " + launcher.pid() + " --once --json").json();
                assertEquals("running", stat.get("state"));
                Map<?, ?> counters = counters(stat, 0);
                step[0] = counters == null ? 0 : ((Number) counters.get("step")).longValue();
                return step[0] > 2 && ((Number) counters.get("heartbeat")).longValue() > 0;
            });
            launcher.signal("KILL", launcher.pid());
            launcher.awaitExit();
            launcher.assertNothingLeft();
            Map<String, Object> stat = command("stat --json").json();
            assertEquals(List.of("abandoned", "launcher gone"), List.of(stat.get("state"), stat.get("outcome")));
            assertTrue(((Number) counters(stat, 0).get("step")).longValue() >= step[0], stat::toString);
            String why = command("why " + launcher.pid()).out();
            assertTrue(why.contains("the launcher, process " + launcher.pid() + " on ") && why.contains("is gone and "
                + "has told no result"), why);
            assertTrue(command("jobs").out().contains("launcher gone"));
            assertFalse(Files.exists(jobs.resolve(stat.get("job") + "/live")));
        }
    }

    /** The next one removes what it has left, keeps what it counted, and says so; a job that runs keeps its places. */
    @Test
    void aJobOfWhichEveryProcessIsKilledLeavesNothingForLong() throws IOException {
        String[] ring = {"run", "--job-dir", jobs.toString(), "--ranks", "2", "--checksums", "1", "--", Ring.class
            .getName(), "1000000000"};
        try (LauncherProcess killed = new LauncherProcess(ring); LauncherProcess other = new LauncherProcess(ring)) {
            for (LauncherProcess one : List.of(killed, other)) {
                one.awaitLine("ring of 2 begins");
                one.takeStock();
            }
            killed.killAll();
            List<Path> left = killed.places();
            assertEquals(2, left.size(), left::toString);
            Map<String, Object> result = command("sample stencil --size 64x64 --steps 3 --ranks 2 --protocol none "
                + "--json").json();
            assertEquals("success", result.get("outcome"));
            killed.assertNothingLeft();
            assertEquals(2, other.places().size());
            Object next = JSON.std.listFrom(command("jobs --json").out()).stream().map(job -> (Map<?, ?>) job)
                .filter(job -> job.get("outcome").equals("success")).findFirst().orElseThrow().get("job");
            String note = (String) of(command("events " + next + " --json").out().lines().map(WatchedJobTest::parse)
                .toList(), "note").get("text");
            assertTrue(note.startsWith("removed directories of jobs whose processes were all killed: ")
                && left.stream().allMatch(place -> note.contains(place.toString())), note);
            Map<String, Object> stat = command("stat " + killed.pid() + " --once --json").json();
            assertEquals("launcher gone", stat.get("outcome"));
            assertTrue(((Number) counters(stat, 0).get("step")).longValue() > 0, stat::toString);
            other.signal("INT", other.pid());
            assertEquals(130, other.awaitExit());
            other.assertNothingLeft();
        }
    }
}
