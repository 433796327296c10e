package org.ftrma.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Map;
import org.ftrma.Job;
import org.ftrma.Window;
import org.ftrma.options.JobOptions;
import org.ftrma.testkit.programs.SimProgram;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What a program stages stays as it is until nothing reads it any more, whatever way a put takes: the next one is
 * packed while puts to another host are still under way, and a rank may come back on another host in between.
 */
class StagedPutsTest {
    private static final int RANKS = 3;
    private static final int PUTS = 4;
    private static final int CELLS = 8;
    private static final int STEPS = 6;

    /** Each rank puts several blocks to all others, from memory that it stages, and computes in between. */
    private static final class Packing implements SimProgram {
        @Override
        public String name() {
            return "packing";
        }

        @Override
        public void run(Job job, Results results) {
            Window window = job.allocateWindow("w", (long) RANKS * PUTS * CELLS * Long.BYTES);
            for (long step : job.steps(STEPS)) {
                for (int put = 0; put < PUTS; put++) {
                    for (int to = 0; to < RANKS; to++) {
                        MemorySegment data = window.stage(to, (long) CELLS * Long.BYTES);
                        for (int cell = 0; cell < CELLS; cell++) {
                            data.setAtIndex(ValueLayout.JAVA_LONG, cell, value(step, job.rank(), to, put, cell));
                        }
                        job.progress();
                        window.put(data, to, (long) (job.rank() * PUTS + put) * CELLS * Long.BYTES);
                        job.progress();
                    }
                }
                job.gsync();
            }
            results.store("w", window.memory());
        }
    }

    private static long value(long step, int from, int to, int put, int cell) {
        return (((step * 10 + from) * 10 + to) * 10 + put) * 10 + cell;
    }

    private static SimResult run(int seed, boolean onHosts, List<Crash> crashes) {
        JobOptions options = JobOptions.of(Map.of("ranks", "" + RANKS, "checksums", onHosts ? "3" : "1", "protocol",
            "full", "interval", "2", "nodes", onHosts ? "2" : "0", "spares", "2"));
        SimCluster cluster = new SimCluster(options, new Packing(), seed).crashing(crashes);
        SimResult result = (onHosts ? cluster.onHosts() : cluster).run();
        check(result);
        return result;
    }

    private static void check(SimResult result) {
        assertTrue(result.succeeded(), result::story);
        for (int to = 0; to < RANKS; to++) {
            MemorySegment window = MemorySegment.ofArray(result.contents().get(to).get("w"));
            for (int i = 0; i < RANKS * PUTS * CELLS; i++) {
                int at = i;
                assertEquals(value(STEPS, i / CELLS / PUTS, to, i / CELLS % PUTS, i % CELLS),
                    window.get(ValueLayout.JAVA_LONG_UNALIGNED, (long) i * Long.BYTES),
                    () -> "cell " + at + ", " + result.story());
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whatIsStagedIsPutAsItWas(boolean onHosts) {
        for (int seed = 1; seed <= 40; seed++) {
            run(seed, onHosts, List.of());
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whatIsStagedIsPutAsItWasThoughARankIsLost(boolean onHosts) {
        int alone = 0;
        for (int seed = 1; seed <= 60; seed++) {
            int member = seed % RANKS;
            long point = run(seed, onHosts, List.of()).memberPoints()[member] * (40 + seed % 50) / 100;
            SimResult result = run(seed, onHosts, List.of(new Crash(true, member, point, Crash.How.AFTER)));
            alone += result.outcome().localRecoveries();
        }
        assertTrue(alone > 40, "only " + alone + " were recovered alone");
    }
}
