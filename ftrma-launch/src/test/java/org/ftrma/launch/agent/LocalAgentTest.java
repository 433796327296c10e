package org.ftrma.launch.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.ftrma.launch.agent.HostAgent.Death;
import org.ftrma.launch.agent.HostAgent.Signal;
import org.ftrma.launch.control.ControlServer;
import org.ftrma.rank.control.HostPlace;
import org.ftrma.rank.control.JobFile;
import org.ftrma.rank.control.LifelineGreeting;
import org.ftrma.rank.control.MachineClock;
import org.ftrma.rank.control.RankCheck;
import org.ftrma.rank.control.RankOptions;
import org.ftrma.rank.control.Token;
import org.ftrma.rank.program.ClassPathDigest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The agent of this host, with real processes: virtual machines of ranks, and shells where those do. */
class LocalAgentTest {
    private static final long SECOND = 1_000_000_000L;
    private static final InetSocketAddress NOWHERE = new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);

    private final List<String> heard = new ArrayList<>();
    private final Map<Integer, Long> pids = new HashMap<>();
    private final Map<Integer, Death> deaths = new HashMap<>();
    private final ConcurrentLinkedQueue<String> printed = new ConcurrentLinkedQueue<>();
    private final HostAgent.Listener listener = new HostAgent.Listener() {
        @Override
        public void started(int process, long pid) {
            pids.put(process, pid);
            heard.add("started " + process);
        }

        @Override
        public void notStarted(int process, String why) {
            heard.add("not started " + process + ": " + why);
        }

        @Override
        public void dead(Death death) {
            deaths.put(death.process(), death);
            heard.add("dead " + death.process() + ": " + death.cause());
        }
    };
    private final HostAgent.Output output = new HostAgent.Output() {
        @Override
        public void line(int process, boolean isError, byte[] line) {
            if (!isError) {
                pass();
            }
            printed.add(process + (isError ? " err " : " out ") + new String(line, StandardCharsets.UTF_8));
        }

        @Override
        public void broken(int process, String why) {
            printed.add(process + " broken: " + why);
        }

        @Override
        public void note(String text) {
            printed.add("note: " + text);
        }
    };
    /** Standard output is taken once it is open. */
    private CountDownLatch gate = new CountDownLatch(0);
    private final Token token = Token.random();
    private Set<Path> before;
    private LocalAgent agent;
    private ControlServer server;

    @BeforeEach
    void look() throws IOException {
        before = places();
    }

    @AfterEach
    void close() throws IOException {
        assertEquals(List.of(), agent.killAll(60 * SECOND));
        agent.close();
        if (server != null) {
            server.close();
        }
        assertEquals(before, places());
        pids.forEach((process, pid) -> assertTrue(ProcessHandle.of(pid).isEmpty(), () -> "process " + process));
    }

    /** Those that this process has made for jobs. */
    private static Set<Path> places() throws IOException {
        String runtime = System.getenv("XDG_RUNTIME_DIR");
        Set<Path> found = new TreeSet<>();
        for (Path parent : Stream.of(runtime == null || runtime.isBlank() ? "/tmp" : runtime, "/tmp", "/dev/shm")
            .map(Path::of).filter(Files::isDirectory).collect(Collectors.toSet())) {
            try (Stream<Path> all = Files.list(parent)) {
                all.filter(place -> place.getFileName().toString()
                    .startsWith("ftrma-" + ProcessHandle.current().pid() + "-")).forEach(found::add);
            }
        }
        return found;
    }

    private void open(InetSocketAddress at, LocalAgent.Starter starter) throws IOException {
        agent = new LocalAgent(HostPlace.ONLY, MachineClock.HERE, starter);
        RankOptions options = new RankOptions("Program", List.of(), "", ClassPathDigest.NONE,
            RankCheck.NONE, 2, 0, 0, false, false);
        agent.open(new HostJob(at.getAddress().getHostAddress(), at.getPort(), token, 60_000, options,
            new RankJvm(2, 0, List.of("-Xmx64m"), null, null), List.of()), listener, output, () -> {
                if (server != null) {
                    server.wakeup();
                }
            });
    }

    private void openWithShells(String... scripts) throws IOException {
        open(NOWHERE, number -> new ProcessBuilder("/bin/sh", "-c", scripts[number]).start());
    }

    private void await(String what, BooleanSupplier condition) {
        long end = System.nanoTime() + 60 * SECOND;
        while (!condition.getAsBoolean()) {
            assertTrue(System.nanoTime() - end < 0, () ->
                "waited 60 s for " + what + "; heard " + heard + ", printed " + printed);
            if (server != null) {
                server.poll(Math.min(5, agent.nextNanos(System.nanoTime()) / 1_000_000));
            }
            agent.poll(System.nanoTime());
            Thread.onSpinWait();
        }
    }

    private void pass() {
        try {
            assertTrue(gate.await(60, TimeUnit.SECONDS), "waited 60 s for the gate");
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private final class Joins implements ControlServer.Listener {
        @Override
        public void joined(int process, long pid) {
            heard.add("joined " + process + " as " + pid);
        }

        @Override
        public void received(int process, byte[] payload) {
            heard.add("received from " + process);
        }

        @Override
        public void disconnected(int process, String why) {
            heard.add("disconnected " + process);
        }

        @Override
        public void rejected(String why) {
            heard.add("rejected " + why);
        }
    }

    @Test
    void aRankIsStartedStoppedContinuedAndKilledAndNothingIsLeft() throws IOException {
        server = new ControlServer(token, new Joins(), 60 * SECOND, SECOND);
        open(server.address(), null);
        assertFalse(places().equals(before), "the job has no places");
        server.expect(0);
        agent.start(0);
        assertEquals(List.of(), heard, "events come inside poll");
        await("the start and the join", () -> heard.contains("joined 0 as " + pids.getOrDefault(0, 0L)));
        assertEquals("started 0", heard.getFirst());

        agent.signal(0, Signal.STOP);
        await("it to be stopped", () -> agent.vitals(0).isStopped());
        agent.signal(0, Signal.CONTINUE);
        await("it to go on", () -> !agent.vitals(0).isStopped());
        assertTrue(agent.vitals(0).processorNanos() > 0, () -> agent.vitals(0).toString());
        assertEquals(Map.of(), deaths);

        agent.signal(0, Signal.STOP);
        agent.signal(0, Signal.KILL);
        await("its death", () -> deaths.containsKey(0));
        assertEquals(128 + 9, deaths.get(0).status());
        assertEquals("killed by SIGKILL", deaths.get(0).cause());
        assertNull(agent.vitals(0));
        int count = heard.size();
        agent.signal(0, Signal.KILL);
        agent.poll(System.nanoTime());
        assertEquals(count, heard.size(), "more is told of a process that is dead");
    }

    @Test
    void ranksThatLiveGoWithTheJob() throws IOException {
        server = new ControlServer(token, new Joins(), 60 * SECOND, SECOND);
        open(server.address(), null);
        server.expect(0);
        server.expect(1);
        agent.start(0);
        agent.start(1);
        agent.signal(1, Signal.STOP);
        await("one to join", () -> heard.contains("joined 0 as " + pids.getOrDefault(0, 0L)));
        // The rest is looked for after each test.
    }

    @Test
    void deathTellsTheStatusAndWhatWasPrintedBeforeIsHandedOn() throws IOException {
        openWithShells("echo one; echo two >&2; printf last; exit 3", "exit 0", "kill -TERM $$");
        for (int process = 0; process < 3; process++) {
            agent.start(process);
        }
        await("three deaths", () -> deaths.size() == 3);
        assertEquals(new Death(0, 3, "exited with status 3", null, false), deaths.get(0));
        assertEquals(new Death(1, 0, "exited with status 0", null, false), deaths.get(1));
        assertEquals(new Death(2, 128 + 15, "killed by SIGTERM", null, false), deaths.get(2));
        assertTrue(agent.finishOutput(60 * SECOND));
        assertEquals(Set.of("0 out one", "0 err two", "0 out last"), Set.copyOf(printed));
    }

    private JobFile jobFile() throws IOException {
        Set<Path> made = places();
        made.removeAll(before);
        return JobFile.read(made.stream().filter(place -> Files.exists(place.resolve("job.properties"))).findFirst()
            .orElseThrow());
    }

    private void awaitCloseLook() {
        long end = System.nanoTime() + 60 * SECOND;
        while (agent.nextNanos(System.nanoTime()) > 1_000_000) {
            assertTrue(System.nanoTime() - end < 0, "an end that is near is not looked for within 60 s");
            Thread.onSpinWait();
        }
    }

    @Test
    void aBrokenLifelineMakesADeathKnownBeforeTheProcessIsTakenApart() throws Exception {
        CompletableFuture<Process> exit = new CompletableFuture<>();
        LocalProcessTest.withOneThatEndedWith(7, pid -> {
            open(NOWHERE, number -> new LocalProcessTest.Dying(pid, 7, exit));
            agent.start(0);
            int port = jobFile().lifelines();
            try (Socket lifeline = new Socket(InetAddress.getLoopbackAddress(), port)) {
                lifeline.getOutputStream().write(new LifelineGreeting(0, pid).frame(token));
                agent.poll(System.nanoTime());
                try (Socket another = new Socket(InetAddress.getLoopbackAddress(), port)) {
                    another.getOutputStream().write(new LifelineGreeting(0, pid + 1).frame(token));
                }
                awaitCloseLook();
                agent.poll(System.nanoTime());
                assertEquals(List.of("started 0"), heard, "the lifeline of another process broke");
            }
            awaitCloseLook();
            agent.poll(System.nanoTime());
            assertEquals(new Death(0, 7, "exited with status 7", null, true), deaths.get(0));
            exit.complete(null);
        });
        pids.clear(); // its parent was not this process
    }

    @Test
    void whatAKilledProcessHadPrintedIsHandedOnThoughNobodyHadReadIt() throws IOException {
        gate = new CountDownLatch(1);
        openWithShells("i=0; while [ $i -lt 3000 ]; do echo line $i; i=$((i+1)); done; echo ready >&2; exec sleep 600");
        agent.start(0);
        await("its last line", () -> printed.contains("0 err ready"));
        agent.signal(0, Signal.KILL);
        await("its death", () -> deaths.containsKey(0));
        gate.countDown();
        assertTrue(agent.finishOutput(60 * SECOND));
        assertEquals(3001, printed.size(), () -> "the last of them is " + List.copyOf(printed).getLast());
    }

    @Test
    void deathTellsWhatTheProcessCountedIfItDid() throws IOException {
        openWithShells("exit 3");
        Set<Path> made = places();
        made.removeAll(before);
        for (Path place : made) {
            Files.writeString(place.resolve("counters-0"), "no counters");
        }
        agent.start(0);
        await("its death", () -> deaths.containsKey(0));
        String words = deaths.get(0).lastWords();
        assertTrue(words != null && words.startsWith("left counters that cannot be read: "), words);
    }

    @Test
    void outputThatNobodyTakesIsNotWaitedForLonger() throws IOException {
        gate = new CountDownLatch(1);
        openWithShells("echo one");
        agent.start(0);
        await("its death", () -> deaths.containsKey(0));
        assertFalse(agent.finishOutput(SECOND / 20));
        gate.countDown();
        assertTrue(agent.finishOutput(60 * SECOND));
        assertEquals(List.of("0 out one"), List.copyOf(printed));
    }

    @Test
    void aStartThatFailsIsToldByAnEvent() throws IOException {
        open(NOWHERE, number -> {
            throw new IOException("no such program");
        });
        agent.start(0);
        assertEquals(List.of(), heard, "events come inside poll");
        assertEquals(0, agent.nextNanos(System.nanoTime()));
        agent.poll(System.nanoTime());
        assertEquals(List.of("not started 0: no such program"), heard);
        assertEquals(Long.MAX_VALUE, agent.nextNanos(System.nanoTime()));
    }

    @Test
    void aSegmentThatAProcessLeftBehindIsRemoved() throws IOException {
        open(NOWHERE, number -> new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xshare:auto", "-XX:+UseSerialGC", "--enable-native-access=ALL-UNNAMED", "-cp",
            System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
            Segment.class.getName()).start());
        agent.start(0);
        await("the segment", () -> !printed.isEmpty());
        String id = printed.peek().substring("0 out segment ".length());
        assertNotEquals("-1", id);
        assertTrue(segments().contains(id), () -> "no segment " + id);
        assertEquals(List.of(), agent.killAll(60 * SECOND));
        assertFalse(segments().contains(id), () -> "segment " + id + " is left");
    }

    private static Set<String> segments() throws IOException {
        return Files.readAllLines(Path.of("/proc/sysvipc/shm")).stream().map(line -> line.trim().split("\\s+")[1])
            .collect(Collectors.toSet());
    }

    @Test
    void theRoomOfTheHostIsKnownBeforeAnyJob() throws IOException {
        agent = new LocalAgent(MachineClock.HERE);
        assertEquals(Runtime.getRuntime().availableProcessors(), agent.room().cores());
        assertTrue(agent.room().availableBytes() > 0, () -> agent.room().toString());
        assertTrue(agent.finishOutput(0));
    }
}
