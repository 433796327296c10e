package org.ftrma.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.ftrma.testkit.hosts.NamespacedHosts;
import org.ftrma.testkit.hosts.SlurmHosts;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Jobs in allocations of a real Slurm, of which a node fails. Part of {@code ./ftrma test --slurm} only. */
@Tag("slurm")
@Timeout(300)
class SlurmTest {
    private static final int NODES = 4;
    private static final Path SCRIPT = DocumentationTest.ROOT.resolve("docs/batch/slurm.sh");
    /** As long as it takes to hurt them. */
    private static final String LONG = " --warm-up 0 --interval 5 --verbose --json --iterations ";

    @TempDir
    private static Path directory;
    private static NamespacedHosts hosts;
    private static SlurmHosts slurm;

    @BeforeEach
    void makeSlurm() throws IOException {
        assumeTrue(SlurmHosts.whyNot().isEmpty(), SlurmHosts::whyNot);
        if (hosts == null) {
            hosts = NamespacedHosts.of(NODES);
            slurm = new SlurmHosts(hosts);
        }
        HostsJob.ftrma(directory); // by the name that scripts have for it
    }

    @AfterAll
    static void closeHosts() {
        if (hosts != null) {
            hosts.close();
        }
    }

    /** A batch job of Slurm, and what it prints to a file. */
    private static final class Batch {
        private static final Pattern STATE = Pattern.compile("JobState=(\\w+).*ExitCode=(\\d+):(\\d+)", Pattern.DOTALL);
        private final String id;
        private final Path out;

        /** @param words options of sbatch, the script, and what that is given */
        Batch(String words) {
            List<String> command = new ArrayList<>(List.of("env", "--chdir=" + directory, "sbatch", "--parsable",
                "--output=" + directory + "/%j.out"));
            command.addAll(List.of(words.split(" +")));
            id = slurm.output(NamespacedHosts.LOGIN, command.toArray(String[]::new)).strip();
            assertTrue(id.matches("[0-9]+"), id);
            out = directory.resolve(id + ".out");
        }

        String text() {
            try {
                return Files.exists(out) ? Files.readString(out) : "(no output of job " + id + ")";
            } catch (IOException e) {
                return e.toString();
            }
        }

        /** What Slurm says of it: state, exit code, signal. */
        private String state() {
            Matcher state = STATE.matcher(slurm.output(NamespacedHosts.LOGIN, "scontrol", "show", "job", id));
            return state.find() ? state.group(1) + " " + state.group(2) + " " + state.group(3) : "?";
        }

        private boolean isOver() {
            return !state().matches("(PENDING|CONFIGURING|RUNNING|SUSPENDED|COMPLETING|\\?).*");
        }

        /** Does something to it: a command of Slurm that prints nothing, and gets the job's number. */
        Batch does(String... command) {
            List<String> words = new ArrayList<>(List.of(command));
            words.add(id);
            assertEquals("", slurm.output(NamespacedHosts.LOGIN, words.toArray(String[]::new)));
            return this;
        }

        /** Waits that long while it must not print anything. */
        void standsStill(int seconds) {
            HostsJob.await("the suspension", () -> state().startsWith("SUSPENDED"), this::state);
            String before = text();
            long begun = System.nanoTime();
            HostsJob.await(seconds + " s to be over", () -> System.nanoTime() - begun > TimeUnit.SECONDS.toNanos(
                seconds), this::text);
            assertEquals(before, text());
        }

        Batch awaitLine(String part) {
            HostsJob.await("a line with '" + part + "'", () -> text().contains(part) || isOver(), this::text);
            assertTrue(text().contains(part), this::text);
            return this;
        }

        /** The JSON object of a job whose batch script ended so, and of which nothing is left on these nodes. */
        Map<String, Object> ends(String state, int... nodes) throws IOException {
            HostsJob.await("the end of the batch job", this::isOver, this::text);
            assertEquals(state, state(), this::text);
            for (int node : nodes) {
                HostsJob.await("the end of all that was started on node " + node, () -> slurm.processes(node).isEmpty()
                    && hosts.sharedMemory(node).isEmpty() && hosts.temporaryFiles(node).isEmpty(), () ->
                    slurm.processes(node) + " " + hosts.sharedMemory(node) + " " + hosts.temporaryFiles(node));
            }
            return JSON.std.mapFrom(text().lines().filter(line -> line.startsWith("{")).reduce((a, b) -> b)
                .orElseThrow());
        }
    }

