package org.ftrma.testkit;

import static org.ftrma.testkit.BadExecutionsTest.LOCAL;
import static org.ftrma.testkit.BadExecutionsTest.SEEDS;
import static org.ftrma.testkit.BadExecutionsTest.recovered;
import static org.ftrma.testkit.BadExecutionsTest.right;
import static org.ftrma.testkit.BadExecutionsTest.story;
import static org.ftrma.testkit.BadExecutionsTest.wrong;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.ValueLayout;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.ftrma.Job;
import org.ftrma.LockType;
import org.ftrma.Window;
import org.ftrma.core.control.FallbackReason;
import org.ftrma.core.coordinator.JobEvent;
import org.ftrma.testkit.Script.Story;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * As {@link BadExecutionsTest}, about what the others wait for, confirm and do while a rank is lost or all go back,
 * and about losses one after the other (design 6.1, 6.7 to 6.10).
 */
@Tag("long")
class BadLossExecutionsTest {
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;

    /**
     * 6.7: rank 2 has entered a barrier and not yet the next one, in which rank 0 dies and comes back; then rank 2
     * dies. Its replacement waits for a signal that the first process of rank 0 had sent to the first one of rank 2.
     */
    @Test
    void e17ABarrierSignalOutlivesItsSenderAndItsReceiver() {
        Story story = story("signal of a lost rank", 4, 2, (job, script, window, memory) -> {
            job.gsync();
            if (job.rank() == 0) {
                script.reach(1);
            } else if (job.rank() == 2) {
                script.await(job, window, 1);
                long since = script.nanos();
                script.await(job, window, () -> script.nanos() > since + 5_000_000);
                script.die(job, 2, 0);
                script.await(job, window, () -> script.hasReplayed() || !script.hasFailures());
                script.die(job, 3, 2);
            }
            window.putLong(job.rank() + 1, (job.rank() + 1) % 4, 0);
            job.gsync();
        });
        Map<Integer, Map<String, byte[]>> expected = story.run(1, false, Set.of()).contents();
        for (long seed = 1; seed <= SEEDS; seed++) {
            SimResult result = story.run(seed, true, Set.of());
            assertNull(result.fault(expected), result::story);
            assertEquals(2, count(result, JobEvent.MemberLost.class), result::story);
        }
        assertTrue(wrong(story, "SIGNALS_FORGOTTEN") > SEEDS / 2);
    }

    private static long count(SimResult result, Class<? extends JobEvent> type) {
        return result.events().stream().filter(e -> type.isInstance(e.event())).count();
    }

    /**
     * 6.8: rank 0 puts more than its log holds while rank 1 waits for it in a gsync: whoever waits for room waits for
     * ever.
     */
    @Test
    void e13NobodyWaitsForLogMemory() {
        Story story = new Story("full log", 3, 1, "none", 4, (job, script, window, memory) -> {
            memory.set(LONG, 0, memory.get(LONG, 0) + 1);
            if (job.rank() == 0 && memory.get(LONG, 0) == 1) {
                for (int i = 0; i < 80; i++) {
                    window.memory().set(LONG, 0, window.memory().get(LONG, 0) + i);
                    window.put(window.memory(), 1, 0);
                }
                script.reach(1);
            } else if (job.rank() == 2) {
                script.await(job, window, 1);
                script.die(job, 2, 1);
            }
            job.gsync();
            job.gsync();
        });
        SimResult clean = story.run(1, false, Set.of());
        assertTrue(((Number) clean.outcome().reports().get("log.0.dropped")).longValue() > 0, clean::story);
        assertTrue(clean.events().stream().filter(e -> e.event() instanceof JobEvent.Committed).count() > 1,
            "no checkpoint closes the gap");
        recovered(story, FallbackReason.LOG_GAP.name());
        SimResult waiting = story.run(1, false, Set.of("WAITS_FOR_LOG"));
        assertTrue(waiting.hang() != null || !waiting.succeeded(), waiting::story);
    }

    /**
     * 6.9: rank 0 is between its gate and the log record of a put when the put's target dies: its replacement must not
     * read the log before.
     */
    @Test
    void e14ASurvivorConfirmsALossBetweenItsAccessesOnly() {
        Story story = story("between gate and record", 3, 1, (job, script, window, memory) -> {
            if (job.rank() == 0) {
                // The first put takes memory for the log: there it is held.
                long[] since = new long[1];
                script.hold(1, 0, "getLong", () -> {
                    script.kill(1);
                    since[0] = script.nanos();
                }, () -> script.hasReplayed() || script.nanos() > since[0] + 20_000_000);
                window.putLong(7, 1, 0);
                window.flush(1);
            }
            job.gsync();
        });
        recovered(story, LOCAL);
        assertTrue(wrong(story, "ACKS_NOT_AWAITED") > SEEDS / 2);
    }

