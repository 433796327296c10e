package org.ftrma.testkit.hosts;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.ftrma.MisuseException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a host has of its own, how it ends and begins anew, and that nothing is left of it. */
@Tag("long")
@Timeout(120)
class HostLivesTest {
    private static final int COMES_MILLIS = 30_000;
    private static final int SILENCE_MILLIS = 400;

    @TempDir
    private Path directory;
    private NamespacedHosts hosts;

    @BeforeEach
    void makeHosts() {
        assumeTrue(NamespacedHosts.whyNot().isEmpty(), NamespacedHosts::whyNot);
        hosts = NamespacedHosts.of(2);
    }

    @AfterEach
    void close() {
        if (hosts != null) {
            hosts.close();
        }
    }

    private String shell(int host, String command) {
        return Commands.output(hosts.run(host, List.of("/bin/sh", "-c", command)));
    }

    @Test
    void eachHostHasItsOwnNameMemoryFilesAndProcesses() throws IOException {
        assertEquals("h2", shell(2, "hostname"));
        assertEquals("login", shell(NamespacedHosts.LOGIN, "cat /proc/sys/kernel/hostname"));
        assertEquals("10.77.0.2", hosts.address(2));
        assertEquals(2, hosts.count());
        shell(1, "echo mine > /dev/shm/a; echo mine > $XDG_RUNTIME_DIR/b; ipcmk -M 4096");
        assertEquals(List.of("a"), hosts.sharedMemory(1).subList(0, 1));
        assertTrue(hosts.sharedMemory(1).get(1).endsWith(" of 4096 bytes"), () -> hosts.sharedMemory(1).toString());
        assertEquals(List.of("b"), hosts.temporaryFiles(1));
        assertEquals(List.of(), hosts.sharedMemory(2));
        assertEquals(List.of(), hosts.temporaryFiles(2));
        assertFalse(Files.exists(Path.of("/dev/shm/a")));
        assertEquals("eth0 lo", shell(1, "echo $(ls /sys/class/net)"));
        assertEquals(Path.of("").toAbsolutePath().toString(), shell(1, "pwd"));
        String pid = shell(1, "echo $$");
        assertTrue(Long.parseLong(pid) < 100, "a number of its own namespace: " + pid);

        Process echoing = hosts.run(1, List.of("cat", "-"));
        long machinePid = echoing.pid();
        echoing.getOutputStream().write("here\n".getBytes(StandardCharsets.UTF_8));
        echoing.getOutputStream().flush();
        assertEquals("here", echoing.inputReader().readLine(), "what runs is the command, not what starts it");
        assertEquals(List.of("cat -"), hosts.processes(1).stream().map(RunningProcess::command).toList());
        assertEquals(machinePid, hosts.processes(1).getFirst().machinePid());
        assertEquals(List.of(), hosts.processes(2));
    }

