package org.ftrma.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.ftrma.Channel;
import org.ftrma.Job;
import org.ftrma.MessageRequest;
import org.ftrma.core.coordinator.JobEvent;
import org.ftrma.testkit.Script.Part;
import org.ftrma.testkit.Script.Story;
import org.junit.jupiter.api.Test;

/**
 * Executions in which messages that are logged pessimistically go wrong unless a rule is kept: each is played with the
 * loss, whose rank is then recovered alone with the result of the run without it; and once more with the rule broken,
 * which is found.
 */
class BadMessageExecutionsTest {
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
    private static final int SEEDS = 6;
    private static final int ASKED = 5;
    private static final int GO = 6;
    private static final int TOLD = 7;
    private static final Map<String, String> LOGGED = Map.of("protocol", "pessimistic-v", "lane", "4KiB", "eager",
        "512B", "recovery-deadline", "2s");

    private static Story story(String name, String interval, long steps, Part part) {
        return new Story(name, 4, 1, interval, steps, part, LOGGED);
    }

    /** Recovered alone as often as told, and where the bug is in, some run ends in another way. */
    private static void isKept(Story story, int losses, ProtocolBug... bugs) {
        Map<Integer, Map<String, byte[]>> expected = story.run(1, false, Set.of()).contents();
        for (long seed = 1; seed <= SEEDS; seed++) {
            SimResult result = story.run(seed, true, Set.of());
            assertNull(result.fault(expected), result::story);
            assertEquals(losses, result.outcome().localRecoveries(), result::story);
            assertEquals(0, result.outcome().rollbacks(), result::story);
        }
        for (ProtocolBug bug : bugs) {
            int found = 0;
            for (long seed = 1; seed <= SEEDS; seed++) {
                SimResult result = story.run(seed, true, EnumSet.of(bug));
                found += result.fault(expected) != null || result.outcome().rollbacks() > 0 ? 1 : 0;
            }
            System.out.println(bug + ": " + found + " of " + SEEDS + " runs show");
            assertTrue(found > 0, bug + " was not found");
        }
    }

    /** In a replacement: what others have sent again may be here before the program asks for it. */
    private static void letAllCome(Job job, Script script, org.ftrma.Window window) {
        if (job.incarnation() > 0) {
            script.settle(job, window);
            job.progress();
        }
    }

    /**
     * A receive matches a long message that is still under way; a second one matches a short one and is told. In the
     * replay the first one must not take the short one.
     */
    @Test
    void v1AReceiveIsAnEventWhenItIsMatchedNotWhenItIsComplete() {
        long length = 6 << 20;
        isKept(story("match, then complete", "none", 1, (job, script, window, memory) -> {
            Channel world = job.messages();
            try (Arena arena = Arena.ofConfined()) {
                switch (job.rank()) {
                    case 0 -> {
                        letAllCome(job, script, window);
                        world.probe(2, ASKED);
                        MessageRequest first = world.irecv(arena.allocate(length, 8), Channel.ANY_SOURCE, ASKED);
                        script.reach(1);
                        MessageRequest second = world.irecv(arena.allocate(length, 8), Channel.ANY_SOURCE, ASKED);
                        int source = second.await().source();
                        memory.set(LONG, 0, source);
                        world.sendLong(source, 3, TOLD);
                        script.progress(job, () -> script.isAt(3));
                        memory.set(LONG, 8, first.await().source());
                    }
                    case 1 -> {
                        script.progress(job, () -> script.isAt(1));
                        world.sendLong(9, 0, ASKED);
                        script.progress(job, () -> script.isAt(2));
                        script.settle(job, window);
                        script.die(job, 3, 0);
                    }
                    case 2 -> {
                        MessageRequest sent = world.isend(arena.allocate(length, 8), 0, ASKED);
                        script.await(job, window, 3);
                        sent.await();
                    }
                    default -> {
                        memory.set(LONG, 0, world.recvLong(0, TOLD));
                        script.reach(2);
                    }
                }
            }
        }), 1, ProtocolBug.EVENT_AT_COMPLETION);
    }

