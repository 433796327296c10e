package org.ftrma.launch.inject;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Random;
import org.ftrma.options.JobOption;
import org.ftrma.options.JobOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ChaosTest {
    private static final JobOptions OPTIONS = JobOptions.builder().set(JobOption.RANKS, 4).set(JobOption.CHECKSUMS, 1)
        .build();

    private static List<InjectedFailure> plan(int kills, long step, long iterations) {
        return new Chaos(kills, 0, OPTIONS).plan(step, iterations, new Random(5));
    }

    @ParameterizedTest
    @CsvSource({"4, 0, 100, 25", "5, 50, 100, 10"})
    void eachStretchOfTheStepsHasOneFailure(int kills, long step, long iterations, long stretch) {
        List<InjectedFailure> plan = plan(kills, step, iterations);
        assertEquals(kills, plan.size());
        for (int i = 0; i < kills; i++) {
            long at = plan.get(i).step() - step - 1;
            assertTrue(at >= i * stretch && at < (i + 1) * stretch, plan::toString);
        }
    }

    @Test
    void aLoopWhoseEndNobodyKnowsHasOneInEachTenSteps() {
        List<InjectedFailure> plan = plan(3, 0, Integer.MAX_VALUE - 1L);
        for (int i = 0; i < 3; i++) {
            long at = plan.get(i).step() - 1;
            assertTrue(at >= i * 10L && at < (i + 1) * 10L, plan::toString);
        }
    }
}