    @Test
    void aProcessIsGivenStreamsSignalsAndItsStatus() throws IOException {
        Process status = hosts.run(1, List.of("/bin/sh", "-c", "echo out; echo err >&2; cat; exit 7"));
        status.getOutputStream().write("in".getBytes(StandardCharsets.UTF_8));
        status.getOutputStream().close();
        assertEquals("out\nin", new String(status.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
        assertEquals("err\n", new String(status.getErrorStream().readAllBytes(), StandardCharsets.UTF_8));
        assertEquals(7, Commands.status(status));

        Process told = hosts.run(1, List.of("/bin/sh", "-c",
            "trap 'exit 9' TERM; echo ready; while true; do sleep 0.01; done"));
        assertEquals("ready", told.inputReader().readLine());
        told.destroy();
        assertEquals(9, Commands.status(told));
        Process killed = hosts.run(1, List.of("sleep", "1000"));
        killed.destroyForcibly();
        assertEquals(137, Commands.status(killed));
        assertEquals("", new String(killed.getErrorStream().readAllBytes(), StandardCharsets.UTF_8));
        assertEquals(List.of(), hosts.processes(1));
        Process placed = hosts.run(1, List.of("/bin/sh", "-c", "pwd; echo $WORD"), builder -> {
            builder.directory(directory.toFile());
            builder.environment().put("WORD", "given");
        });
        assertEquals(directory.toRealPath() + "\ngiven", Commands.output(placed));
        assertEquals(127, Commands.status(hosts.run(1, List.of("no-such-program"))));
    }

    @Test
    void whenAllProcessesAreKilledTheirPeersHearOfItAtOnce() {
        HostPeer first = new HostPeer(hosts, 1);
        HostPeer second = new HostPeer(hosts, 2).ready();
        first.ready();
        assertEquals("connected", first.ask("connect c h2 " + COMES_MILLIS));
        assertEquals("echo", first.ask("echo c " + COMES_MILLIS));
        shell(2, "echo stays > /dev/shm/left");
        Process orphan = hosts.run(2, List.of("/bin/sh", "-c", "setsid sleep 1000 & exit 0"));
        assertEquals(0, Commands.status(orphan));
        hosts.kill(2);
        assertEquals("closed", first.ask("read c " + COMES_MILLIS));
        assertEquals("refused", first.ask("connect d h2 " + COMES_MILLIS), "its kernel lives");
        assertEquals(List.of(), hosts.processes(2));
        assertEquals(137, Commands.status(second.process()));
        assertEquals(List.of("left"), hosts.sharedMemory(2));
        new HostPeer(hosts, 2).ready();
        assertEquals("connected", first.ask("connect e h2 " + COMES_MILLIS));
    }

    @Test
    void aHostWithoutPowerIsSilentUntilItIsSwitchedOnAgain() {
        HostPeer first = new HostPeer(hosts, 1);
        HostPeer second = new HostPeer(hosts, 2).ready();
        first.ready();
        assertEquals("connected", first.ask("connect c h2 " + COMES_MILLIS));
        assertEquals("echo", first.ask("echo c " + COMES_MILLIS));
        shell(2, "echo goes > /dev/shm/left");
        hosts.slow(2, 50_000);
        hosts.powerOff(2);
        assertEquals(137, Commands.status(second.process()));
        assertEquals("silence", first.ask("read c " + SILENCE_MILLIS));
        assertEquals("silence", first.ask("echo c " + SILENCE_MILLIS));
        assertEquals("silence", first.ask("connect d h2 " + SILENCE_MILLIS));
        assertEquals(List.of(), hosts.processes(2));
        assertEquals(List.of(), hosts.sharedMemory(2));
        assertTrue(assertThrows(MisuseException.class, () -> hosts.run(2, List.of("true"))).getMessage()
            .contains("restart(2)"));
        hosts.powerOff(2);
        hosts.restart(2);
        assertEquals(List.of(), hosts.sharedMemory(2));
        new HostPeer(hosts, 2).ready();
        assertEquals("connected", first.ask("connect d h2 " + COMES_MILLIS));
        assertEquals("echo", first.ask("echo d " + COMES_MILLIS));
        assertTrue(shell(2, "tc qdisc show dev eth0").contains("rate 50Mbit"), "the link is as slow as it was");
        hosts.restart(1);
        assertEquals("h1", shell(1, "hostname"));
    }

    @Test
    void aCounterOfAFrozenHostStandsStillAndGoesOn() throws IOException {
        Path counter = directory.resolve("counter");
        hosts.run(1, List.of("/bin/sh", "-c",
            "i=0; while true; do i=$((i + 1)); echo $i > " + counter + ".new; mv " + counter + ".new " + counter
            + "; done"));
        ProcFiles.await(() -> read(counter) > 2, 60, () -> "the counter to count");
        hosts.freeze(1);
        long value = read(counter);
        assertThrows(MisuseException.class, () -> hosts.run(1, List.of("true")));
        for (int look = 0; look < 100; look++) {
            assertEquals(value, read(counter));
            Commands.status(hosts.run(2, List.of("true")));
        }
        hosts.thaw(1);
        ProcFiles.await(() -> read(counter) > value, 60, () -> "the counter to go on");
        hosts.freeze(1);
        hosts.kill(1);
        assertEquals(List.of(), hosts.processes(1));
    }

    /** A shell waits in vfork until its child runs another program, which a child that is stopped before does not. */
    @Test
    void aHostIsFrozenAndThawedWhereverItsShellIs() {
        Path counter = directory.resolve("often");
        hosts.run(1, List.of("/bin/sh", "-c", "i=0; while true; do i=$((i + 1)); echo $i > " + counter
            + "; /bin/true; done"));
        ProcFiles.await(() -> read(counter) > 2, 60, () -> "the counter to count");
        for (int turn = 0; turn < 30; turn++) {
            hosts.freeze(1);
            long value = read(counter);
            hosts.thaw(1);
            ProcFiles.await(() -> read(counter) > value, 60, () -> "the counter to go on");
        }
        hosts.kill(1);
    }

    private static long read(Path counter) {
        String text = ProcFiles.read(counter).trim();
        return text.isEmpty() ? 0 : Long.parseLong(text);
    }

    @Test
    void theRemoteShellRunsCommandsAsSshDoes() throws IOException {
        String ssh = hosts.remoteShell().toString();
        Process remote = hosts.run(NamespacedHosts.LOGIN, List.of(ssh, "-o", "BatchMode=yes", "-T", "me@h2", "cat;",
            "hostname; echo err >&2;", "exit 7"));
        remote.getOutputStream().write("given\n".getBytes(StandardCharsets.UTF_8));
        remote.getOutputStream().close();
        assertEquals("given\nh2\n", new String(remote.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
        assertEquals("err\n", new String(remote.getErrorStream().readAllBytes(), StandardCharsets.UTF_8));
        assertEquals(7, Commands.status(remote));

        Process long1 = hosts.run(1, List.of(ssh, "h2", "echo begun; cat > /dev/null; touch /dev/shm/saw-the-end"));
        assertEquals("begun", long1.inputReader().readLine());
        ProcFiles.await(() -> hosts.processes(2).stream().filter(one -> one.command().startsWith("cat")).count() == 1,
            60, () -> "one cat on host 2");
        long1.destroyForcibly();
        ProcFiles.await(() -> hosts.sharedMemory(2).contains("saw-the-end"), 60, () -> "the end of the input");

        assertNotEquals(0, Commands.status(hosts.run(1, List.of(ssh, "h2"))));
        hosts.kill(2);
        Process refused = hosts.run(1, List.of(ssh, "-oConnectTimeout=30", "h2", "true"));
        String error = new String(refused.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(255, Commands.status(refused));
        assertTrue(error.contains("connect to host h2 port 22: Connection refused"), error);
        hosts.restart(2);
        assertEquals("back", Commands.output(hosts.run(1, List.of(ssh, "h2", "echo back"))));
        assertEquals(List.of(), hosts.processes(2));
    }

    @Test
    void nothingIsLeftOfClosedHosts() throws IOException {
        Remains remains = new Remains(hosts.folder());
        hosts.run(1, List.of("sleep", "1000"));
        hosts.run(2, List.of("/bin/sh", "-c", "setsid sleep 1000 & sleep 1000")).pid();
        hosts.remoteShell();
        hosts.freeze(2);
        remains.note();
        hosts.close();
        assertEquals(Map.of(), remains.left());
        assertThrows(MisuseException.class, () -> hosts.run(1, List.of("true")));
        hosts.close();
    }

    @Test
    void nothingIsLeftWhenTheMakerIsKilled() throws IOException {
        Process maker = new ProcessBuilder(HostPeer.command(HostsMaker.class.getName()))
            .redirectError(ProcessBuilder.Redirect.INHERIT).start();
        Remains remains = new Remains(Path.of(maker.inputReader().readLine()));
        remains.note();
        maker.destroyForcibly();
        assertEquals(137, Commands.status(maker));
        ProcFiles.await(() -> remains.left().isEmpty(), 60, () -> "nothing to be left: " + remains.left());
    }
}
