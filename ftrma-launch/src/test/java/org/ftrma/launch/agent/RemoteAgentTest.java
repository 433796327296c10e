package org.ftrma.launch.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.ftrma.core.counter.StateCounters;
import org.ftrma.rank.SystemClock;
import org.ftrma.rank.control.MachineClock;
import org.ftrma.rank.control.RankCheck;
import org.ftrma.rank.control.RankOptions;
import org.ftrma.rank.control.Token;
import org.ftrma.rank.program.ClassPathDigest;
import org.ftrma.spi.CounterStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The job's end and the host's end of an agent, with a connection in memory between them. */
@Tag("long")
@Timeout(120)
class RemoteAgentTest {
    /** How long an end may be silent, where a test is about that. */
    private static final long TIMEOUT_NANOS = 600_000_000L;
    /** The same where it is not: threads of a busy machine are silent for longer. */
    private static final long LONG_TIMEOUT_NANOS = 15_000_000_000L;
    private static final long WAIT_NANOS = 20_000_000_000L;
    private static final HostFacts FACTS = new HostFacts("far", 1, "kernel", "10.0.0.1", "eth0", List.of(),
        new HostRoom(4, 1000), "25", ClassPathDigest.NONE, 0, List.of());

    private final MemoryLink jobs = new MemoryLink();
    private final MemoryLink hosts = new MemoryLink();
    private final ScriptedAgent local = new ScriptedAgent();
    private final List<String> heard = new ArrayList<>();
    private final List<String> lines = Collections.synchronizedList(new ArrayList<>());
    private RemoteAgent agent = new RemoteAgent("far", FACTS, jobs, LONG_TIMEOUT_NANOS, MachineClock.HERE);
    private Thread thread;
    private volatile AgentLoop.End end;
    /** The agent's clock is so much ahead of the machine's. */
    private volatile long aheadNanos;

    private void begin() {
        begin(LONG_TIMEOUT_NANOS);
    }

