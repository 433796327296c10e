package org.ftrma.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.ftrma.launch.programs.Gate;
import org.ftrma.testkit.hosts.NamespacedHosts;
import org.ftrma.testkit.hosts.RunningProcess;

/** Processes that are stopped for longer than anybody waits, and go on: nobody was lost. */
class PausesTest extends HostsTest {
    private static final int HOSTS = 3;

    /** It takes a while until it may go on quickly. */
    private void running(String more) throws IOException {
        begin("run --ranks 2 --checksums 1 --protocol full --interval 5 --hosts h1:1,h2:1,h3:1", " " + more + " -- "
            + Gate.class.getName() + " 3000 " + directory.resolve("open") + " 10 --held")
            .awaitLine("(step 5) is committed");
    }

    private void assertNobodyWasLost() throws IOException {
        Files.createFile(directory.resolve("open"));
        assertSurvived(0, 0, 0);
        assertFalse(job.tells(" is lost"), job::text);
    }

    private void signal(String name, List<RunningProcess> processes) throws IOException {
        for (RunningProcess process : processes) {
            assertEquals(0, new ProcessBuilder("/bin/kill", "-" + name, Long.toString(process.machinePid())).start()
                .onExit().join().exitValue(), process::toString);
        }
    }

    private List<RunningProcess> launcher() {
        return job.running(NamespacedHosts.LOGIN, "Main run");
    }

    private boolean areStopped(int host) {
        List<RunningProcess> ranks = job.running(host, "RankMain");
        return !ranks.isEmpty() && ranks.stream().allMatch(rank -> {
            try {
                String stat = Files.readString(Path.of("/proc/" + rank.machinePid() + "/stat"));
                return stat.charAt(stat.lastIndexOf(')') + 2) == 'T';
            } catch (IOException e) {
                return false;
            }
        });
    }

    private void awaitWhileItRuns(int seconds) {
        long begun = System.nanoTime();
        job.awaitWhileItRuns(seconds + " s are over", () -> System.nanoTime() - begun > TimeUnit.SECONDS.toNanos(
            seconds));
    }

    /** All leases run out together: each host stops what it runs, and nobody is killed. */
    @SideBySide
    void aLauncherThatWasStoppedForLongerThanItsHostsWaitGoesOn() throws IOException {
        running("--host-timeout 2s --deadline 60s");
        signal("STOP", launcher());
        HostsJob.awaitOnHosts("ranks of all hosts stand still", () -> IntStream.rangeClosed(1, HOSTS)
            .allMatch(this::areStopped), job::text);
        signal("CONT", launcher());
        HostsJob.awaitOnHosts("ranks of all hosts go on", () -> IntStream.rangeClosed(1, HOSTS)
            .noneMatch(this::areStopped), job::text);
        assertNobodyWasLost();
    }

    /** Nodes go on one after the other, and that of the launcher last. No wait counts the time, though it is more. */
    @SideBySide
    void aJobThatWasSuspendedWholeGoesOn() throws IOException {
        running("--host-timeout 2s --heartbeat-timeout 2s --deadline 5s");
        signal("STOP", launcher());
        IntStream.rangeClosed(1, HOSTS).forEach(hosts::freeze);
        try {
            awaitWhileItRuns(8);
        } finally {
            IntStream.rangeClosed(1, HOSTS).forEach(hosts::thaw);
        }
        signal("CONT", launcher());
        assertNobodyWasLost();
    }

    /** Nor are the processes of a host that is silent as a whole, while it is not lost; its kernel answers. */
    @SideBySide
    void aHostThatStandsStillForLessThanItsTimeoutGoesOn() throws IOException {
        running("--host-timeout 60s --heartbeat-timeout 1s");
        hosts.freeze(2);
        try {
            awaitWhileItRuns(7);
        } finally {
            hosts.thaw(2);
        }
        assertNobodyWasLost();
    }

    /** Nobody hangs where somebody has stopped all ranks: there is nobody to replace them. */
    @SideBySide
    void ranksThatWereAllStoppedGoOn() throws IOException {
        running("--heartbeat-timeout 1s");
        for (int host = 1; host <= HOSTS; host++) {
            signal("STOP", job.running(host, "RankMain"));
        }
        awaitWhileItRuns(4);
        for (int host = 1; host <= HOSTS; host++) {
            signal("CONT", job.running(host, "RankMain"));
        }
        assertNobodyWasLost();
    }
}
