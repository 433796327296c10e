package org.ftrma.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.ftrma.launch.programs.BeforeSteps;
import org.ftrma.launch.programs.BulkFill;
import org.ftrma.launch.programs.Idle;
import org.ftrma.launch.programs.Killed;
import org.ftrma.launch.programs.Ring;
import org.ftrma.launch.programs.Unlike;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Jobs of real processes, and how each of them ends. */
class JobEndsTest {
    private static Command ring(String options, String arguments) {
        return Command.line("run --ranks 2 --json --timeout 60s " + options + " -- " + Ring.class.getName() + " "
            + arguments);
    }

    @SuppressWarnings("unchecked")
    private static List<Map<String, Object>> failures(Command command) {
        return (List<Map<String, Object>>) command.json().get("failures");
    }

    @Test
    void successTellsEverythingInJson() {
        Command command = ring("--prefix --verbose", "30").exits(0);
        Map<String, Object> json = command.json();
        for (String key : List.of("app", "class", "ranks", "checksums", "protocol", "verified", "mops", "seconds",
            "checkpoints",
            "rollbacks",
            "localRecoveries", "failures", "ucx", "path", "spares", "interval", "generation", "checkpointMillis")) {
            assertTrue(json.containsKey(key), key);
        }
        assertEquals(Ring.class.getName(), json.get("app"));
        assertEquals(true, json.get("verified"));
        assertEquals("none", json.get("protocol"));
        assertEquals(30, ((Number) json.get("iterations")).intValue());
        assertTrue(json.get("ucx").toString().contains("mapped"), json.toString());
        assertTrue(command.out().contains("[rank 0] ring of 2 begins\n"), command.out());
        command.tells("process 0 plays rank 0").tells("UCX 1.").tells("path auto");
    }

    @Test
    void killedRankIsRolledBackAndTheResultIsRight() {
        Command command = ring("--checksums 1 --spares 1 --interval 5 --kill 1@13 --path network", "40").exits(0);
        assertEquals(true, command.json().get("verified"));
        assertEquals(1, command.json().get("rollbacks"));
        Map<String, Object> failure = failures(command).getFirst();
        assertEquals(1, failures(command).size());
        assertEquals(1, failure.get("rank"));
        assertEquals(13, failure.get("step"));
        assertEquals("rollback", failure.get("how"));
        assertEquals("killed by SIGKILL", failure.get("cause"));
        assertTrue(((Number) failure.get("recoverMillis")).doubleValue() > 0);
        assertTrue(((Number) command.json().get("checkpoints")).intValue() >= 5);
        assertTrue(command.json().get("ucx").toString().contains("network"), command.json().toString());
    }

    @Test
    void aLoggedJobTellsWhatEachRankLogged() {
        Command command = ring("--checksums 1 --protocol full", "40").exits(0);
        List<?> log = (List<?>) command.json().get("log");
        assertEquals(2, log.size());
        for (int rank = 0; rank < 2; rank++) {
            Map<?, ?> one = (Map<?, ?>) log.get(rank);
            assertEquals(rank, one.get("rank"));
            assertTrue(((Number) one.get("records")).longValue() >= 40, one.toString());
            assertTrue(((Number) one.get("peakBytes")).longValue() >= ((Number) one.get("putBytes")).longValue(),
                one.toString());
            assertEquals(0, one.get("dropped"));
        }
        assertEquals(List.of(), ring("", "40").exits(0).json().get("log"));
    }

    @Test
    void killDuringInitializationAndOfTheChecksumRankAreSurvived() {
        // The third one waits until the parity is rebuilt, so that the job cannot end before.
        Command command = ring("--checksums 1 --spares 1 --interval 5 --kill 0@0 --kill checksum0@12 --kill 1@17", "60")
            .exits(0);
        assertEquals(true, command.json().get("verified"));
        assertEquals(List.of(0, 2, 1), failures(command).stream().map(failure -> failure.get("rank")).toList());
        assertEquals(List.of(0, 12, 17), failures(command).stream().map(failure -> failure.get("step")).toList());
        assertEquals(List.of("rollback", "parity rebuilt", "rollback"),
            failures(command).stream().map(failure -> failure.get("how")).toList());
        assertEquals(List.of("computing", "checksum", "computing"),
            failures(command).stream().map(failure -> failure.get("role")).toList());
        assertEquals(2, command.json().get("rollbacks"));
    }

