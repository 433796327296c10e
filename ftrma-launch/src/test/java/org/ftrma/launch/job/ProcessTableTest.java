package org.ftrma.launch.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import org.ftrma.FtrmaException;
import org.ftrma.launch.agent.HostAgent;
import org.ftrma.launch.agent.HostAgent.Death;
import org.ftrma.launch.agent.LocalAgent;
import org.ftrma.launch.control.ControlServer;
import org.ftrma.rank.control.MachineClock;
import org.ftrma.rank.control.SocketControlPlane;
import org.ftrma.rank.control.Token;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Processes of a host that answers when it likes. */
class ProcessTableTest {
    private static final long SECOND = 1_000_000_000L;

    private final RecordingAgent agent = new RecordingAgent();
    private final List<String> heard = new ArrayList<>();
    private final ProcessTable table = new ProcessTable(agent, new ProcessTable.Hearer() {
        @Override
        public void started(int number) {
            heard.add("started " + number);
        }

        @Override
        public void joined(int number) {
            heard.add("joined " + number);
        }

        @Override
        public void mistaken(int number, long pid) {
            heard.add("mistaken " + number + " for " + pid);
        }

        @Override
        public void notStarted(int number, String why) {
            heard.add("not started " + number + ": " + why);
        }
    }, MachineClock.HERE);
    private final Token token = Token.random();
    private final ControlServer server = new ControlServer(token, new ControlServer.Listener() {
        @Override
        public void joined(int process, long pid) {
            table.came(process, pid);
        }

        @Override
        public void received(int process, byte[] payload) {
            heard.add("received " + process);
        }

        @Override
        public void disconnected(int process, String why) {
            heard.add("disconnected " + process);
        }

        @Override
        public void rejected(String why) {
            heard.add("rejected " + why);
        }
    }, SECOND, SECOND);

    @BeforeEach
    void open() {
        agent.open(null, table, null, null);
        agent.requests.clear();
    }

    @AfterEach
    void close() {
        server.close();
    }

    private void reap() {
        table.reap(server, handle -> {
            heard.add("reaped " + handle.number + ": " + handle.cause());
            table.bury(handle);
        });
    }

    @Test
    void aStartIsARequestAndItsAnswerAnEvent() {
        assertEquals(0, table.start(table.nextNumber()).number);
        assertEquals(1, table.start(table.nextNumber()).number);
        assertEquals(List.of("start 0", "start 1"), agent.requests);
        reap();
        assertEquals(List.of(), heard);
        agent.events.add(listener -> listener.started(1, 77));
        agent.events.add(listener -> listener.notStarted(0, "no room"));
        assertEquals(0, table.nextNanos(0));
        reap();
        assertEquals(List.of("started 1", "not started 0: no room"), heard);
        assertEquals(0, table.nextFailedStart());
        assertNull(table.nextFailedStart());
        assertNull(table.get(0));
    }

    @Test
    void aProcessJoinsWhenItHasComeAndItsHostHasToldOfItWhicheverIsFirst() {
        table.start(0);
        table.start(1);
        table.came(0, 70);
        assertFalse(table.get(0).joined);
        agent.events.add(listener -> listener.started(0, 70));
        agent.events.add(listener -> listener.started(1, 71));
        reap();
        assertTrue(table.get(0).joined);
        table.came(1, 71);
        assertTrue(table.get(1).joined);
        assertEquals(List.of("started 0", "joined 0", "started 1", "joined 1"), heard);
    }

    @Test
    void whoComesInPlaceOfAnotherDoesNotJoin() {
        table.start(0);
        table.start(1);
        table.came(0, 1234);
        table.came(7, 70);
        agent.events.add(listener -> listener.started(0, 70));
        agent.events.add(listener -> listener.started(1, 71));
        reap();
        table.came(1, 72);
        assertEquals(List.of("mistaken 7 for 70", "started 0", "mistaken 0 for 1234", "started 1",
            "mistaken 1 for 72"), heard);
        assertFalse(table.get(0).joined || table.get(1).joined);
    }

    @Test
    void aDeadProcessWithoutAConnectionIsReapedAtOnce() {
        table.start(3);
        agent.events.add(listener -> listener.started(3, 70));
        agent.events.add(listener -> listener.dead(new Death(3, 7, "exited with status 7", null, false)));
        reap();
        assertEquals(List.of("started 3", "reaped 3: exited with status 7"), heard);
        assertTrue(table.isEmpty());
    }

    @Test
    void aDeadProcessIsReapedWhenItsConnectionHasEndedUnlessAllIsHereBefore() {
        for (boolean allHere : new boolean[] {false, true}) {
            heard.clear();
            int number = table.nextNumber();
            table.start(number);
            server.expect(number);
            CompletableFuture<SocketControlPlane> connecting = CompletableFuture.supplyAsync(() ->
                new SocketControlPlane(server.address(), token, number, Thread.currentThread(), () -> { }, 20_000));
            agent.events.add(listener -> listener.started(number, ProcessHandle.current().pid()));
            await("it to join", () -> heard.contains("joined " + number) && connecting.isDone());
            connecting.join().send(new byte[] {1, 2, 3});
            agent.events.add(listener -> listener.dead(new Death(number, 137, "killed by SIGKILL", null, allHere)));
            reap();
            assertEquals(allHere, table.isEmpty());
            connecting.join().close();
            await("it to be reaped", table::isEmpty);
            assertEquals("reaped " + number + ": killed by SIGKILL", heard.getLast());
            server.forget(number);
        }
    }

    private void await(String what, BooleanSupplier condition) {
        long end = System.nanoTime() + 20 * SECOND;
        while (!condition.getAsBoolean()) {
            assertTrue(System.nanoTime() - end < 0, () -> "waited 20 s for " + what + "; heard " + heard);
            server.poll(5);
            reap();
        }
    }

    @Test
    void whatIsNotGoneIsNamed() {
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        table.killAll(new PrintStream(text, true, StandardCharsets.UTF_8));
        assertEquals("ftrma: processes [5] are not gone 5m after they were killed\n", text.toString());
    }

    @Test
    void aJobThatCannotFitIsRefused() {
        HostAgent agent = new LocalAgent(MachineClock.HERE);
        agent.requireRoom(1, ProcessTable.LEAST_PROCESS_BYTES);
        FtrmaException refused = assertThrows(FtrmaException.class, () ->
            agent.requireRoom(1_000_000, ProcessTable.LEAST_PROCESS_BYTES));
        assertTrue(refused.getMessage().startsWith("1000000 processes need at least 30.5 TiB, only "),
            refused.getMessage());
    }
}