    /** Who has sent synchronously knows what was taken first, and tells another one. */
    @Test
    void v2TheAnswerToASynchronousSendWaitsForEvents() {
        isKept(story("an answer is a message", "none", 1, (job, script, window, memory) -> {
            Channel world = job.messages();
            switch (job.rank()) {
                case 0 -> {
                    letAllCome(job, script, window);
                    memory.set(LONG, 0, world.recvLong(Channel.ANY_SOURCE, ASKED));
                    script.progress(job, () -> script.isAt(3));
                    memory.set(LONG, 8, world.recvLong(Channel.ANY_SOURCE, ASKED));
                }
                case 1 -> {
                    world.recvLong(2, GO);
                    world.sendLong(11, 0, ASKED);
                    script.reach(2);
                }
                case 2 -> {
                    try (Arena arena = Arena.ofConfined()) {
                        MemorySegment one = arena.allocate(8, 8);
                        one.set(LONG, 0, 22);
                        world.ssend(one, 0, ASKED);
                    }
                    world.sendLong(1, 1, GO);
                    script.progress(job, () -> script.isAt(2));
                    script.settle(job, window);
                    script.die(job, 3, 0);
                }
                default -> { }
            }
        }), 1, ProtocolBug.CONTROL_NOT_GATED);
    }

    /** What was told depends on what was not there yet. */
    @Test
    void v3NothingWasThereIsAnEventWhenSomethingLeaves() {
        isKept(story("a streak, then a message", "none", 1, (job, script, window, memory) -> {
            Channel world = job.messages();
            switch (job.rank()) {
                case 0 -> {
                    letAllCome(job, script, window);
                    long found = world.iprobe(Channel.ANY_SOURCE, ASKED) != null ? 1 : 0;
                    memory.set(LONG, 0, found);
                    world.sendLong(found, 1, TOLD);
                    script.progress(job, () -> script.isAt(3));
                    memory.set(LONG, 8, world.recvLong(Channel.ANY_SOURCE, ASKED));
                }
                case 1 -> {
                    memory.set(LONG, 0, world.recvLong(0, TOLD));
                    script.reach(1);
                }
                case 2 -> {
                    script.progress(job, () -> script.isAt(1));
                    world.sendLong(5, 0, ASKED);
                    script.reach(2);
                    script.settle(job, window);
                    script.die(job, 3, 0);
                }
                default -> { }
            }
        }), 1, ProtocolBug.STREAK_NOT_FLUSHED, ProtocolBug.FAILED_TEST_FREE);
    }

    /** A probe that had found something waits in the replay until that is there again. */
    @Test
    void v4WhatWasThereIsWaitedFor() {
        isKept(story("a probe finds", "none", 1, (job, script, window, memory) -> {
            Channel world = job.messages();
            switch (job.rank()) {
                case 0 -> {
                    script.progress(job, () -> script.isAt(1));
                    script.settle(job, window);
                    long found = world.iprobe(Channel.ANY_SOURCE, ASKED) != null ? 1 : 0;
                    memory.set(LONG, 0, found);
                    world.sendLong(found, 1, TOLD);
                    script.progress(job, () -> script.isAt(3));
                    memory.set(LONG, 8, world.recvLong(Channel.ANY_SOURCE, ASKED));
                }
                case 1 -> {
                    memory.set(LONG, 0, world.recvLong(0, TOLD));
                    script.die(job, 3, 0);
                }
                case 2 -> {
                    world.sendLong(5, 0, ASKED);
                    script.reach(1);
                }
                default -> { }
            }
        }), 1);
    }

    /** How often a synchronous send was not complete yet is what another rank knows. */
    @Test
    void v5OutcomesOfSendsAreEvents() {
        isKept(story("tests of a send", "none", 1, (job, script, window, memory) -> {
            Channel world = job.messages();
            switch (job.rank()) {
                case 0 -> {
                    try (Arena arena = Arena.ofConfined()) {
                        MessageRequest sent = world.issend(arena.allocate(8, 8), 2, ASKED);
                        long tests = 0;
                        while (!sent.test()) {
                            tests++;
                            script.reach(tests == 3 ? 1 : 0);
                        }
                        world.sendLong(tests, 1, TOLD);
                        script.progress(job, () -> script.isAt(3));
                        memory.set(LONG, 0, world.recvLong(1, TOLD) - tests);
                    }
                }
                case 1 -> {
                    long told = world.recvLong(0, TOLD);
                    script.settle(job, window);
                    script.die(job, 3, 0);
                    world.sendLong(told, 0, TOLD);
                }
                case 2 -> {
                    script.await(job, window, 1);
                    world.recvLong(0, ASKED);
                }
                default -> { }
            }
        }), 1, ProtocolBug.FAILED_TEST_FREE);
    }