    @Test
    void stoppedRankIsFencedAndReplaced() {
        Command command = ring("--checksums 1 --interval 5 --heartbeat-timeout 700ms --stop 1@7", "30").exits(0);
        assertEquals(true, command.json().get("verified"));
        Map<String, Object> failure = failures(command).getFirst();
        assertTrue(failure.get("cause").toString().contains("silent"), failure.toString());
        double millis = ((Number) failure.get("detectMillis")).doubleValue();
        assertTrue(millis > 400 && millis < 30_000, failure.toString());
    }

    /**
     * One operation takes longer than the timeout, and the process sends no heartbeats meanwhile. Before others: where
     * they keep it from the processor for so long it is hung as far as anybody can tell, and that is another matter.
     */
    @Test
    void aProcessWhoseThreadsWaitForOneLongOperationLives() throws IOException {
        try (LauncherProcess launcher = new LauncherProcess(List.of("nice", "-n", "-20"), "run", "--ranks", "1",
            "--heartbeat-timeout", "150ms", "--timeout", "55s", "--json", "--", BulkFill.class.getName(), "1500")) {
            launcher.awaitLine("\"exitCode\"");
            assertEquals(0, launcher.awaitExit(), () -> String.join("\n", launcher.lines()));
            Map<String, Object> json = JSON.std.mapFrom(launcher.lines().stream().filter(line -> line.startsWith("{"))
                .findFirst().orElseThrow());
            assertEquals(true, json.get("verified"));
            double longest = ((Number) ((Map<?, ?>) json.get("reports")).get("longestMillis")).doubleValue();
            assertTrue(longest > 150, () -> "an operation took no longer than " + longest
                + " ms: the test shows nothing");
        }
    }

    @Test
    void stoppedChecksumRankIsFencedAndItsParityRebuilt() {
        // The kill waits until the parity is rebuilt: only then can the lost rank come back.
        Command command =
            ring("--checksums 1 --spares 1 --interval 5 --heartbeat-timeout 700ms --stop checksum0@2 --kill 1@17", "60")
            .exits(0);
        assertEquals(true, command.json().get("verified"));
        assertEquals(List.of(2, 1), failures(command).stream().map(failure -> failure.get("rank")).toList());
        Map<String, Object> failure = failures(command).getFirst();
        assertEquals("checksum", failure.get("role"));
        // Nobody waits for it, so that rank 0 has gone on when it is noticed.
        assertTrue(((Number) failure.get("step")).intValue() >= 2, failure.toString());
        assertEquals("parity rebuilt", failure.get("how"));
        assertTrue(failure.get("cause").toString().contains("silent"), failure.toString());
        assertTrue(((Number) failure.get("detectMillis")).doubleValue() > 400, failure.toString());
        assertEquals(1, command.json().get("rollbacks"));
    }

    /** Its heartbeats are not what it is judged by here: the parities of two checkpoints are not made in time. */
    @Test
    void checksumRankThatDoesNothingCostsTwoCheckpointsAndIsReplaced() {
        Command command =
            ring("--checksums 1 --spares 1 --interval 5 --cut-deadline 400ms --heartbeat-timeout 10m --deadline 20s"
            + " --stop checksum0@2 --kill 1@17", "60").exits(0);
        assertEquals(true, command.json().get("verified"));
        assertEquals(List.of(2, 1), failures(command).stream().map(failure -> failure.get("rank")).toList());
        Map<String, Object> failure = failures(command).getFirst();
        assertEquals("parity rebuilt", failure.get("how"));
        assertTrue(failure.get("cause").toString().contains("is not complete at checksum ranks {0}"),
            failure.toString());
        assertTrue(((Number) command.json().get("abandoned")).intValue() >= 2, command.json().toString());
        assertEquals(1, command.json().get("rollbacks"));
    }

    @Test
    void aJobThatDoesNotFitIsRefusedWithTheFigures() {
        Command little =
            ring("--checksums 1 --spares 1 --protocol full --log-budget 64MiB --jvm-arg -Dftrma.memory.limit=100000000",
            "10").exits(4);
        little.tells("memory that the job needs does not fit: the job needs 12")
            .tells(" MiB of memory and 95.4 MiB are available")
            .tells("a smaller --log-budget, fewer --spares").tells("access logs, at most ").tells("  spare\n");
        assertEquals("unfit", little.json().get("outcome"));
        assertEquals(4, little.json().get("exitCode"));
        assertFalse(little.err().contains("memory: requested="), "no allocation was refused: " + little.err());
        Command large =
            ring("--checksums 1 --protocol full --log-budget 16MiB --jvm-arg -Dftrma.memory.limit=100000000", "10")
            .exits(0);
        large.tells("ftrma: memory that the job needs:\nmemory                      computing rank   checksum rank\n")
            .tells("access logs, at most   ");
        assertEquals(true, large.json().get("verified"));
    }

