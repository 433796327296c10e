package org.ftrma.testkit;

import static org.ftrma.testkit.BadExecutionsTest.LOCAL;
import static org.ftrma.testkit.BadExecutionsTest.SEEDS;
import static org.ftrma.testkit.BadExecutionsTest.recovered;
import static org.ftrma.testkit.BadExecutionsTest.wrong;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.Serializable;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Map;
import org.ftrma.Job;
import org.ftrma.LockType;
import org.ftrma.Window;
import org.ftrma.core.control.FallbackReason;
import org.ftrma.core.coordinator.JobEvent;
import org.ftrma.testkit.Script.Story;
import org.junit.jupiter.api.Test;

/**
 * As {@link BadExecutionsTest}, about demand checkpoints (design 6.3, 6.4). A rank that keeps records for another one
 * asks for a demand checkpoint of it at each boundary; that one takes it at its next boundary.
 */
class BadDemandExecutionsTest {
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;

    /** What a rank does in a window. */
    private interface Accesses extends Serializable {
        void make(Window window);
    }

    private static Story story(String name, int ranks, int checksums, String interval, long steps, Script.Part part) {
        return new Story(name, ranks, checksums, interval, steps, part, Map.of("log-low", "0"));
    }

    /** The number of this step: counted in protected memory. */
    private static long step(MemorySegment memory) {
        memory.set(LONG, 56, memory.get(LONG, 56) + 1);
        return memory.get(LONG, 56);
    }

    private static void awaitReplay(Job job, Script script, Window window) {
        script.await(job, window, () -> script.hasReplayed() || !script.hasFailures());
    }

    /**
     * 6.3: a generation is pending, since checksum rank 1 has not made its parity, when rank 1 puts to rank 0, and rank
     * 0 takes a demand checkpoint, which counts: rank 1 drops the record. Then the generation counts, and rank 0 is
     * lost: its newest image is that of the generation, without the put.
     */
    @Test
    void e23NoDemandCheckpointIsTakenWhileAGenerationIsPending() {
        Story story = story("image newer than the cut", 4, 2, "2", 8, (job, script, window, memory) -> {
            int step = (int) step(memory);
            switch (step) {
                case 3 -> {
                    script.await(job, window, () -> script.committed() == 2);
                    putAndTake(job, script, window, 3, 1);
                }
                case 4 -> {
                    script.reach(job.rank() == 1 ? 1 : 0);
                    script.await(job, window, () -> script.demands(0) == 1);
                }
                case 5 -> script.await(job, window, () -> script.committed() == 3);
                case 6 -> script.hold(10, 5, "getLong", () -> script.reach(2), () -> script.isAt(5));
                case 7 -> {
                    script.await(job, window, () -> script.isAt(2) || !script.hasFailures());
                    putAndTake(job, script, window, 7, 3);
                }
                case 8 -> {
                    if (job.rank() == 1) {
                        script.reach(3);
                    } else if (job.rank() == 0) {
                        script.reach(4);
                        script.await(job, window, 6);
                    } else if (job.rank() == 2) {
                        script.await(job, window, 4);
                        script.settle(job, window);
                        script.reach(5);
                        script.await(job, window, () -> script.committed() == 4);
                        script.die(job, 6, 0);
                    }
                    if (job.rank() > 0) {
                        awaitReplay(job, script, window);
                    }
                }
                default -> { }
            }
        });
        recovered(story, LOCAL);
        assertEquals(SEEDS, wrong(story, "DEMAND_BESIDE_CUT"));
    }

    /**
     * Rank 1 puts to rank 0, and at the next boundary it asks; rank 0 is not at that boundary before rank 1 has reached
     * that stage, past it.
     */
    private static void putAndTake(Job job, Script script, Window window, long value, int stage) {
        if (job.rank() == 1) {
            window.putLong(value, 0, 0);
            window.flush(0);
        } else if (job.rank() == 0) {
            script.await(job, window, stage);
            script.settle(job, window);
        }
    }

