package org.ftrma.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.Serializable;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.ftrma.AtomicOp;
import org.ftrma.DataType;
import org.ftrma.Job;
import org.ftrma.LockType;
import org.ftrma.Window;
import org.ftrma.core.control.FallbackReason;
import org.ftrma.testkit.programs.SimProgram;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Ranks that accessed each other, and left each other alone for the whole time between two checkpoints, are recovered
 * side by side, as if they never had; until one of them accesses the other again.
 */
@Tag("long")
class ExpiringContactsTest {
    private static final int RANKS = 6;
    /** Of different groups, no partners, and none keeps what another one's memory would have. */
    private static final int[][] STRANGERS = {{1, 5}, {1, 3}, {5, 3}};
    /** Steps between the losses. */
    private static final long[] NEAR = {0, 25, 250};
    private static final long CELLS = 512;
    private static final long SUM = 1024;
    private static final long LOCKED = 2048;
    private static final Set<String> SECOND = Set.of(FallbackReason.SECOND_FAILURE.name());

    /** How a rank accesses another one. */
    enum Access { PUTS, GETS, ADDS, LOCKS, LOCK_ALL }

    /** In which steps all ranks access all others; in the others, partners access each other. */
    private interface Steps extends Serializable {
        boolean areOfAll(long step);
    }

    private static SimProgram program(String name, long steps, int apart, Access access, Steps ofAll) {
        return new SimProgram() {
            @Override
            public String name() {
                return name + "-" + access;
            }

            @Override
            public void run(Job job, Results results) {
                Window window = job.allocateWindow("w", 8192);
                MemorySegment memory = job.protect("m", 64);
                job.initialize(() -> {
                    window.memory().set(MatrixRuns.LONG, 0, job.rank());
                    memory.set(MatrixRuns.LONG, 0, job.rank());
                    for (int other = 0; other < RANKS; other++) {
                        access(Access.PUTS, job, window, memory, other);
                    }
                    window.flushAll();
                });
                for (long step : job.steps(steps)) {
                    memory.set(MatrixRuns.LONG, 0, memory.get(MatrixRuns.LONG, 0) * 31 + step);
                    if (ofAll.areOfAll(step)) {
                        ofAll(access, job, window, memory);
                    } else {
                        int partner = apart == 1 ? job.rank() ^ 1 : (job.rank() + apart) % RANKS;
                        // a rank that had put to one which gets a lock is a case of its own: see patterns.md
                        boolean isLocking = access == Access.LOCKS || access == Access.LOCK_ALL;
                        int home = apart == 1 ? Math.min(job.rank(), partner) : Math.max(job.rank(), partner);
                        access(isLocking ? Access.LOCKS : access, job, window, memory, isLocking ? home : partner);
                    }
                    job.gsync();
                    long sum = memory.get(MatrixRuns.LONG, 0);
                    for (int other = 0; other < RANKS; other++) {
                        sum = sum * 7 + window.memory().get(MatrixRuns.LONG, CELLS + 8 * other);
                    }
                    memory.set(MatrixRuns.LONG, 0, sum);
                    window.memory().set(MatrixRuns.LONG, 0, sum);
                    memory.set(MatrixRuns.LONG, 16, 0);
                    job.gsync();
                }
                results.store("w", window.memory());
                results.store("m", memory);
            }
        };
    }

    private static void ofAll(Access access, Job job, Window window, MemorySegment memory) {
        if (access == Access.LOCK_ALL) {
            window.lockAll();
        }
        for (int other = 0; other < RANKS; other++) {
            if (other != job.rank()) {
                access(access, job, window, memory, other);
            }
        }
        if (access == Access.LOCK_ALL) {
            window.unlockAll();
        }
    }

    private static void access(Access access, Job job, Window window, MemorySegment memory, int other) {
        switch (access) {
            case PUTS, LOCK_ALL -> window.put(memory, 0, other, CELLS + 8 * job.rank(), 8);
            case GETS -> {
                window.get(memory, 8, other, 0, 8);
                window.flush(other);
                memory.set(MatrixRuns.LONG, 0, memory.get(MatrixRuns.LONG, 0) * 17 + memory.get(MatrixRuns.LONG, 8));
            }
            case ADDS -> window.fetchAndOp(AtomicOp.SUM, DataType.INT64, job.rank() + 1, other, SUM);
            case LOCKS -> {
                window.lock(LockType.EXCLUSIVE, other);
                window.get(memory, 16, other, LOCKED, 8);
                window.flush(other);
                memory.set(MatrixRuns.LONG, 16, memory.get(MatrixRuns.LONG, 16) + job.rank() + 1);
                window.put(memory, 16, other, LOCKED, 8);
                window.unlock(other);
            }
        }
    }

    /** Two members at moments so far apart, between these percents of the run. */
    private static List<List<Crash>> pairs(Simulation simulation, int[][] members, int from, int to, int count,
        long... aparts) {
        long steps = MatrixRuns.base(simulation).steps();
        List<List<Crash>> crashes = new ArrayList<>();
        for (int[] two : members) {
            for (int i = 0; i < count; i++) {
                long at = steps * from / 100 + steps * (to - from) * i / (100L * count);
                for (long apart : aparts) {
                    crashes.add(List.of(new Crash(true, two[0], at, Crash.How.AT_STEP),
                        new Crash(true, two[1], at + apart, Crash.How.AT_STEP)));
                }
            }
        }
        return crashes;
    }

