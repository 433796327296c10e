package org.ftrma.testkit;

import java.util.List;
import java.util.Map;
import org.ftrma.Job;
import org.ftrma.Program;
import org.ftrma.options.JobOptions;
import org.ftrma.testkit.contract.MessageCase;
import org.ftrma.testkit.programs.SimProgram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The message contract on simulated jobs, under many schedules, with checkpoints at every step and without protection,
 * where accesses take effect at once and where they take their time.
 */
class SimMessagesTest {
    private static final int SEEDS = 8;
    private static final long STEP_LIMIT = 8_000_000;

    private static void run(int ranks, Program program) {
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
                "interval", "1", "protocol", "coordinated", "path", seed % 2 == 0 ? "network" : "auto"));
            SimResult result = new SimCluster(options, wrapped, seed, memory, STEP_LIMIT).run();
            if (!result.succeeded()) {
                throw new AssertionError("seed " + seed + ": " + result.story());
            }
        }
    }

    @ParameterizedTest
    @EnumSource(MessageCase.class)
    void holdsOnThreeRanks(MessageCase one) {
        run(3, MessageCase.program(one == MessageCase.ACROSS_A_BOUNDARY
            ? List.of(one, MessageCase.TAKEN_AFTER_THE_BOUNDARY) : List.of(one)));
    }

    @ParameterizedTest
    @EnumSource(MessageCase.class)
    void holdsOnOneRank(MessageCase one) {
        run(1, MessageCase.program(List.of(one)));
    }

    @Test
    void holdsForAllCasesInOneJob() {
        run(4, MessageCase.program(List.of(MessageCase.values())));
    }
}
