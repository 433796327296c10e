package org.ftrma.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.ftrma.Job;
import org.ftrma.options.JobOptions;
import org.ftrma.testkit.programs.SimProgram;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A rank has more events than there is room for before anything leaves it. */
class ManyEventsTest {
    private static final int MORE_THAN_THERE_IS_ROOM_FOR = 70_000;
    private static final long STEPS = 20;

    private static SimCluster cluster(String loggers) {
        return new SimCluster(JobOptions.of(Map.of("ranks", "2", "checksums", "1", "protocol", "pessimistic-v",
            "interval", "none", "event-logger", loggers)), new SimProgram() {
                @Override
                public String name() {
                    return "many-events";
                }

                @Override
                public void run(Job job, Results results) {
                    for (long step : job.steps(STEPS)) {
                        for (int i = 0; i < MORE_THAN_THERE_IS_ROOM_FOR && job.rank() == 0 && step == 1; i++) {
                            job.nondeterministic(() -> 1);
                        }
                        job.messages().barrier();
                    }
                }
            }, 1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"onesided", "active"})
    void theRankGoesOnAndIfItIsLostAllGoBackWithTheReasonUnlessAnImageCoversThem(String loggers) {
        SimResult clean = cluster(loggers).run();
        assertTrue(clean.succeeded(), clean::story);
        long late = clean.steps() * 8 / 10;
        SimResult lost = cluster(loggers).crashing(List.of(new Crash(true, 0, late, Crash.How.AT_STEP))).run();
        assertTrue(lost.succeeded(), lost::story);
        assertEquals(1, lost.outcome().rollbacks() + lost.outcome().localRecoveries(), lost::story);
        assertTrue(Set.of("EVENTS_LOST").containsAll(lost.outcome().fallbacks().keySet()), lost::story);
    }
}