    @Test
    void twoOfOneGroupAtOnceAreCatastrophic() {
        Command command = ring("--checksums 1 --interval 5 --kill 0+1@7", "1000").exits(3);
        assertEquals("catastrophic", command.json().get("outcome"));
        assertEquals(false, command.json().get("verified"));
        int done = ((Number) command.json().get("iterations")).intValue();
        assertTrue(done >= 5 && done <= 7, done + " steps done, killed in step 7");
        assertTrue(command.err().contains("group 0") && command.err().contains("rank 0")
            && command.err().contains("rank 1"),
            command.err());
    }

    @Test
    void withoutProtectionALossIsCatastrophicAndTheRemedyIsNamed() {
        ring("--kill 1@3", "1000").exits(3).tells("--checksums");
    }

    @Test
    void chaosIsSurvivedOneKillAfterTheOther() {
        Command command = ring("--checksums 1 --spares 1 --chaos 4 --seed 3", "400").exits(0).tells("--interval 10");
        assertEquals(true, command.json().get("verified"));
        assertEquals(4, failures(command).size());
        assertEquals(4, command.json().get("faultsInjected"));
        assertFalse(failures(command).toString().contains("not recovered"), failures(command).toString());
    }

    @Test
    void fftSurvivesAKillAndVerifies() {
        Command command =
            Command.line("fft --class S --ranks 4 --checksums 1 --spares 1 --interval 2 --warm-up 0 --kill 2@4 --json")
            .exits(0);
        assertEquals(true, command.json().get("verified"));
        assertEquals("S", command.json().get("class"));
        assertEquals(1, command.json().get("rollbacks"));
        assertEquals(4, failures(command).getFirst().get("step"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"stencil", "locks", "atomics"})
    void samplesSurviveKillsAndVerify(String sample) {
        String line = "sample " + sample + " --ranks 3 --steps 30 --json --timeout 60s";
        Command undisturbed = Command.line(line).exits(0);
        Command killed = Command.line(line + " --checksums 1 --spares 1 --interval 4 --kill 1@7 --kill 0@21").exits(0);
        assertEquals(true, undisturbed.json().get("verified"));
        assertEquals(true, killed.json().get("verified"));
        assertEquals(sample, killed.json().get("app"));
        assertEquals(2, killed.json().get("rollbacks"));
        assertEquals(digest(undisturbed), digest(killed));
    }

    private static Object digest(Command command) {
        Object digest = ((Map<?, ?>) command.json().get("reports")).get("checksumDigest");
        assertEquals(16, digest.toString().length());
        return digest;
    }

    @ParameterizedTest
    @ValueSource(strings = {"sample stencil --steps 10", "sample locks --steps 4",
        "sample atomics --steps 4 --path network",
        "fft --class S --warm-up 0 --grid 2x1"})
    void restartableProgramsPassTheCheckOfThat(String line) {
        Command plain = Command.line(line + " --ranks 2 --json --timeout 60s").exits(0);
        Command checked = Command.line(line + " --ranks 2 --verify-restart --json --timeout 60s").exits(0);
        assertEquals(true, checked.json().get("verified"));
        assertEquals(digest(plain), digest(checked));
    }

    @Test
    void programThatKeepsStateInAVariableIsFoundWithoutAnyFailure() {
        ring("", "10 forget").exits(0);
        ring("--verify-restart", "10 forget").exits(1).tells("--verify-restart: step 2 of rank ")
            .tells("putLong window cells target ")
            .tells("bytes 16 to 23 with other data than the first time");
        ring("--verify-restart", "10").exits(0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"sample stencil --steps 10", "sample locks --steps 4 --checksums 1 --protocol full",
        "sample atomics --steps 4",
        "fft --class S --warm-up 0 --checksums 1 --protocol coordinated --interval 2"})
    void programsWithoutRacesPassTheCheckOfThat(String line) {
        Command plain = Command.line(line + " --ranks 2 --json --timeout 60s").exits(0);
        Command checked = Command.line(line + " --ranks 2 --check-races --json --timeout 60s").exits(0);
        assertEquals(true, checked.json().get("verified"));
        assertEquals(digest(plain), digest(checked));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "--path network"})
    void accessesCanBeLoggedAtTheChecksumRank(String path) {
        String line = "fft --class S --iterations 4 --warm-up 0 --ranks 2 --checksums 1 --json --timeout 60s ";
        Command plain = Command.line(line + "--protocol none").exits(0);
        Command logged = Command.line(line + "--protocol ml --kill 1@3 --interval 2 --log-budget 64MiB " + path)
            .exits(0);
        assertEquals(digest(plain), digest(logged));
        assertEquals("ml", logged.json().get("protocol"));
        assertEquals(1, logged.json().get("rollbacks"));
        // Each of the 5 exchanges of half of 64 x 64 x 64 complex numbers puts half of that to the other rank.
        long bytes = ((Number) ((Map<?, ?>) logged.json().get("reports")).get("messageLogBytes")).longValue();
        assertTrue(bytes > 5 * 64 * 64 * 64 * 16 / 4, "logged " + bytes + " bytes");
    }