    /**
     * 6.10: rank 1 put where chance would have it, all went back, it put elsewhere, and the target dies: the first put
     * must not be done again.
     */
    @Test
    void e15RecordsOfAnAbandonedTimelineAreNotReplayed() {
        AtomicLong outside = new AtomicLong();
        Story story = story("abandoned records", 4, 2, (job, script, window, memory) -> {
            if (job.rank() == 1) {
                window.putLong(1, 0, 8 * job.nondeterministic(() -> outside.incrementAndGet() % 64));
                window.flush(0);
                script.die(job, 1, 2, 3);
                script.await(job, window, () -> script.hasRolledBack() || !script.hasFailures());
                script.die(job, 2, 0);
            }
            job.gsync();
            for (int i = 0; job.rank() == 0 && i < 64; i++) {
                memory.set(LONG, 0, memory.get(LONG, 0) + window.memory().getAtIndex(LONG, i));
                window.memory().setAtIndex(LONG, i, 0);
            }
        });
        assertEquals(Set.of(FallbackReason.SECOND_FAILURE.name()), right(story, Set.of()));
        assertTrue(wrong(story, "LOGS_SURVIVE") > SEEDS / 2);
    }

    /** 6.10: all go back; a rank that is through with it puts into one that still restores its window. */
    @Test
    void e16NobodyRunsBeforeAllHaveRestored() {
        Story story = new Story("put into a restored window", 4, 2, "1", 8, (job, script, window, memory) -> {
            window.putLong(memory.get(LONG, 0) + 1, (job.rank() + 1) % 4, 3 * 4096);
            job.gsync();
            memory.set(LONG, 0, memory.get(LONG, 0) + 31 * window.memory().get(LONG, 3 * 4096));
            job.gsync();
            if (job.rank() == 0 && job.counters().gsyncs() > 8) {
                script.die(job, 1, 1, 0);
            }
        });
        recovered(story, FallbackReason.SECOND_FAILURE.name());
        assertTrue(wrong(story, "GO_AT_ONCE") > 0);
    }

    /**
     * 6.1: rank 0 put to rank 1 after its last barrier, and dies; its replacement is let in at that barrier, and
     * before it puts again rank 1 dies, too: what it had of the put is lost.
     */
    @Test
    void e18WhatALostRankHadOfAReplacementsPredecessorIsSentAgain() {
        for (boolean shared : new boolean[] {false, true}) {
            Story story = story("lost with its target" + (shared ? ", shared lock" : ""), 3, 1,
                (job, script, window, memory) -> {
                    if (shared && job.rank() == 0) {
                        window.lock(LockType.SHARED, 1);
                    }
                    job.gsync();
                    if (job.rank() == 0) {
                        dieAfterReplay(job, script, window);
                        window.putLong(7, 1, 0);
                        window.flush(1);
                        script.reach(1);
                        script.await(job, window, 2);
                    } else if (job.rank() == 2) {
                        script.await(job, window, 1);
                        script.die(job, 2, 0);
                    }
                    job.gsync();
                    if (shared && job.rank() == 0) {
                        window.unlock(1);
                    }
                });
            recovered(story, LOCAL);
            assertEquals(SEEDS, wrong(story, "NOT_SENT_AGAIN"));
        }
    }

    /** The replacement of rank 0 has rank 1 killed, and goes on when rank 1 is back. */
    static void dieAfterReplay(Job job, Script script, Window window) {
        if (job.incarnation() > 0 && !script.hasRolledBack()) {
            script.await(job, window, script::hasReplayed);
            script.die(job, 3, 1);
            script.await(job, window, () -> script.replays() > 1);
        }
    }

    /**
     * 6.9: rank 0 stands still in the middle of a put and is taken for lost, but goes on before it is dead. A process
     * in its place would put, release the lock, and be overtaken by rank 2; then the put of the first one would come.
     */
    @Test
    void e22ARankThatIsTakenForLostIsReplacedWhenItIsDead() {
        for (long deadAfter : new long[] {60_000_000, 200_000_000}) {
            long[] since = new long[1];
            Story story = story("goes on again, dead after " + deadAfter / 1_000_000 + " ms", 3, 1,
                (job, script, window, memory) -> {
                    if (job.rank() == 0) {
                        window.lock(LockType.EXCLUSIVE, 1);
                        long value = window.getLong(1, 0);
                        script.hold(10, 0, "putLong", () -> {
                            since[0] = script.nanos();
                            script.fence(0, deadAfter);
                        }, () -> script.nanos() > since[0] + 100_000_000);
                        window.putLong(value + 1, 1, 0);
                        window.unlock(1);
                        script.reach(1);
                    } else if (job.rank() == 2) {
                        script.await(job, window, 1);
                        window.lock(LockType.EXCLUSIVE, 1);
                        window.putLong(window.getLong(1, 0) * 10, 1, 0);
                        window.unlock(1);
                        script.reach(2);
                    }
                    script.await(job, window, 2);
                    script.await(job, window, () -> !script.hasFailures() || script.nanos() > since[0] + 300_000_000);
                    job.gsync();
                });
            recovered(story, LOCAL);
            if (deadAfter > 100_000_000) {
                assertEquals(SEEDS, wrong(story, "REPLACED_ALIVE"));
            }
        }
    }
}
