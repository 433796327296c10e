package org.ftrma.testkit;

import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.TreeMap;
import org.ftrma.AtomicOp;
import org.ftrma.DataType;
import org.ftrma.Job;
import org.ftrma.Window;
import org.ftrma.core.coordinator.JobEvent;
import org.ftrma.options.JobOption;
import org.ftrma.options.JobOptions;
import org.ftrma.testkit.programs.SimProgram;
import org.junit.jupiter.api.Test;

/** Logs are trimmed over a network, which takes a while: meanwhile the next generation may be committed. */
class LateTrimTest {
    private static final int SEEDS = 60;

    /** Each rank counts at the next one in each step, after which all checkpoint. */
    private static final class Counting implements SimProgram {
        @Override
        public String name() {
            return "counting";
        }

        @Override
        public void run(Job job, Results results) {
            Window window = job.allocateWindow("w", 4096);
            for (long step : job.steps(8)) {
                window.fetchAndOp(AtomicOp.SUM, DataType.INT64, step, (job.rank() + 1) % job.ranks(), 0);
            }
            job.gsync();
            results.store("w", window.memory());
        }
    }

    private static SimCluster cluster(long seed) {
        return new SimCluster(JobOptions.builder().set(JobOption.RANKS, 3).set(JobOption.CHECKSUMS, 2)
            .set(JobOption.SPARES, 1).set(JobOption.INTERVAL, "1").set(JobOption.PROTOCOL, "full")
            .set(JobOption.NODES, 3).set(JobOption.AWARE, "node").set(JobOption.DEADLINE, "40s")
            .set(JobOption.LOG_BUDGET, "1MiB").build(), new Counting(), seed).onHosts();
    }

    /** A generation that is committed while logs are trimmed to the one before is what they are trimmed to next. */
    @Test
    void whatAGenerationIncludesIsNotDoneAgainThoughItWasCommittedWhileLogsWereTrimmed() {
        Map<Integer, Map<String, byte[]>> expected = cluster(1).run().contents();
        Map<String, Integer> reasons = new TreeMap<>();
        int local = 0;
        for (long seed = 1; seed <= SEEDS; seed++) {
            long generation = 2 + seed % 5;
            long nanos = (seed * 7919) % 200_000;
            SimResult result = cluster(seed).when(JobEvent.Committed.class, e -> e.generation() == generation,
                job -> job.after(nanos, one -> one.kill(1))).run();
            assertNull(result.fault(expected), result::story);
            result.outcome().fallbacks().forEach((reason, times) -> reasons.merge(reason, times, Integer::sum));
            local += result.outcome().localRecoveries();
        }
        System.out.println(local + " local recoveries, fallbacks " + reasons);
        assertTrue(local > SEEDS / 2 && reasons.getOrDefault("LOG_GAP", 0) == 0, local + " " + reasons);
    }
}
