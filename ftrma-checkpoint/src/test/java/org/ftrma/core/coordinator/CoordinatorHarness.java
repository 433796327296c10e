package org.ftrma.core.coordinator;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.ftrma.core.control.ControlMessage;
import org.ftrma.core.control.MessageCodec;
import org.ftrma.options.JobOptions;

/**
 * The coordinator against a host that only takes notes: 2 computing ranks (processes 0, 1), 1 checksum rank (2), 1
 * spare (3).
 */
abstract class CoordinatorHarness implements CoordinatorHost {
    private final Map<Integer, List<ControlMessage>> sent = new HashMap<>();
    final List<JobEvent> events = new ArrayList<>();
    final List<String> fenced = new ArrayList<>();
    int started;
    JobOutcome outcome;
    long now;
    Coordinator coordinator = coordinator("coordinated");

    /** The states that a member went through, from a number of events on. */
    String states(int member, int from) {
        return events.stream().skip(from).filter(JobEvent.MemberChanged.class::isInstance)
            .map(JobEvent.MemberChanged.class::cast)
            .filter(event -> event.member() == member).map(event -> event.from() + " " + event.to())
            .collect(Collectors.joining(", "));
    }

    Coordinator coordinator(String protocol) {
        return new Coordinator(JobOptions.of(Map.of("ranks", "2", "checksums", "1", "spares", "1", "cut-deadline",
            "1s", "recovery-deadline", "10s", "protocol", protocol)), this);
    }

    @Override
    public void send(int process, byte[] frame) {
        try {
            sent.computeIfAbsent(process, p -> new ArrayList<>()).add(MessageCodec.decode(frame));
        } catch (MessageCodec.MalformedException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public void fence(int process, String why) {
        fenced.add(process + ": " + why);
    }

    @Override
    public void startProcess() {
        started++;
    }

    @Override
    public void event(JobEvent event) {
        events.add(event);
    }

    @Override
    public void finished(JobOutcome end) {
        assertNull(outcome, "finished twice");
        outcome = end;
    }

    void say(int process, ControlMessage.ToCoordinator message) {
        coordinator.onFrame(process, MessageCodec.encode(message), now);
    }

    void tick(long seconds) {
        now += seconds * 1_000_000_000L;
        coordinator.onTick(now);
    }

    <T extends ControlMessage> List<T> got(int process, Class<T> type) {
        return sent.getOrDefault(process, List.of()).stream().filter(type::isInstance).map(type::cast).toList();
    }

    <T extends ControlMessage> T last(int process, Class<T> type) {
        List<T> all = got(process, type);
        assertFalse(all.isEmpty(), "process " + process + " was not told " + type.getSimpleName());
        return all.getLast();
    }

    void join() {
        for (int process = 0; process < 4; process++) {
            coordinator.onJoin(process, now);
        }
    }

    void start() {
        join();
        restore(1, 0, 1, 2);
    }

    void restore(int view, int... processes) {
        for (int process : processes) {
            say(process, new ControlMessage.Restored(view, ""));
        }
    }

    void cutUntilCopied(int view, long step, long generation) {
        say(0, new ControlMessage.CutArrived(view, step, ""));
        say(1, new ControlMessage.CutArrived(view, step, ""));
        assertEquals(generation, last(0, ControlMessage.CutGo.class).generation());
        say(0, new ControlMessage.ImageReady(view, step, generation));
        assertTrue(got(0, ControlMessage.Resume.class).stream().noneMatch(r -> r.step() == step),
            "resumed before all had copied");
        say(1, new ControlMessage.ImageReady(view, step, generation));
        assertEquals(step, last(0, ControlMessage.Resume.class).step());
    }

    /** All ranks have copied and go on, and parity is being made. */
    void cut(int view, long step, long generation) {
        cutUntilCopied(view, step, generation);
        say(0, new ControlMessage.CutCost(view, generation, 1));
        say(1, new ControlMessage.CutCost(view, generation, 1));
    }

    void enter(int view, int... processes) {
        for (int process : processes) {
            say(process, new ControlMessage.Exchange(view, ControlMessage.Scope.ALL.ordinal(), 0, new long[0],
                new byte[1], ""));
        }
    }

    void contribute(int process, int sequence, int value) {
        say(process, new ControlMessage.Exchange(1, ControlMessage.Scope.COMPUTING.ordinal(), sequence, new long[0],
            new byte[] {(byte) value},
            ""));
    }

    void ask(int process, int scope, int sequence, int member, int count) {
        say(process, new ControlMessage.Ask(1, scope, sequence, member, count));
    }

    void assertAnswered(int process, int member, int... values) {
        int before = got(process, ControlMessage.Answer.class).size();
        ask(process, ControlMessage.Scope.COMPUTING.ordinal(), 0, member, values.length);
        assertEquals(before + 1, got(process, ControlMessage.Answer.class).size());
        ControlMessage.Answer answer = last(process, ControlMessage.Answer.class);
        assertEquals(member, answer.member());
        assertEquals(0, answer.sequence());
        assertArrayEquals(IntStream.of(values).mapToObj(value -> new byte[] {(byte) value}).toArray(), answer.blobs());
    }
}