    @Test
    void programThatRacesIsFoundByTheCheckAlone() {
        ring("--check-races", "10").exits(0);
        ring("--check-races", "10 race").exits(1).tells("--check-races: rank ").tells("window cells bytes 0 to 7: ")
            .tells("put by rank ").tells("getLong by rank ").tells("in step 1 (EC 2, GC 1, SC 0, GNC 1)");
    }

    @ParameterizedTest
    @ValueSource(strings = {"put", "counter", "lock", "reduce", "gsync"})
    void whatIsDoneBetweenAllocationAndLoopOutsideOfInitializeIsRefused(String what) {
        String program = " --json --timeout 60s -- " + BeforeSteps.class.getName() + " ";
        Command command = Command.line("run --ranks 3 --checksums 1 --interval 4 --protocol full --kill 1@10" + program
            + what).exits(1);
        command.tells("org.ftrma.MisuseException: ").tells(" before the first step, outside of initialize")
            .tells("job.initialize()");
        assertEquals("failed", command.json().get("outcome"));
        Command.line("run --ranks 2" + program + what).exits(1).tells("before the first step, outside of initialize");
    }

    /** Long before the deadline, which is as long as the job may take. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"collective | rank 1 calls barrier | calls gsync",
        "type | allReduce SUM FLOAT64 of 8 | allReduce SUM INT64 of 8",
        "window | rank 1 | window w bytes=64", "more | window more bytes=64 | the loop over 5 steps",
        "steps | the loop over 6 steps | the loop over 5 steps",
        "leave | rank 1 has finished: its program returned after step 3 | waits for it in gsync",
        "lock | rank 1 failed | exclusive lock held",
        "thread | helper | only the thread that entered the program may"})
    void aRankThatDoesSomethingElseThanTheOthersIsFoundAtOnce(String what, String first, String second) {
        for (String options : List.of("", "--path network", "--checksums 1 --protocol full --interval 2")) {
            Command.line("run --ranks 3 --deadline 100s --timeout 90s --json " + options + " -- "
                + Unlike.class.getName() + " " + what).exits(1)
                .tells("org.ftrma.MisuseException: ").tells(first).tells(second);
        }
    }

    @Test
    void whatIsDoneInsideOfInitializeSurvivesAKill() {
        Command command =
            Command.line("run --ranks 3 --checksums 1 --interval 4 --protocol full --kill 1@10 --json --timeout 60s -- "
            + BeforeSteps.class.getName() + " initialize").exits(0);
        assertEquals(1020L, ((Number) ((Map<?, ?>) command.json().get("reports")).get("value")).longValue());
    }

    @Test
    void chaosComparesASampleWithAFailureFreeRunOfTheSameLength() {
        Command command =
            Command.line("sample locks --ranks 2 --checksums 1 --spares 1 --chaos 2 --seed 3 --timeout 60s --json")
            .exits(0);
        command.tells("--steps 80").tells("--interval 10").tells("running the same once more without failures");
        assertEquals(80, ((Number) command.json().get("iterations")).intValue());
        assertEquals(true, command.json().get("sameAsFailureFree"));
        assertEquals(2, failures(command).size());
    }

    @Test
    void fftPrintsTheChecksumOfEachTimeStep() {
        Command command = Command.line("fft --class S --ranks 2 --warm-up 0 --print-checksums").exits(0);
        assertEquals(6, command.out().lines().filter(line -> line.matches("T = +[1-6] +Checksum = .*")).count(),
            command.out());
        assertTrue(command.out().contains("checksumDigest = "), "what the program reports is told: " + command.out());
    }

    @Test
    void chaosComparesTheFftWithAFailureFreeRunOfTheSameLength() {
        Command command =
            Command.line("fft --class S --ranks 2 --checksums 1 --spares 1 --warm-up 0 --chaos 2 --seed 7 --json")
            .exits(0);
        command.tells("--iterations 80").tells("--seed 7").tells("running the same once more without failures");
        assertEquals(80, ((Number) command.json().get("iterations")).intValue());
        assertEquals(true, command.json().get("sameAsFailureFree"));
        assertEquals(2, failures(command).size());
    }

    @Test
    void faultThatDidNotHappenIsAnError() {
        Command command = ring("--checksums 1 --kill 1@99", "10").exits(1).tells("fault not injected")
            .tells("step 99 was never reached");
        assertEquals("failed", command.json().get("outcome"));
        assertEquals(1, command.json().get("exitCode"));
    }

    @Test
    void programThatThrowsFailsTheJob() {
        Command command = ring("", "10 throw@4").exits(1).tells("thrown on purpose in step 4");
        assertEquals("failed", command.json().get("outcome"));
        Map<?, ?> ucx = (Map<?, ?>) command.json().get("ucx");
        assertTrue(ucx.get("version").toString().startsWith("1."), ucx.toString());
        assertEquals("sysv", ucx.get("transports"));
        assertEquals("mapped", ucx.get("path"));
    }

    @Test
    void programThatDiesAtTheSamePlaceAgainAndAgainIsGivenUp() {
        ring("--checksums 1 --spares 1 --interval 2", "10 halt@4").exits(1).tells("ranks died in a row")
            .tells("exited with status 9");
    }

    /** A machine, or a person, that takes processes away is no program that dies of itself. */
    @Test
    void moreLossesFromOutsideAtOnePlaceThanAProgramMayDieThereAreSurvived(@TempDir Path place) throws IOException {
        Command command = Command.line("run --ranks 2 --checksums 1 --spares 1 --interval 2 --json --timeout 120s -- "
            + Killed.class.getName() + " 10 4 6 " + place).exits(0);
        assertEquals(true, command.json().get("verified"));
        assertEquals(6, failures(command).size());
        assertEquals(6, command.json().get("rollbacks"));
        failures(command).forEach(failure -> assertEquals("killed by SIGKILL", failure.get("cause")));
    }

