package org.ftrma.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import org.ftrma.AtomicOp;
import org.ftrma.DataType;
import org.ftrma.LockType;
import org.ftrma.testkit.programs.SimProgram;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Programs in which each rank accesses its partner only, in pairs 0 and 1, 2 and 3, 4 and 5, beside collectives of all:
 * two ranks of different pairs and groups that are lost together are recovered side by side at every point.
 */
@Tag("long")
class PairsTest {
    /** What a step does before its collective. */
    private enum Access { PUTS, GETS, ADDS, LOCKS }

    private enum Together { GSYNC, REDUCE, BROADCAST, GATHER }

    enum Kind {
        PUTS_GSYNC(Access.PUTS, Together.GSYNC), PUTS_REDUCE(Access.PUTS, Together.REDUCE),
        PUTS_BROADCAST(Access.PUTS, Together.BROADCAST), PUTS_GATHER(Access.PUTS, Together.GATHER),
        GETS_REDUCE(Access.GETS, Together.REDUCE), GETS_BROADCAST(Access.GETS, Together.BROADCAST),
        ADDS_GSYNC(Access.ADDS, Together.GSYNC), ADDS_GATHER(Access.ADDS, Together.GATHER),
        ADDS_REDUCE(Access.ADDS, Together.REDUCE), LOCKS_GSYNC(Access.LOCKS, Together.GSYNC),
        LOCKS_REDUCE(Access.LOCKS, Together.REDUCE), LOCKS_BROADCAST(Access.LOCKS, Together.BROADCAST);

        private final Access access;
        private final Together together;

        Kind(Access access, Together together) {
            this.access = access;
            this.together = together;
        }
    }

    private static SimProgram program(Kind kind) {
        return MatrixRuns.program("pairs-" + kind, 4, (job, window, memory, step) -> {
            int partner = job.rank() ^ 1;
            long state = memory.get(MatrixRuns.LONG, 0) * 31 + step + job.rank();
            switch (kind.access) {
                case PUTS -> {
                    memory.set(MatrixRuns.LONG, 0, state);
                    window.put(memory, 0, partner, 8 + 8 * (step & 1), 8);
                    window.flush(partner);
                }
                case GETS -> {
                    window.get(memory, 8, partner, 0, 8);
                    window.flush(partner);
                    state = state * 17 + memory.get(MatrixRuns.LONG, 8);
                }
                case ADDS -> window.fetchAndOp(AtomicOp.SUM, DataType.INT64, step + job.rank(), partner, 32);
                case LOCKS -> {
                    int home = Math.min(job.rank(), partner);
                    window.lock(LockType.EXCLUSIVE, home);
                    window.get(memory, 16, home, 40, 8);
                    window.flush(home);
                    memory.set(MatrixRuns.LONG, 16, memory.get(MatrixRuns.LONG, 16) + step + job.rank());
                    window.put(memory, 16, home, 40, 8);
                    window.unlock(home);
                    memory.set(MatrixRuns.LONG, 16, 0);
                }
            }
            memory.set(MatrixRuns.LONG, 0, state);
            switch (kind.together) {
                case GSYNC -> job.gsync();
                case REDUCE -> memory.set(MatrixRuns.LONG, 24, memory.get(MatrixRuns.LONG, 24) * 7
                    + job.allReduce(AtomicOp.SUM, step * job.rank()));
                case BROADCAST -> job.broadcast(memory.asSlice(kind == Kind.LOCKS_BROADCAST ? 24 : 0, 8),
                    (int) (step % job.ranks()));
                case GATHER -> job.allGather(memory.asSlice(0, 8), window.memory().asSlice(256, 48));
            }
            if (kind.access == Access.PUTS || kind.access == Access.GETS) {
                job.gsync();
                window.memory().set(MatrixRuns.LONG, 0, window.memory().get(MatrixRuns.LONG, 0)
                    + window.memory().get(MatrixRuns.LONG, 8 + 8 * (step & 1)) + memory.get(MatrixRuns.LONG, 0));
                job.gsync();
            }
        });
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void partnersThatLiveAreNoReasonForAllToGoBack(Kind kind) {
        bothAreRecoveredAlone(StrangersTest.full(program(kind)).seed(3), kind, new int[][] {{1, 5}, {1, 3}, {5, 3}});
    }

    /** It has the word by which all agree on cuts. Of two homes of locks nobody can tell what came first (R35). */
    @ParameterizedTest
    @EnumSource(value = Kind.class, mode = EnumSource.Mode.MATCH_NONE, names = "LOCKS_.*")
    void rankZeroIsNone(Kind kind) {
        int[][] pairs = {{0, 2}, {4, 0}};
        bothAreRecoveredAlone(StrangersTest.full(program(kind)).seed(4), kind, pairs);
        bothAreRecoveredAlone(StrangersTest.full(program(kind)).seed(4).interval("20us"), kind, pairs);
    }

    private static void bothAreRecoveredAlone(Simulation simulation, Kind kind, int[][] pairs) {
        Map<Integer, Map<String, byte[]>> expected = simulation.expected();
        List<List<Crash>> crashes = new ArrayList<>();
        for (long apart : new long[] {0, 20, 200}) {
            for (int[] pair : pairs) {
                crashes.addAll(StrangersTest.pairsFrom(simulation, pair[0], pair[1], apart, 40, 60));
            }
        }
        Queue<SimResult> results = new ConcurrentLinkedQueue<>();
        List<Consumer<SimMemory>> cases = new ArrayList<>();
        for (List<Crash> each : crashes) {
            cases.add(memory -> results.add(simulation.run(simulation.seed(), each, memory)));
        }
        SimWorkers.run(cases);
        Map<String, Integer> fallbacks = new TreeMap<>();
        for (SimResult result : results) {
            assertNull(result.fault(expected), () -> simulation.command(simulation.seed(), result.crashes()) + "\n"
                + result.story());
            result.outcome().fallbacks().forEach((reason, count) ->
                fallbacks.merge(reason, count.intValue(), Integer::sum));
        }
        System.out.println(kind + ": " + results.size() + " runs, fallbacks " + fallbacks);
        assertEquals(Map.of(), fallbacks);
    }
}
