package org.ftrma.launch.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.ftrma.core.control.ControlMessage;
import org.ftrma.core.control.MessageCodec;
import org.ftrma.core.coordinator.Coordinator;
import org.ftrma.core.coordinator.CoordinatorHost;
import org.ftrma.core.coordinator.JobEvent;
import org.ftrma.core.coordinator.JobOutcome;
import org.ftrma.launch.agent.HostAgent.Death;
import org.ftrma.launch.inject.InjectedFailure.Action;
import org.ftrma.options.JobOptions;
import org.ftrma.rank.control.MachineClock;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is done to a job whose host takes its time. */
class TargetsTest {
    private static final long SECOND = 1_000_000_000L;

    private final JobOptions options = JobOptions.of(Map.of("ranks", "2", "checksums", "1"));
    private final RecordingAgent agent = new RecordingAgent();
    private final List<String> released = new ArrayList<>();
    private final ProcessTable table = new ProcessTable(agent, new ProcessTable.Hearer() {
        @Override
        public void started(int number) {
            assertTrue(number >= 0);
        }

        @Override
        public void joined(int number) {
            coordinator.onJoin(number, SECOND);
        }

        @Override
        public void mistaken(int number, long pid) {
            throw new AssertionError("process " + number + " is not " + pid);
        }

        @Override
        public void notStarted(int number, String why) {
            throw new AssertionError(why);
        }
    }, MachineClock.HERE);
    private final Coordinator coordinator = new Coordinator(options, new CoordinatorHost() {
        @Override
        public void send(int process, byte[] frame) {
            try {
                if (MessageCodec.decode(frame) instanceof ControlMessage.Release release) {
                    released.add(process + "@" + release.step());
                }
            } catch (MessageCodec.MalformedException e) {
                throw new AssertionError(e);
            }
        }

        @Override
        public void fence(int process, String why) {
            throw new AssertionError("process " + process + " is fenced: " + why);
        }

        @Override
        public void startProcess() {
            startOne();
        }

        @Override
        public void event(JobEvent event) {
            assertFalse(event instanceof JobEvent.Committed);
        }

        @Override
        public void finished(JobOutcome outcome) {
            throw new AssertionError(outcome);
        }
    });
    private final Targets targets = new Targets(options, coordinator, table, new CrashLoop(options.ranks()),
        () -> PlacementPolicy.ONE_HOST, text -> { });

    private void startOne() {
        int number = table.nextNumber();
        table.start(number);
        agent.events.add(listener -> listener.started(number, 100 + number));
    }

    private void joinAll() {
        agent.poll(0);
        for (RankHandle handle : List.copyOf(table.all())) {
            if (!handle.joined) {
                table.came(handle.number, handle.pid);
            }
        }
    }

    @BeforeEach
    void open() {
        agent.open(null, table, null, null);
        for (int member = 0; member < 3; member++) {
            startOne();
        }
        joinAll();
        assertEquals(List.of(0, 1, 2), List.of(coordinator.processOf(0), coordinator.processOf(1),
            coordinator.processOf(2)));
        agent.requests.clear();
    }

    @Test
    void aMemberIsHitByASignalToItsProcess() {
        targets.hit(1, Action.KILL);
        targets.hit(2, Action.STOP);
        assertEquals(List.of("KILL 1", "STOP 2"), agent.requests);
        assertTrue(targets.present(1), "its host has not told of its death");
        agent.events.add(listener -> listener.dead(new Death(1, 137, "killed by SIGKILL", null, true)));
        agent.poll(0);
        assertFalse(targets.present(1));
    }

    @Test
    void aMemberThatWasHitDoesNotGoOnWhileTheSignalIsUnderWayButWhoeverTakesItsPlaceDoes() {
        targets.release(0, 5);
        targets.release(1, 5);
        assertEquals(List.of("0@5", "1@5"), released);
        targets.hit(1, Action.KILL);
        targets.release(0, 6);
        targets.release(1, 6);
        assertEquals(List.of("0@5", "1@5", "0@6"), released);

        table.bury(table.get(1));
        coordinator.onExit(1, "killed by SIGKILL", SECOND);
        joinAll();
        assertEquals(3, coordinator.processOf(1));
        targets.release(1, 6);
        assertEquals("3@6", released.getLast());
    }
}