    @Test
    void programThatNeverJoinsTheJobIsAnError() {
        Command.line("run --ranks 2 --timeout 60s -- " + Idle.class.getName() + " --checksums 1").exits(1)
            .tells("without having called Ftrma.run")
            .tells("ftrma: --checksums comes after " + Idle.class.getName() + ", so it is the program's");
    }

    @Test
    void missingMainClassIsAnError() {
        Command.line("run --ranks 2 --timeout 60s -- org.example.Missing").exits(1)
            .tells("no class org.example.Missing");
        Command.line("run --ranks 1 --timeout 60s --class-path . -- org.example.Missing").exits(1)
            .tells("no class org.example.Missing in --class-path=.");
    }

    @Test
    void processesThatCannotStartEndTheJobInsteadOfALoop() {
        Command command = ring("--checksums 1 --jvm-arg -XX:NoSuchFlagAtAll", "10").exits(1);
        command.tells("ended before they had joined").tells("NoSuchFlagAtAll");
        assertTrue(((Number) command.json().get("processes")).intValue() < 9, command.out());
        Map<?, ?> ucx = (Map<?, ?>) command.json().get("ucx");
        assertEquals(Set.of("version", "transports", "path"), ucx.keySet());
        assertEquals(null, ucx.get("version"));
    }

    @Test
    void jobThatTakesTooLongIsEnded() {
        Command.line("run --ranks 2 --timeout 3s -- " + Ring.class.getName() + " 1000000000").exits(1)
            .tells("--timeout");
    }
}