    private void begin(long timeoutNanos) {
        agent = new RemoteAgent("far", FACTS, jobs, timeoutNanos, MachineClock.HERE);
        jobs.join(hosts);
        thread = Thread.ofPlatform().start(() ->
            end = new AgentLoop(hosts, local, Token.random(), timeoutNanos, () -> System.nanoTime() + aheadNanos)
                .run(FACTS));
        await("its facts", () -> {
            try {
                return FACTS.equals(jobs.facts());
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        });
    }

    private void open() throws IOException {
        open(ClassPathDigest.NONE);
    }

    private void open(ClassPathDigest program) throws IOException {
        agent.open(new HostJob("10.0.0.9", 4711, Token.random(), 1000, new RankOptions("Main", List.of(), "", program,
            RankCheck.NONE, 2, 0, 1, false, false), new RankJvm(2, 0, List.of(), null, null), List.of()),
            new HostAgent.Listener() {
                @Override
                public void started(int process, long pid) {
                    heard.add("started " + process + " " + pid);
                }

                @Override
                public void notStarted(int process, String why) {
                    heard.add("not started " + process + " " + why);
                }

                @Override
                public void dead(HostAgent.Death death) {
                    heard.add("dead " + death.process() + " " + death.status() + " " + death.cause()
                        + (death.step() > 0 ? " in step " + death.step() : ""));
                }

                @Override
                public void hostLost(String host, String why) {
                    heard.add("lost " + host + " " + why);
                }
            }, new HostAgent.Output() {
                @Override
                public void line(int process, boolean isError, byte[] line) {
                    lines.add(process + (isError ? "! " : " ") + new String(line, StandardCharsets.UTF_8));
                }

                @Override
                public void broken(int process, String why) {
                    lines.add(process + " broken " + why);
                }

                @Override
                public void note(String text) {
                    lines.add("note " + text);
                }
            }, () -> { });
    }

    @AfterEach
    void endAgent() throws InterruptedException {
        if (thread != null) {
            jobs.close();
            thread.join();
        }
    }

    /** As long as something happens, and 20 s more. */
    private void await(String what, BooleanSupplier condition) {
        long deadline = System.nanoTime() + WAIT_NANOS;
        int happened = happened();
        while (!condition.getAsBoolean()) {
            if (happened() != happened) {
                happened = happened();
                deadline = System.nanoTime() + WAIT_NANOS;
            }
            assertTrue(System.nanoTime() - deadline < 0, () -> "waited for " + what + "; for 20 s nothing happened: "
                + heard + ", " + lines.size() + " lines, asked for " + local.asked + ", agent's end " + end);
            LockSupport.parkNanos(1_000_000);
        }
    }

    private int happened() {
        return heard.size() + lines.size() + local.asked.size();
    }

    private void awaitHeard(String event) {
        await(event, () -> {
            agent.poll(System.nanoTime());
            return heard.contains(event);
        });
    }

    @Test
    void requestsGoThereAndEventsComeFromThere() throws IOException {
        begin();
        open();
        agent.start(3);
        awaitHeard("started 3 1003");
        agent.signal(3, HostAgent.Signal.STOP);
        assertNull(agent.vitals(3));
        await("vitals", () -> {
            agent.poll(System.nanoTime());
            return new ProcessVitals('S', 7).equals(agent.vitals(3));
        });
        await("a beat", () -> {
            agent.poll(System.nanoTime());
            return agent.room().availableBytes() == 500;
        });
        local.script.add(() -> local.listener.dead(new HostAgent.Death(3, 9, "exited with status 9", null, false)));
        awaitHeard("dead 3 9 exited with status 9");
        assertTrue(agent.finishOutput(1_000_000_000L));
        assertEquals(List.of(), agent.killAll(1_000_000_000L));
        agent.close();
        await("the agent's end", () -> end != null);
        assertEquals(AgentLoop.End.DONE, end);
        assertEquals(List.of("open 10.0.0.9:4711 Main", "start 3", "STOP 3", "kill all", "kill all", "close"),
            local.asked);
    }

    /** Now and then, and once more when the process dies; of processes that nobody has ordered nothing is taken. */
    @Test
    void whatProcessesCountComesNowAndThenAndAtTheirEnd() throws IOException {
        begin();
        List<String> counted = new ArrayList<>();
        agent.countersTo((bytes, process) -> counted.add(process + " " + new String(bytes, StandardCharsets.US_ASCII)));
        open();
        local.script.add(() -> local.listener.started(9, 1009));
        agent.start(3);
        awaitHeard("started 3 1003");
        assertEquals(List.of(), counted);
        local.counters = "one".getBytes(StandardCharsets.US_ASCII);
        await("what is counted now", () -> {
            agent.poll(System.nanoTime());
            return counted.contains("3 one");
        });
        local.counters = "two".getBytes(StandardCharsets.US_ASCII);
        local.script.add(() -> local.listener.dead(new HostAgent.Death(3, 9, "exited with status 9", null, false)));
        awaitHeard("dead 3 9 exited with status 9");
        assertEquals("3 two", counted.getLast());
        assertTrue(counted.stream().allMatch(one -> one.startsWith("3 ")), counted::toString);
    }

    @Test
    void linesOfAllLengthsArriveWholeAndInOrder() throws IOException {
        begin();
        open();
        String most = "x".repeat(3 * AgentLoop.PIECE_BYTES + 5);
        Thread programs = Thread.ofPlatform().start(() -> {
            local.output.line(1, false, new byte[0]);
            local.output.line(1, true, "error".getBytes(StandardCharsets.UTF_8));
            for (int i = 0; i < 20; i++) { // more than may be on its way at a time
                local.output.line(2, false, (i + most).getBytes(StandardCharsets.UTF_8));
            }
        });
        await("all lines", () -> {
            agent.poll(System.nanoTime());
            return lines.size() == 22;
        });
        assertFalse(programs.isAlive() && lines.size() < 22);
        assertEquals(List.of("1 ", "1! error", "2 0" + most), lines.subList(0, 3));
        assertEquals("2 19" + most, lines.get(21));
    }

    /** Other hosts may take long to come. */
    @Test
    void anAgentWaitsForItsJobLongerThanForItsNextWord() throws IOException {
        begin(TIMEOUT_NANOS);
        long joined = System.nanoTime();
        await("a time in which a host is lost", () -> System.nanoTime() - joined > 2 * TIMEOUT_NANOS);
        open();
        agent.start(3);
        awaitHeard("started 3 1003");
    }

    @Test
    void anAgentThatIsRefusedIsToldWhyAndEnds() {
        jobs.join(hosts);
        AgentLoop loop = new AgentLoop(hosts, local, Token.random(), TIMEOUT_NANOS);
        thread = Thread.ofPlatform().start(() -> end = loop.run(FACTS));
        jobs.refuse("there is one");
        await("the agent's end", () -> end != null);
        assertEquals(AgentLoop.End.REFUSED, end);
        assertEquals("there is one", loop.refusal());
        assertTrue(local.asked.containsAll(List.of("kill all", "close")), local.asked::toString);
    }

    @Test
    void aHostThatCannotBeMadeReadyIsTold() {
        begin();
        local.refusal = "no room in /tmp";
        String message = assertThrows(IOException.class, this::open).getMessage();
        assertEquals("host far: no room in /tmp", message);
    }

    @Test
    void aHostWithAnotherProgramIsRefusedWithTheFileThatDiffers(@TempDir Path place) throws IOException {
        Files.write(place.resolve("A.class"), new byte[] {1, 2, 3});
        ClassPathDigest program = ClassPathDigest.of(place.toString());
        Files.write(place.resolve("A.class"), new byte[] {1, 2, 4});
        begin();
        String message = assertThrows(IOException.class, () -> open(program)).getMessage();
        assertTrue(message.startsWith("host far: the program is not the one that the launcher has: ")
            && message.contains("A.class") && message.contains(place.toString()), message);
    }

    /** What the job hears counts from when it was sent: so a lease ends before the job takes the host for lost. */
    @Test
    void anEchoThatWasLongUnderWayDoesNotProlongTheLease() throws IOException {
        begin(TIMEOUT_NANOS);
        open();
        agent.start(3);
        awaitHeard("started 3 1003");
        jobs.isMute = true;
        byte[] echo = AgentCodec.encode(new AgentMessage.Echo(System.nanoTime()));
        await("its process stands still", () -> {
            hosts.frames.add(echo);
            hosts.wakeup.run();
            return local.asked.contains("STOP 3");
        });
    }

    /** The launcher may have been stopped: it goes on, and so does the host. Nobody was lost. */
    @Test
    void whatAHostRunsStandsStillWhileTheJobIsNotHeardAndGoesOnThen() throws IOException {
        begin();
        open();
        agent.start(3);
        awaitHeard("started 3 1003");
        jobs.isMute = true;
        aheadNanos = LONG_TIMEOUT_NANOS;
        await("the end of its lease", () -> local.asked.contains("STOP 3"));
        agent.start(4);
        hosts.frames.add(AgentCodec.encode(new AgentMessage.Start(4)));
        await("one that begins meanwhile stands still too", () -> local.asked.contains("STOP 4"));
        jobs.isMute = false;
        await("all go on", () -> {
            agent.poll(System.nanoTime());
            return local.asked.containsAll(List.of("CONTINUE 3", "CONTINUE 4"));
        });
        assertNull(end);
        assertNull(agent.lost());
    }

    /** Of a launcher that is gone with its host nothing comes any more, not even the end of a connection. */
    @Test
    void afterALongTimeItEndsWhatItHasStarted() throws IOException {
        begin();
        open();
        agent.start(3);
        awaitHeard("started 3 1003");
        jobs.isMute = true;
        aheadNanos = 19 * LONG_TIMEOUT_NANOS;
        await("the end of its lease", () -> local.asked.contains("STOP 3"));
        assertNull(end);
        aheadNanos = 22 * LONG_TIMEOUT_NANOS;
        await("the agent's end", () -> end != null);
        assertEquals(AgentLoop.End.LEASE_ENDED, end);
        assertTrue(local.asked.contains("kill all"), local.asked::toString);
    }

    @Test
    void aHostThatFallsSilentIsLostWithAllItsProcessesWhichStandStillBefore() throws IOException {
        begin(TIMEOUT_NANOS);
        open();
        agent.start(3);
        agent.start(4);
        awaitHeard("started 4 1004");
        jobs.isMute = true;
        hosts.isMute = true;
        awaitHeard("lost far silent for more than 600ms");
        assertTrue(heard.containsAll(List.of("dead 3 -2 its host far is lost: silent for more than 600ms",
            "dead 4 -2 its host far is lost: silent for more than 600ms")), heard::toString);
        await("they stand still", () -> local.asked.containsAll(List.of("STOP 3", "STOP 4")));
        int before = heard.size();
        hosts.isMute = false;
        hosts.send(AgentCodec.encode(new AgentMessage.Started(9, 9)));
        agent.poll(System.nanoTime());
        assertEquals(before, heard.size(), "nothing of it is heard any more");
        agent.start(5);
        agent.poll(System.nanoTime());
        assertEquals("not started 5 its host far is lost: silent for more than 600ms", heard.getLast());
        assertEquals(List.of(), agent.killAll(1), "nobody waits for it");
    }

    @Test
    void aHostIsLostOnceWhateverItsAgentGoesOnToSay() throws IOException {
        begin();
        open();
        byte[] facts = AgentCodec.encode(new AgentMessage.Facts(FACTS));
        hosts.send(facts);
        hosts.send(facts);
        hosts.send(new byte[] {1});
        awaitHeard("lost far its agent said twice what it is");
        agent.poll(System.nanoTime());
        agent.giveUp("for a reason of the job's");
        agent.poll(System.nanoTime());
        assertEquals(1, heard.stream().filter(line -> line.startsWith("lost ")).count(), heard::toString);
        assertEquals("its agent said twice what it is", agent.lost());
    }

    @Test
    void aProcessThatIsLostWithItsHostIsInTheStepThatItHasCountedLast() throws IOException {
        begin();
        open();
        MemorySegment[] memory = new MemorySegment[1];
        new StateCounters(bytes -> memory[0] = CounterStore.NONE.memory(bytes), new SystemClock(false, false)).step(17);
        local.counters = memory[0].toArray(ValueLayout.JAVA_BYTE);
        agent.countersTo((bytes, process) -> heard.add("counted"));
        agent.start(3);
        awaitHeard("counted");
        agent.giveUp("for a test");
        awaitHeard("dead 3 -2 its host far is lost: for a test in step 17");
    }

    /** Its agent may be held up. */
    @Test
    void aHostWhoseProcessesAreHeardIsNotLost() throws IOException {
        begin(TIMEOUT_NANOS);
        open();
        agent.silenceBy(process -> 0);
        agent.start(3);
        awaitHeard("started 3 1003");
        hosts.isMute = true;
        long begun = System.nanoTime();
        await("some time", () -> {
            agent.poll(System.nanoTime());
            return System.nanoTime() - begun > 2 * TIMEOUT_NANOS;
        });
        assertNull(agent.lost());
        agent.signal(3, HostAgent.Signal.KILL);
        awaitHeard("lost far silent for more than 600ms");
    }

    @Test
    void anAgentThatLosesTheJobEndsWhatItHasStarted() throws IOException {
        begin();
        open();
        jobs.close();
        await("the agent's end", () -> end != null);
        assertEquals(AgentLoop.End.LINK_LOST, end);
        assertEquals(List.of("kill all", "close"), local.asked.subList(1, 3));
    }

    @Test
    void anAgentThatIsNotUnderstoodIsLost() throws IOException {
        begin();
        open();
        hosts.send(new byte[] {1, 2, 3});
        awaitHeard("lost far its agent sent a frame that is no event: a frame of 3 bytes ends too early");
    }

    @Test
    void hostsThatAreOneMachineShareItsCores() {
        HostFacts elsewhere = new HostFacts("far", 1, "another kernel", "10.0.0.9", "eth0", List.of(),
            new HostRoom(4, 1000), "25", ClassPathDigest.NONE, 0, List.of());
        RemoteAgent beside = new RemoteAgent("beside", FACTS, jobs, TIMEOUT_NANOS, MachineClock.HERE);
        RemoteAgent other = new RemoteAgent("other", elsewhere, jobs, TIMEOUT_NANOS, MachineClock.HERE);
        assertEquals(2, agent.coresAmong(Stream.of(agent, beside, other)));
        assertEquals(4, other.coresAmong(Stream.of(agent, beside, other)));
        assertEquals(1, agent.coresAmong(Stream.generate(() -> beside).limit(9)));
    }
}