    /** A receive was ended before anything came, and another rank knows. */
    @Test
    void v6ThatAReceiveWasCancelledIsAnEvent() {
        isKept(story("cancel", "none", 1, (job, script, window, memory) -> {
            Channel world = job.messages();
            switch (job.rank()) {
                case 0 -> {
                    letAllCome(job, script, window);
                    try (Arena arena = Arena.ofConfined()) {
                        MessageRequest receive = world.irecv(arena.allocate(8, 8), Channel.ANY_SOURCE, ASKED);
                        long cancelled = receive.cancel() ? 1 : 0;
                        receive.await();
                        memory.set(LONG, 0, cancelled);
                        world.sendLong(cancelled, 1, TOLD);
                        script.progress(job, () -> script.isAt(3));
                        memory.set(LONG, 8, world.recvLong(Channel.ANY_SOURCE, ASKED));
                    }
                }
                case 1 -> {
                    memory.set(LONG, 0, world.recvLong(0, TOLD));
                    script.reach(1);
                }
                case 2 -> {
                    script.progress(job, () -> script.isAt(1));
                    world.sendLong(5, 0, ASKED);
                    script.settle(job, window);
                    script.die(job, 3, 0);
                }
                default -> { }
            }
        }), 1, ProtocolBug.SEND_BEFORE_STABLE);
    }

    /** What rank 0 has sent before its image is asked for after it was lost, and so was the one that asks. */
    @Test
    void v7TheSendLogIsInTheImage() {
        isKept(story("the log that died", "1", 4, (job, script, window, memory) -> {
            Channel world = job.messages();
            try (Arena arena = Arena.ofConfined()) {
                if (job.rank() == 0 && job.step() == 1) {
                    MemorySegment one = arena.allocate(40_000, 8);
                    one.set(LONG, 32_000, 77);
                    world.send(one, 1, ASKED);
                } else if (job.rank() == 2 && job.step() == 3) {
                    script.settle(job, window);
                    script.die(job, 1, 0);
                    script.progress(job, () -> script.hasReplayed() || !script.hasFailures());
                    script.die(job, 2, 1);
                } else if (job.rank() == 0 && job.step() == 4) {
                    script.progress(job, () -> script.isAt(2));
                } else if (job.rank() == 1 && job.step() == 3) {
                    script.progress(job, () -> script.isAt(2));
                } else if (job.rank() == 1 && job.step() == 4) {
                    MemorySegment room = arena.allocate(40_000, 8);
                    world.recv(room, 0, ASKED);
                    memory.set(LONG, 0, room.get(LONG, 32_000));
                }
            }
        }), 2, ProtocolBug.LOG_NOT_IN_IMAGE);
    }

    /** The event logger is lost, and later the rank whose events it had. */
    @Test
    void el1AReplacedLoggerIsGivenTheEventsAgain() {
        isKept(story("logger, then rank", "none", 1, (job, script, window, memory) -> {
            Channel world = job.messages();
            switch (job.rank()) {
                case 0 -> {
                    letAllCome(job, script, window);
                    memory.set(LONG, 0, world.recvLong(Channel.ANY_SOURCE, ASKED));
                    world.sendLong(1, 1, GO);
                    memory.set(LONG, 8, world.recvLong(Channel.ANY_SOURCE, ASKED));
                    world.sendLong(memory.get(LONG, 0), 3, TOLD);
                    script.progress(job, () -> script.isAt(3));
                }
                case 1 -> {
                    world.recvLong(0, GO);
                    world.sendLong(11, 0, ASKED);
                }
                case 2 -> world.sendLong(22, 0, ASKED);
                default -> {
                    memory.set(LONG, 0, world.recvLong(0, TOLD));
                    script.settle(job, window);
                    script.die(job, 2, 4);
                    script.await(job, window, () -> !script.hasFailures()
                        || script.count(JobEvent.RedundancyChanged.class, JobEvent.RedundancyChanged::whole) > 0);
                    script.settle(job, window);
                    script.die(job, 3, 0);
                }
            }
        }), 1, ProtocolBug.LOGGER_NOT_REFILLED);
    }
}