    /** The same where there are three hosts; of locks, those that are no homes. */
    private static int[][] ofHosts(Access access) {
        return access == Access.LOCKS || access == Access.LOCK_ALL ? new int[][] {{1, 2}}
            : new int[][] {{1, 2}, {2, 3}, {4, 5}};
    }

    private static long sideBySide(Collection<SimResult> results) {
        return results.stream().filter(result -> result.outcome().rollbacks() == 0
            && result.outcome().localRecoveries() >= 2).count();
    }

    private static void print(String what, Collection<SimResult> results) {
        System.out.println(what + ": " + results.size() + " runs, " + sideBySide(results) + " side by side, fallbacks "
            + MatrixRuns.reasons(results));
    }

    @ParameterizedTest
    @EnumSource(Access.class)
    void whoeverAccessedEachOtherBeforeTheLastTwoCutsIsRecoveredSideBySide(Access access) {
        Simulation simulation = StrangersTest.full(program("early", 20, 1, access, step -> step <= 2)).seed(3);
        Collection<SimResult> late = MatrixRuns.all(simulation, pairs(simulation, STRANGERS, 75, 95, 12, NEAR));
        print(access + " late", late);
        Collection<SimResult> early = MatrixRuns.all(simulation, pairs(simulation, STRANGERS, 35, 45, 5, NEAR));
        print(access + " early", early);
        late.forEach(result -> assertEquals(Map.of(), result.outcome().fallbacks(), result::story));
        assertTrue(sideBySide(late) > late.size() * 9 / 10, "side by side");
        assertTrue(MatrixRuns.reasons(early).containsAll(SECOND), "contacts that did not expire");
    }

    @ParameterizedTest
    @EnumSource(Access.class)
    void onSeveralHostsToo(Access access) {
        Simulation simulation = StrangersTest.full(program("early", 20, 3, access, step -> step <= 2)).hosts(3).seed(3);
        Collection<SimResult> late = MatrixRuns.all(simulation,
            pairs(simulation, ofHosts(access), 75, 95, 15, NEAR));
        print(access + " late, hosts", late);
        late.forEach(result -> assertEquals(Map.of(), result.outcome().fallbacks(), result::story));
        assertTrue(sideBySide(late) > late.size() * 9 / 10, "side by side");
    }

    /** All access all again after their contacts have expired; then these expire once more. */
    @ParameterizedTest
    @EnumSource(Access.class)
    void theFirstAccessAfterwardsCounts(Access access) {
        again(access, StrangersTest.full(again(access, 1)).seed(5), new int[][] {{1, 5}, {5, 3}});
        again(access, StrangersTest.full(again(access, 3)).hosts(3).seed(5), ofHosts(access));
    }

    private static SimProgram again(Access access, int apart) {
        return program("again", 24, apart, access, step -> step <= 2 || step == 13);
    }

    private static void again(Access access, Simulation simulation, int[][] members) {
        Collection<SimResult> results = MatrixRuns.all(simulation, pairs(simulation, members, 40, 95, 20, NEAR));
        print(access + " again, " + simulation.hosts() + " hosts", results);
        assertTrue(MatrixRuns.reasons(results).containsAll(SECOND), "accessed again");
        assertTrue(sideBySide(results) > results.size() / 10, "expired");
    }

    /** In the first step after each cut each rank puts to those before it: no image has that when the cut counts. */
    private static SimProgram downwards() {
        return MatrixRuns.program("downwards", 20, (job, window, memory, step) -> {
            memory.set(MatrixRuns.LONG, 0, memory.get(MatrixRuns.LONG, 0) * 31 + step + job.rank());
            for (int other = 0; other < RANKS; other++) {
                if (other == (job.rank() ^ 1) || (step & 3) == 1 && other < job.rank()) {
                    window.put(memory, 0, other, CELLS + 8 * job.rank(), 8);
                }
            }
            job.gsync();
            long sum = memory.get(MatrixRuns.LONG, 0);
            for (int other = 0; other < RANKS; other++) {
                sum = sum * 7 + window.memory().get(MatrixRuns.LONG, CELLS + 8 * other);
            }
            memory.set(MatrixRuns.LONG, 0, sum);
            job.gsync();
        });
    }

    /** The one that was put to is lost first, and is back before the other one does that again. */
    @Test
    void aContactThatExpiresAlthoughItIsNewerThanTheCutIsFound() {
        Simulation simulation = StrangersTest.full(downwards()).seed(3).interval("4");
        List<List<Crash>> crashes = pairs(simulation, new int[][] {{1, 5}, {1, 3}}, 50, 90, 20, 0, 40, 80, 120);
        print("newer", MatrixRuns.all(simulation, crashes));
        long wrong = MatrixRuns.wrong(simulation, "RENOUNCED_TOO_EARLY", crashes);
        System.out.println("RENOUNCED_TOO_EARLY: " + wrong + " wrong, until enough were");
        assertTrue(wrong > 0, "RENOUNCED_TOO_EARLY was not found");
    }
}