    private static int ranksOn(int node) {
        return (int) slurm.processes(node).stream().filter(process -> process.command().contains("RankMain")).count();
    }

    @Test
    void aBatchJobOutlivesANodeThatLosesItsPower() throws IOException {
        Batch job = new Batch(SCRIPT + LONG + "40").awaitLine("generation 1 (step 5) is committed");
        assertFalse(job.text().contains("Slurm ends a whole allocation"), job::text);
        int lost = IntStream.rangeClosed(2, NODES).filter(node -> ranksOn(node) == 2).findFirst().orElseThrow();
        hosts.powerOff(lost);
        try {
            job.awaitLine("host h" + lost + " is lost: silent for more than ");
            Map<String, Object> result = job.ends("COMPLETED 0 0", IntStream.rangeClosed(1, NODES)
                .filter(node -> node != lost).toArray());
            assertEquals(true, result.get("verified"), job::text);
            assertEquals("host", result.get("aware"));
            assertEquals(2, ((List<?>) result.get("failures")).size(), job::text);
            assertEquals(8, result.get("processes"), job::text);
        } finally {
            hosts.restart(lost);
            slurm.start(lost);
            slurm.awaitIdle();
        }
    }

    /** The environment of an allocation names all nodes that it once had. */
    @Test
    void aSecondJobOfAnAllocationGoesWithoutANodeThatWasLost() throws IOException {
        Batch job = new Batch("--nodes=3 --no-kill " + script("echo begun; until [ \"$(squeue -h -j $SLURM_JOB_ID -o "
            + "%D)\" = 2 ]; do sleep 0.2; done; exec ./ftrma fft --class S --ranks 2 --warm-up 0 --iterations 3 "
            + "--json"))
            .awaitLine("begun");
        hosts.powerOff(3);
        try {
            job.awaitLine("node h3 was lost by allocation " + job.id + " before: the job goes on without it");
            Map<String, Object> result = job.ends("COMPLETED 0 0", 1, 2);
            assertEquals(true, result.get("verified"), job::text);
        } finally {
            hosts.restart(3);
            slurm.start(3);
            slurm.awaitIdle();
        }
    }

    /** The end of the allocation is moved, so that the signal before it comes when the job is under way. */
    @Test
    void aJobThatSlurmSignalsNearTheEndOfItsTimeIsOnDiskAndGoesOnInAnotherAllocation() throws IOException {
        String steps = LONG + "600 --flush images";
        Batch job = new Batch("--time=60 --signal=B:TERM@600 " + SCRIPT + steps)
            .awaitLine("generation 1 (step 5) is committed");
        assertEquals("", slurm.output(NamespacedHosts.LOGIN, "scontrol", "update", "JobId=" + job.id,
            "EndTime=now+9minutes"));
        Map<String, Object> stopped = job.ends("FAILED 5 0", 1, 2, 3, 4);
        assertEquals("stopped", stopped.get("outcome"), job::text);
        assertTrue(((String) stopped.get("restartWith")).contains("--restart images"), job::text);
        Batch next = new Batch(SCRIPT + steps + " --restart images");
        Map<String, Object> result = next.ends("COMPLETED 0 0", 1, 2, 3, 4);
        assertEquals(true, result.get("verified"), next::text);
        assertNotNull(result.get("restarted"), next::text);
    }

    /** Nobody signals it: the launcher asks how much time is left. */
    @Test
    void aJobIsOnDiskBeforeTheTimeOfItsAllocationIsOver() throws IOException {
        Batch job = new Batch("--nodes=3 --no-kill --time=1 " + script("exec ./ftrma fft --class S --ranks 2 "
            + "--checksums 1 --protocol coordinated --warm-up 0 --iterations 100000 --interval 20s --verbose --json "
            + "--flush near --drain-timeout 20s"));
        Map<String, Object> stopped = job.ends("FAILED 5 0", 1, 2, 3, 4);
        assertEquals("stopped", stopped.get("outcome"), job::text);
        Matcher told = Pattern.compile("allocation " + job.id + " ends in (\\d+)s: the job stops at its next "
            + "checkpoint").matcher(job.text());
        assertTrue(told.find(), job::text);
        int left = Integer.parseInt(told.group(1));
        assertTrue(left > 10 && left <= 30, "--drain-timeout, and a flush, before the end: " + told.group());
        assertTrue(((String) stopped.get("restartWith")).contains("--restart near"), job::text);
    }