    /**
     * 6.3: a demand image of rank 0 is being taken into the parity when all cut: the cut's image takes its slot, and
     * the cut's parity that of its parity. The demand checkpoint counts, the generation is given up, since checksum
     * rank 1 is lost, and then rank 0 is: the newest image of it that counts is nowhere.
     */
    @Test
    void e24ACutWaitsForADemandImageThatGoesIntoTheParity() {
        Story story = story("image of another moment", 4, 2, "2", 3, (job, script, window, memory) -> {
            int step = (int) step(memory);
            if (step == 1 && job.rank() == 0) {
                long[] since = new long[1];
                // At its fourth look it has found the image.
                script.hold(10, 4, "getLong", 4, () -> {
                    since[0] = script.nanos();
                    script.reach(2);
                }, () -> script.isAt(3) || script.nanos() > since[0] + 50_000_000);
            }
            if (step == 1) {
                putAndTake(job, script, window, 1, 1);
            } else if (step == 2) {
                script.reach(job.rank() == 1 ? 1 : 0);
                script.await(job, window, () -> script.isAt(2) || !script.hasFailures());
                script.hold(11, 5, "getLong", () -> script.reach(3), () -> false);
                if (job.rank() == 1) {
                    window.putLong(7, 0, 0);
                }
                job.gsync();
                if (job.rank() == 0) {
                    window.memory().set(LONG, 0, window.memory().get(LONG, 0) + 100);
                }
            } else if (job.rank() == 3) {
                script.await(job, window, () -> script.isAt(3) && script.demands(0) > 0 || !script.hasFailures());
                script.die(job, 4, 5);
                script.await(job, window, () -> script.count(JobEvent.Recovered.class, e -> e.member() == 5) > 0
                    || !script.hasFailures());
                script.die(job, 5, 0);
                awaitReplay(job, script, window);
            } else if (job.rank() == 0) {
                script.await(job, window, 5);
            } else {
                awaitReplay(job, script, window);
            }
        });
        recovered(story, LOCAL);
        assertEquals(SEEDS, wrong(story, "DEMAND_BESIDE_CUT"));
    }

    /**
     * 6.4: rank 0 puts to rank 1 when that has copied the bytes, and closes its epoch. If F is read then, the record of
     * the put is dropped.
     */
    @Test
    void e25WhatAnImageIncludesIsReadBeforeItIsCopied() {
        // In the pauses after the words F of three ranks, after the header, and after the first piece.
        copying("closed after the copy", 5, window -> {
            window.putLong(7, 1, 0);
            window.flush(1);
        }, window -> { }, "F_READ_LATE");
    }

    /**
     * 6.4: rank 1 has read F of rank 0 when rank 0 puts 5 under a lock, and then rank 2 puts 6; then it reads F of rank
     * 2, and copies. The image has the 6, but the 5 is not said to be in it, and is put again.
     */
    @Test
    void e26WhatAnImageIncludesIsOfOneMoment() {
        copying("closed one after the other", 1, window -> putLocked(window, 5), window -> putLocked(window, 6),
            "F_READ_ONCE");
    }

    /**
     * 6.7: rank 1 goes back to a demand image of after a barrier and is back; then rank 2 dies, goes back to an image
     * of before that barrier, and needs the signal that the first process of rank 1 had sent it there.
     */
    @Test
    void aBarrierSignalOfBeforeADemandImageOutlivesItsSenderAndItsReceiver() {
        recovered(story("signal of before an image", 4, 2, "none", 2, (job, script, window, memory) -> {
            long step = step(memory);
            if (step == 1) {
                job.gsync();
                if (job.rank() == 0) {
                    window.putLong(1, 1, 3 * 4096); // its epoch stays open: a reason to ask rank 1
                } else if (job.rank() == 1) {
                    script.await(job, window, 1);
                    script.settle(job, window);
                }
            } else if (job.rank() == 0) {
                script.reach(1);
            } else if (job.rank() == 2) {
                script.await(job, window, () -> job.incarnation() > 0 || !script.hasFailures());
            } else if (job.rank() == 3) {
                script.await(job, window, () -> script.demands(1) > 0);
                script.die(job, 5, 1);
                awaitReplay(job, script, window);
                script.die(job, 6, 2);
            }
        }), LOCAL);
    }

    private static void pass(Window window, int home) {
        window.lock(LockType.EXCLUSIVE, home);
        window.unlock(home);
    }

