package org.ftrma.testkit;

import static org.ftrma.testkit.BadExecutionsTest.LOCAL;
import static org.ftrma.testkit.BadExecutionsTest.recovered;

import java.lang.foreign.ValueLayout;
import java.util.Map;
import org.ftrma.AtomicOp;
import org.ftrma.DataType;
import org.ftrma.Window;
import org.ftrma.core.coordinator.JobEvent;
import org.ftrma.testkit.Script.Story;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Ranks that die in the middle of an atomic update, their own or that of another one. */
class HalfDoneUpdatesTest {
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;

    private static long add(Window window, long summand) {
        return window.fetchAndOp(AtomicOp.SUM, DataType.INT64, summand, 1, 0);
    }

    /**
     * Rank 1 dies when it logs what it does to its own window. Its replacement is back before it does that again, so
     * that rank 2 may come before it, unless rank 2 has seen it.
     */
    @Test
    void whatARankDoesToItsOwnWindowIsLoggedBeforeOthersSeeIt() {
        recovered(new Story("own update", 3, 1, "none", 1, (job, script, window, memory) -> {
            job.gsync();
            if (job.rank() == 1) {
                script.await(job, window, () -> job.incarnation() == 0 || script.isAt(3) || script.hasRolledBack());
                // The first record takes memory for the log: there it is held.
                script.hold(10, 1, "getLong", () -> script.reach(1), () -> false);
                add(window, 1);
                script.reach(1);
            } else if (job.rank() == 2) {
                script.await(job, window, 1);
                long seen = window.getLong(1, 0);
                script.die(job, 2, 1);
                memory.set(LONG, 0, add(window, 10) < seen ? 1 : 0);
                script.reach(3);
            }
            job.gsync();
        }), LOCAL);
    }

    /**
     * Rank 0 is about to update rank 1 for the first time when that dies. It takes an update lock at the new process,
     * and then asks for the key of its window there; meanwhile that process is to copy its memory, which waits for all
     * update locks.
     */
    @Test
    void anUpdateLockThatWasTakenWhenALossWasHeardOfKeepsNobodyFromCopying() {
        long[] since = new long[1];
        recovered(new Story("update lock over a loss", 3, 1, "none", 2, (job, script, window, memory) -> {
            if (job.rank() == 0 && job.step() == 1) {
                window.putLong(1, 1, 8); // needs the window there, but not the log
                script.hold(10, 0, "control send", () -> {
                    script.reach(1);
                    script.kill(1);
                    // First to the log, then to the window.
                    script.hold(11, 0, "attach", 2, () -> {
                        since[0] = script.nanos();
                        script.reach(2);
                    }, () -> script.nanos() > since[0] + 200_000_000);
                }, () -> script.count(JobEvent.MemberLost.class, e -> e.member() == 1) > 0);
                add(window, 1);
                script.reach(3);
            } else if (job.rank() == 1 && job.step() == 1) {
                script.await(job, window, 1);
                memory.set(LONG, 0, window.getLong(2, 0)); // no log has it: here the replacement is back
                script.await(job, window, 2);
                script.settle(job, window);
                script.settle(job, window);
            } else if (job.rank() == 1) {
                script.await(job, window, () -> script.demands(1) > 0 || !script.hasFailures());
            } else if (job.rank() == 2 && job.step() == 1) {
                window.putLong(2, 1, 16); // what is logged of it is a reason to ask rank 1
                script.await(job, window, () -> script.hasReplayed() || !script.hasFailures());
            }
        }, Map.of("log-low", "0", "deadline", "2s")), LOCAL);
    }

    /**
     * Rank 2 dies at one of its stores after an update of rank 1, which takes a demand image when rank 2 is back, and
     * is lost later. If rank 1 had counted one update too few, that one would be made again: it has no place in the
     * path of values (LOG_GAP), but where rank 0 has undone it meanwhile, it makes a wrong one without a word.
     */
    @ParameterizedTest
    @CsvSource({"5, 0", "6, 0", "7, 0", "5, -1", "6, -1", "7, -1"})
    void anUpdateIsCountedBeforeAnImageIncludesIt(int store, long next) {
        recovered(new Story("update, then image", 3, 1, "none", 2, (job, script, window, memory) -> {
            if (job.rank() == 2 && job.step() == 1) {
                add(window, 0x100); // opens the log
                script.hold(10, 2, "putLong", store, () -> script.kill(2), () -> true);
                add(window, 1);
                memory.set(LONG, 0, window.getLong(0, 8)); // no log has it: here the replacement is back
            } else if (job.rank() == 1 && job.step() == 1) {
                script.await(job, window, 1);
                script.settle(job, window);
            } else if (job.rank() == 0 && job.step() == 1) {
                script.await(job, window, () -> script.hasReplayed() || !script.hasFailures());
            } else if (job.rank() == 2) {
                script.reach(1); // at the boundary it has asked rank 1 for an image
            } else if (job.rank() == 0) {
                script.await(job, window, () -> script.demands(1) > 0);
                add(window, next);
                script.reach(2);
                script.await(job, window, () -> script.replays() > 1 || script.hasRolledBack()
                    || !script.hasFailures());
            } else {
                script.await(job, window, 2);
                script.die(job, 3, 1);
            }
        }, Map.of("log-low", "0", "path", "network")), LOCAL);
    }
}