    /** All that stands still goes on; who is asked to make room stops on disk, and the same line goes on from there. */
    @Test
    void aJobThatIsSuspendedLosesNobodyAndGoesOnFromDiskWhenItIsRequeued() throws IOException {
        Batch job = new Batch("--requeue --open-mode=append " + SCRIPT + LONG + "300 --flush requeued --restart latest")
            .awaitLine("(step 5) is committed").does("scontrol", "suspend");
        job.standsStill(20);
        job.does("scontrol", "resume");
        String before = job.text();
        HostsJob.await("a checkpoint after the pause", () -> job.text().substring(before.length())
            .contains("is committed"), job::text);
        assertFalse(job.text().contains(" is lost"), job::text);
        job.does("scontrol", "requeue").awaitLine("\"outcome\":\"stopped\"");
        assertFalse(job.text().contains(" is lost"), job::text);
        HostsJob.await("the job to be in the queue again", () -> job.state().startsWith("PENDING"), job::state);
        assertEquals("", slurm.output(NamespacedHosts.LOGIN, "scontrol", "update", "JobId=" + job.id,
            "StartTime=now")); // Slurm would wait for two minutes
        Map<String, Object> result = job.ends("COMPLETED 0 0", 1, 2, 3, 4);
        assertEquals(true, result.get("verified"), job::text);
        assertEquals(List.of(), result.get("failures"), job::text);
        assertNotNull(result.get("restarted"), job::text);
    }

    /** First its agents alone, as preemption and an end without B: do, then all of it. */
    @Test
    void aJobWhoseStepsOrAllOfWhichSomebodyCancelsIsOnDisk() throws IOException {
        String steps = LONG + "300 --flush cancelled --restart latest";
        Batch first = new Batch(SCRIPT + steps).awaitLine("(step 5) is committed");
        first.does("scancel", "--signal=TERM");
        Map<String, Object> stopped = first.ends("FAILED 5 0", 1, 2, 3, 4);
        assertEquals("stopped", stopped.get("outcome"), first::text);
        assertEquals(List.of(), stopped.get("failures"), first::text);
        Batch second = new Batch(SCRIPT + steps).awaitLine("is committed").does("scancel");
        Map<String, Object> again = second.ends("CANCELLED 5 0", 1, 2, 3, 4);
        assertEquals("stopped", again.get("outcome"), second::text);
        assertEquals(List.of(), again.get("failures"), second::text);
        assertNotNull(again.get("restarted"), second::text);
        Batch last = new Batch(SCRIPT + steps);
        assertEquals(true, last.ends("COMPLETED 0 0", 1, 2, 3, 4).get("verified"), last::text);
    }

    @Test
    void switchesAreRacksAndWhatDoesNotOutliveANodeIsSaid() throws IOException {
        Batch job = new Batch("--nodes=4 " + script("exec ./ftrma fft --class S --ranks 2 --checksums 2 --protocol "
            + "coordinated --aware rack --warm-up 0 --iterations 6 --interval 2 --json"));
        Map<String, Object> result = job.ends("COMPLETED 0 0", 1, 2, 3, 4);
        assertEquals(true, result.get("verified"), job::text);
        assertEquals("rack", result.get("aware"), job::text);
        assertTrue(job.text().contains("#SBATCH --no-kill"), job::text);
    }

    @Test
    void oneNodeIsThisHostAlone() throws IOException {
        Batch job = new Batch("--nodes=1 " + script("exec ./ftrma fft --class S --ranks 2 --warm-up 0 --iterations 3 "
            + "--json"));
        Map<String, Object> result = job.ends("COMPLETED 0 0", 1, 2, 3, 4);
        assertEquals(true, result.get("verified"), job::text);
        assertEquals("auto", result.get("path"), job::text);
    }

    @Test
    void aLauncherOnEachNodeIsRefused() throws IOException {
        Batch job = new Batch("--nodes=2 " + script("srun -n2 ./ftrma fft --class S --ranks 2; echo status $?"))
            .awaitLine("status 2");
        assertTrue(job.text().contains("start ftrma once, without srun"), job::text);
    }

    /** A batch script of some commands. */
    private static Path script(String commands) throws IOException {
        return Files.writeString(Files.createTempFile(directory, "batch", ".sh"), "#!/bin/bash\n" + commands + "\n");
    }
}
