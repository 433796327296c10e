package org.ftrma.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.ftrma.testkit.hosts.NamespacedHosts;
import org.ftrma.testkit.hosts.SshHosts;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Jobs whose agents the real ssh starts, by a real sshd on each host. */
class SshTest extends HostsTest {
    private static final long CLIENT_SECONDS = 10;
    private static final long REFUSAL_SECONDS = 30;
    private static final String FFT = "fft --class S --warm-up 0 --protocol full --interval 5 --ranks 2 --checksums 1"
        + " --hosts h1:1,h2:1,h3:2 --host-timeout 3s ";

    private SshHosts ssh;

    @BeforeEach
    void startServers() {
        assumeTrue(SshHosts.whyNot().isEmpty(), SshHosts::whyNot);
        ssh = new SshHosts(hosts, directory);
    }

    @AfterEach
    void endServers() {
        if (job != null) {
            job.close();
        }
        if (ssh != null) {
            ssh.close();
        }
    }

    /** The default program, and where it finds keys and names. */
    private String shell() {
        return "ssh -o BatchMode=yes -F " + ssh.config();
    }

    private void beginBySsh(String options) throws IOException {
        List<String> words = new ArrayList<>(List.of(HostsJob.ftrma(directory).toString()));
        words.addAll(List.of((FFT + options).strip().split(" +")));
        words.addAll(List.of("--start", "ssh", "--shell", shell(), "--remote-ftrma",
            HostsJob.ftrma(directory).toString(), "--verbose", "--json"));
        job = new HostsJob(hosts, hosts.run(NamespacedHosts.LOGIN, words));
    }

    /** The launcher has ended: of the programs that have started agents none stays behind for long. */
    private void assertClientsEnd() {
        long begun = System.nanoTime();
        HostsJob.awaitOnHosts("the end of ssh on the launcher's host", () ->
            job.running(NamespacedHosts.LOGIN, "ssh ").isEmpty(), job::text);
        long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begun);
        assertTrue(seconds < CLIENT_SECONDS, () -> "ssh ended " + seconds + " s after the job");
    }

    /** Neither agents nor what sshd has for them. */
    private void assertNobodyLoggedIn(int... on) {
        for (int host : on) {
            HostsJob.awaitOnHosts("the end of all sessions on h" + host, () -> ssh.processes(host).isEmpty()
                && hosts.sharedMemory(host).isEmpty() && hosts.temporaryFiles(host).isEmpty(), () ->
                hosts.processes(host) + " " + hosts.sharedMemory(host) + " " + hosts.temporaryFiles(host));
        }
    }

    @SideBySide
    void aJobSurvivesAProcessAndAHost() throws IOException {
        beginBySsh("--iterations 60 --kill 0@8");
        job.awaitLine("rank 0 is back (replay)");
        job.awaitLine("(step 15) is committed");
        hosts.powerOff(2);
        try {
            job.awaitLine("host h2 is lost: silent for more than 3s");
            assertSurvived(0, 2, 2);
            assertClientsEnd();
            assertNobodyLoggedIn(1, 3);
        } finally {
            hosts.restart(2);
        }
    }

    /** The client of a host that is silent hears nothing of the end of its agent. */
    @SideBySide
    void theClientOfASilentHostEndsWithTheJob() throws IOException {
        beginBySsh("--iterations 40");
        job.awaitLine("(step 5) is committed");
        hosts.mute(2);
        try {
            job.awaitLine("host h2 is lost: silent for more than 3s");
            assertSurvived(0, 1, 1);
            assertClientsEnd();
        } finally {
            hosts.unmute(2);
        }
        assertNobodyLoggedIn(1, 2, 3);
    }

    /** A launcher that is killed can end nobody. */
    @SideBySide
    void theClientOfASilentHostEndsWithTheLauncherToo() throws IOException {
        beginBySsh("--iterations 4000");
        job.awaitLine("(step 5) is committed");
        hosts.mute(2);
        try {
            job.killLauncher();
            assertClientsEnd();
        } finally {
            hosts.unmute(2);
        }
        assertNobodyLoggedIn(1, 2, 3);
    }

    @SideBySide
    void aHostWithAnotherKeyIsNamed() throws IOException {
        ssh.forgeKeyOf(2);
        assertRefused("Host key verification failed.");
    }

    @SideBySide
    void aHostThatLetsNobodyInIsNamed() throws IOException {
        ssh.refuseLoginsOn(2);
        assertRefused("Permission denied (publickey)");
    }

    private void assertRefused(String why) throws IOException {
        HostsJob.ftrma(directory); // what a test run makes once is no part of the time
        long begun = System.nanoTime();
        beginBySsh("--iterations 40");
        Map<String, Object> result = job.ends(4);
        long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begun);
        assertTrue(seconds < REFUSAL_SECONDS, () -> "it took " + seconds + " s: " + job.text());
        assertEquals("host h2: '" + shell() + " h2 ...' ended with status 255 before an agent had joined (its output"
            + " above tells more); this must work without a question: " + shell() + " h2 true", result.get("message"),
            job::text);
        assertTrue(job.tells("[h2] ") && job.tells(why), job::text);
        assertClientsEnd();
        assertNobodyLoggedIn(1, 2, 3);
    }
}