    /**
     * 6.7: rank 0 puts to rank 2 under the lock of rank 3, then rank 1 has that lock, and then one that rank 2 has
     * next. Rank 1 goes back to a demand image of after that: nobody knows any more that the put comes before what rank
     * 2 does, which dies then.
     */
    @Test
    void whatCameBeforeALockByOneThatWentBackToADemandImageIsNotKnown() {
        recovered(story("locks of before an image", 4, 2, "none", 2, (job, script, window, memory) -> {
            long step = step(memory);
            if (step == 1 && job.rank() == 0) {
                window.lock(LockType.EXCLUSIVE, 3);
                window.putLong(5, 2, 0);
                window.flush(2);
                window.unlock(3);
                script.reach(1);
                window.putLong(1, 1, 3 * 4096); // its epoch stays open: a reason to ask rank 1
            } else if (step == 1 && job.rank() == 1) {
                script.await(job, window, 1);
                pass(window, 3);
                pass(window, 0);
                script.reach(2);
                script.await(job, window, 3);
                script.settle(job, window);
            } else if (step == 1 && job.rank() == 2) {
                script.await(job, window, 2);
                window.lock(LockType.EXCLUSIVE, 0);
                memory.set(LONG, 0, window.memory().get(LONG, 0));
                window.unlock(0);
                script.await(job, window, () -> job.incarnation() > 0 || script.hasRolledBack()
                    || !script.hasFailures());
            } else if (step == 2 && job.rank() == 0) {
                script.reach(3);
            } else if (step == 2 && job.rank() == 3 && !script.hasRolledBack()) {
                script.await(job, window, () -> script.demands(1) > 0);
                script.die(job, 5, 1);
                awaitReplay(job, script, window);
                script.die(job, 6, 2);
            }
        }), FallbackReason.LOG_GAP.name());
    }

    /**
     * The same, but rank 2 goes back to an image of after the recovery of rank 1: that includes what nobody knows any
     * more.
     */
    @Test
    void anImageOfAfterARecoveryIncludesWhatCameBeforeItByLocks() {
        recovered(story("locks of before a recovery", 4, 2, "none", 3, (job, script, window, memory) -> {
            long step = step(memory);
            if (step == 1 && job.rank() == 0) {
                window.putLong(1, 1, 3 * 4096); // their epochs stay open: a reason to ask ranks 1 and 2
                window.putLong(1, 2, 3 * 4096);
            } else if (step == 1 && job.rank() == 1) {
                pass(window, 3);
                script.await(job, window, 3);
                script.settle(job, window);
            } else if (step == 1 && job.rank() == 2) {
                script.await(job, window, 7);
                script.settle(job, window);
            } else if (step == 2 && job.rank() == 0) {
                script.reach(3);
                awaitReplay(job, script, window);
            } else if (step == 2 && job.rank() == 3) {
                script.await(job, window, () -> script.demands(1) > 0);
                script.die(job, 5, 1);
            } else if (step == 3 && job.rank() == 0) {
                script.reach(7);
                script.await(job, window, () -> script.demands(2) > 0);
                window.putLong(9, 2, 8);
                window.flush(2);
                script.reach(8);
            } else if (step == 2 && job.rank() == 2) {
                script.await(job, window, 8);
                pass(window, 0);
                script.reach(9);
                script.await(job, window, () -> job.incarnation() > 0 || !script.hasFailures());
            } else if (step == 3 && job.rank() == 3) {
                script.await(job, window, 9);
                script.die(job, 10, 2);
            }
        }), LOCAL);
    }

    private static void putLocked(Window window, long value) {
        window.lock(LockType.EXCLUSIVE, 1);
        window.putLong(value, 1, 0);
        window.unlock(1);
    }

    /**
     * Rank 1 takes a demand checkpoint, and is held in one of its pauses until rank 0 and then rank 2 have done
     * something. When it counts, it dies.
     */
    private static void copying(String name, int pause, Accesses first, Accesses second,
        String fault) {
        Story story = story(name, 3, 1, "none", 2, (job, script, window, memory) -> {
            long step = step(memory);
            if (step == 1 && job.rank() == 0) {
                window.putLong(1, 1, 3 * 4096); // its epoch stays open: it is a reason to ask, and leaves F as it is
            } else if (step == 1 && job.rank() == 1) {
                script.await(job, window, 1);
                script.settle(job, window);
                script.hold(10, 1, "progress", pause, () -> script.reach(2), () -> script.isAt(4));
            } else if (step == 2 && job.rank() == 0) {
                script.reach(1);
                script.await(job, window, () -> script.isAt(2) || !script.hasFailures());
                first.make(window);
                script.reach(3);
                awaitReplay(job, script, window);
            } else if (step == 2 && job.rank() == 2) {
                script.await(job, window, 3);
                second.make(window);
                script.reach(4);
                awaitReplay(job, script, window);
            } else if (step == 2) {
                script.await(job, window, () -> script.demands(1) > 0);
                script.die(job, 5, 1);
            }
        });
        recovered(story, LOCAL);
        assertEquals(SEEDS, wrong(story, fault));
    }
}
