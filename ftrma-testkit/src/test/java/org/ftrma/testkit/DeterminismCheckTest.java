package org.ftrma.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.ftrma.AtomicOp;
import org.ftrma.DataType;
import org.ftrma.LockType;
import org.ftrma.Window;
import org.ftrma.core.control.FallbackReason;
import org.ftrma.testkit.Script.Story;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A rank that does something else when it is executed again than what its logs say is found, by each part of the
 * determinant, and the message has both.
 */
class DeterminismCheckTest {
    private static final int SEEDS = 5;

    /** What rank 1 does before it dies, and otherwise when it is executed again; and what the message says of both. */
    private enum Deviation {
        OFFSET("getLong window=0 target=0 offset=16 EC=1 GC=", "getLong window=0 offset=8 length=8 EC=1 GC=",
            (window, again) -> window.getLong(0, again ? 16 : 8)),
        KIND("getLong window=0 target=0 offset=8 ", "SUM INT64 window=0 offset=8 operand=1 ", (window, again) -> {
            if (again) {
                window.getLong(0, 8);
            } else {
                window.fetchAndOp(AtomicOp.SUM, DataType.INT64, 1, 0, 8);
            }
        }),
        OPERATION("MAX INT64 window=0 target=0 offset=8 operand=3 ", "SUM INT64 window=0 offset=8 operand=3 ",
            (window, again) -> window.fetchAndOp(again ? AtomicOp.MAX : AtomicOp.SUM, DataType.INT64, 3, 0, 8)),
        OPERAND("SUM INT64 window=0 target=0 offset=8 operand=4 ", "SUM INT64 window=0 offset=8 operand=3 ",
            (window, again) -> window.fetchAndOp(AtomicOp.SUM, DataType.INT64, again ? 4 : 3, 0, 8)),
        SWAPPED_TYPE("compareAndSwap INT32 window=0 target=0 offset=8 expected=0 desired=5 ",
            "compareAndSwap INT64 window=0 offset=8 expected=0 old=0 new=5 ",
            (window, again) -> window.compareAndSwap(again ? DataType.INT32 : DataType.INT64, 0, 5, 0, 8)),
        SWAPPED_VALUE("expected=0 desired=6 ", "expected=0 old=0 new=5 ",
            (window, again) -> window.compareAndSwap(DataType.INT64, 0, again ? 6 : 5, 0, 8)),
        LENGTH("get window=0 target=0 offset=8 length=8 EC=1", "get window=0 offset=8 length=16 EC=1 ",
            (window, again) -> {
                window.get(MemorySegment.ofArray(new long[2]), 0, 0, 8, again ? 8 : 16);
                window.flush(0);
            }),
        LOCK_TYPE("shared lock window=0 target=0 ", "lock window=0 ", (window, again) -> {
            window.lock(again ? LockType.SHARED : LockType.EXCLUSIVE, 0);
            window.unlock(0);
        }),
        /** Another target's flush: only GC tells. */
        GC("getLong window=0 target=0 offset=8 EC=1 GC=", "getLong window=0 offset=8 length=8 EC=1 GC=",
            (window, again) -> {
                if (!again) {
                    window.flush(2);
                }
                window.getLong(0, 8);
            }),
        EC("get window=0 target=0 offset=8 length=8 EC=2", "get window=0 offset=8 length=8 EC=1 ", (window, again) -> {
            if (again) {
                window.flush(0);
            }
            window.get(MemorySegment.ofArray(new long[1]), 0, 0, 8, 8);
            window.flush(0);
        }),
        GC_OF_A_LOCK("exclusive lock window=0 target=0 EC=1 GC=", "lock window=0 offset=0 length=8 EC=1 GC=",
            (window, again) -> {
                if (again) {
                    window.flush(2);
                }
                window.lock(LockType.EXCLUSIVE, 0);
                window.unlock(0);
            }),
        SC("getLong window=0 target=0 offset=8 EC=2 GC=", "SC=1", (window, again) -> {
            window.lock(LockType.EXCLUSIVE, 0);
            if (again) {
                window.unlock(0);
            }
            window.getLong(0, 8);
            if (!again) {
                window.unlock(0);
            }
        });

        private final String executed;
        private final String logged;
        private final Access access;

        Deviation(String executed, String logged, Access access) {
            this.executed = executed;
            this.logged = logged;
            this.access = access;
        }

        Story story() {
            return new Story("deviation " + name(), 3, 1, "none", 1, (job, script, window, memory) -> {
                if (job.rank() == 1) {
                    access.make(window, job.incarnation() > 0 && !script.hasRolledBack());
                    script.die(job, 1, 1);
                }
                job.gsync();
            });
        }
    }

    private interface Access {
        void make(Window window, boolean again);
    }

    private static List<String> ways(SimResult result) {
        assertTrue(result.succeeded(), result::story);
        List<String> ways = new ArrayList<>(result.outcome().fallbacks().keySet());
        if (result.outcome().localRecoveries() > 0 && result.outcome().rollbacks() == 0) {
            ways.add("local");
        }
        return ways;
    }

    @ParameterizedTest
    @EnumSource
    void whatIsExecutedOtherwiseIsFoundAndToldWithWhatWasLogged(Deviation deviation) {
        for (long seed = 1; seed <= SEEDS; seed++) {
            SimResult result = deviation.story().run(seed, true, Set.of());
            assertEquals(List.of(FallbackReason.DETERMINANT_MISMATCH.name()), ways(result), result::story);
            String story = result.story();
            String message = story.lines().filter(line -> line.contains("executed: ")).findFirst().orElse("none");
            assertTrue(message.contains("; logged: ") && message.substring(0, message.indexOf("; logged: "))
                .contains(deviation.executed)
                && message.substring(message.indexOf("; logged: ")).contains(deviation.logged),
                () -> message + "\n" + story);
        }
    }

    /** Where counters are not looked at a rank that flushed otherwise than before passes for the same. */
    @Test
    void aReplayThatIgnoresCountersIsFound() {
        Set<String> ways = new TreeSet<>();
        for (Deviation deviation : List.of(Deviation.GC, Deviation.EC, Deviation.GC_OF_A_LOCK)) {
            for (long seed = 1; seed <= SEEDS; seed++) {
                ways.addAll(ways(deviation.story().run(seed, true, Set.of("GC_IGNORED"))));
            }
        }
        assertEquals(Set.of("local"), ways);
    }

    /** What is the same is not taken for different, whatever the order of the survivors' doings. */
    @Test
    void theSameIsTheSame() {
        for (Deviation deviation : Deviation.values()) {
            Story same = new Story("same " + deviation, 3, 1, "none", 1, (job, script, window, memory) -> {
                if (job.rank() == 1) {
                    deviation.access.make(window, false);
                    script.die(job, 1, 1);
                }
                job.gsync();
            }, Map.of());
            for (long seed = 1; seed <= SEEDS; seed++) {
                SimResult result = same.run(seed, true, Set.of());
                assertEquals(List.of("local"), ways(result), result::story);
            }
        }
    }
}
