package org.ftrma.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.ftrma.launch.programs.Gate;
import org.ftrma.testkit.hosts.NamespacedHosts;
import org.ftrma.testkit.hosts.RunningProcess;

/** Hosts that a job leaves while it goes on. */
class HostDrainTest extends HostsTest {
    /** They take a minute, and a second from when nobody wants them to. */
    private static final String STEPS = "600";
    private static final String SLOW_MILLIS = "100";

    private HostsJob running(String more) throws IOException {
        return begin("run --ranks 2 --checksums 1 --interval none", more + " -- " + Gate.class.getName() + " " + STEPS
            + " " + directory.resolve("open") + " " + SLOW_MILLIS).awaitLine("rank 0 begins step 2");
    }

    private void assertNoLoss() throws IOException {
        Files.createFile(directory.resolve("open"));
        assertSurvived(0, 0, 0);
    }

    private void terminateAgent(int host) {
        List<RunningProcess> agents = job.running(host, "Main agent");
        ProcessHandle.of(agents.getLast().machinePid()).orElseThrow().destroy();
    }

    @SideBySide
    void aHostWhoseAgentIsTerminatedIsLeftWithoutALoss() throws IOException {
        running("--protocol coordinated --hosts h1:1,h2:1,h3:1 --spare-hosts h4:1");
        terminateAgent(2);
        job.awaitLine("host h2 is to be left (its agent was told to end)");
        job.awaitLine("run in other processes now");
        job.awaitLine("host h2 is left (its agent was told to end): its members run elsewhere, and nothing was lost");
        job.awaitNothingOn(2);
        assertTrue(!job.tells("host h2 is lost"), job::text);
        assertNoLoss();
    }

    /** All of its members, though their groups can rebuild one each. */
    @SideBySide
    void aHostThatSomebodyDrainsIsLeftAndTheCommandSaysSo() throws IOException, InterruptedException {
        running("--protocol full --hosts h1:2,h2:1 --spare-hosts h3:1,h4:1 --aware none");
        assertEquals(0, drain("h1", "is left; its members run elsewhere"));
        job.awaitNothingOn(1);
        assertEquals(1, drain("h1", "is not left: it is lost: it was left"));
        assertEquals(1, drain("h9", "the job has no host h9; it has h1, h2, h3, h4"));
        assertNoLoss();
    }

    private int drain(String host, String answer) throws IOException, InterruptedException {
        Process process = hosts.run(NamespacedHosts.LOGIN, List.of(HostsJob.ftrma(directory).toString(), "drain",
            host, "--json"));
        assertTrue(process.waitFor(120, TimeUnit.SECONDS), job::text);
        String text = new String(process.getInputStream().readAllBytes());
        assertTrue(text.contains(answer), () -> text + "\n" + job.text());
        return process.exitValue();
    }

    @SideBySide
    void aHostWhoseMembersHaveNoOtherPlaceStays() throws IOException, InterruptedException {
        running("--protocol coordinated --hosts h1:1,h2:1,h3:1 --degrade no");
        terminateAgent(3);
        job.awaitLine("host h3 is not left (its agent was told to end): there is no place for its 1 members elsewhere: "
            + "h1 (0 free slots), h2 (0 free slots); --degrade yes would use slots twice");
        assertEquals(1, drain("h2", "host h2 is not left: there is no place for its 1 members elsewhere"));
        assertNoLoss();
    }

    /** As a scheduler ends the steps of a job: all that runs on its hosts is told, and the launcher is not. */
    @SideBySide
    void aJobAllOfWhoseHostsAreToldToEndStopsOnDisk() throws IOException {
        Path images = directory.resolve("images");
        running("--protocol coordinated --hosts h1:1,h2:1,h3:1 --flush " + images);
        for (int host = 1; host <= 3; host++) {
            for (RunningProcess process : hosts.processes(host)) {
                ProcessHandle.of(process.machinePid()).ifPresent(ProcessHandle::destroy);
            }
        }
        job.awaitLine("the agents of h1, h2, h3 were told to end: the job stops at its next checkpoint");
        Map<String, Object> stopped = job.ends(5);
        assertEquals("stopped", stopped.get("outcome"), job::text);
        assertEquals(List.of(), stopped.get("failures"), job::text);
        assertNothingLeft();
    }

    /** Who does not wait for it: the host is lost as any other. */
    @SideBySide
    void aSecondSignalEndsTheAgentAndItsHostIsLost() throws IOException {
        running("--protocol coordinated --hosts h1:1,h2:1,h3:1 --degrade no");
        terminateAgent(3);
        job.awaitLine("host h3 is not left"); // some seconds later: it is another signal
        terminateAgent(3);
        job.awaitLine("host h3 is lost: its agent has closed the connection");
        assertEquals(3, job.ends(3).get("exitCode"));
    }
}
