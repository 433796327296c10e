package org.ftrma.testkit;

import java.util.Map;
import org.ftrma.Job;
import org.ftrma.Program;
import org.ftrma.options.JobOptions;
import org.ftrma.testkit.contract.WindowContract;
import org.ftrma.testkit.programs.SimProgram;
import org.junit.jupiter.api.Tag;

/**
 * The window contract on simulated jobs, under many schedules, with checkpoints at every step, with and without logs,
 * and without protection.
 */
@Tag("long")
class SimWindowTest extends WindowContract {
    private static final int SEEDS = 10;
    private static final long STEP_LIMIT = 5_000_000;

    @Override
    protected void run(int ranks, Program program) {
        SimProgram wrapped = new SimProgram() {
            @Override
            public String name() {
                return "contract";
            }

            @Override
            public void run(Job job, Results results) throws Exception {
                program.run(job);
            }
        };
        SimMemory memory = new SimMemory();
        for (long seed = 1; seed <= SEEDS; seed++) {
            JobOptions options = JobOptions.of(Map.of("ranks", "" + ranks, "checksums", seed % 3 == 0 ? "0" : "1",
                "interval", "1", "direct-collectives", seed % 4 < 2 ? "1" : "8",
                "protocol", seed % 2 == 0 ? "full" : "coordinated"));
            SimResult result = new SimCluster(options, wrapped, seed, memory, STEP_LIMIT).run();
            if (!result.succeeded()) {
                throw new AssertionError(result.story());
            }
        }
    }
}
