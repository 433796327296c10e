package org.ftrma.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.ftrma.AtomicOp;
import org.ftrma.DataType;
import org.ftrma.Job;
import org.ftrma.Window;
import org.ftrma.core.control.FallbackReason;
import org.ftrma.testkit.programs.SimProgram;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Accesses of blocks that fetch, or have a request: logged and replayed as the accesses of their elements would be,
 * wherever a rank is lost.
 */
@Tag("long")
class StridedAccessesTest {
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
    private static final int STEPS = 3;

    private static final SimProgram BLOCKS = new SimProgram() {
        @Override
        public String name() {
            return "blocks";
        }

        @Override
        public void run(Job job, Results results) {
            blocks(job, results, STEPS);
        }
    };

    /** All that is fetched is folded into protected memory and is part of what is written next. */
    static void blocks(Job job, SimProgram.Results results, int steps) {
        Window cells = job.allocateWindow("cells", 20 * 8);
        MemorySegment kept = job.protect("kept", 8);
        MemorySegment operands = job.protect("operands", 8 * 8);
        MemorySegment found = job.protect("found", 12 * 8);
        int right = (job.rank() + 1) % job.ranks();
        job.initialize(() -> {
            for (int i = 0; i < 20; i++) {
                cells.memory().setAtIndex(LONG, i, 100L * job.rank() + i);
            }
        });
        for (long step : job.steps(steps)) {
            for (int i = 0; i < 8; i++) {
                operands.setAtIndex(LONG, i, kept.get(LONG, 0) * 7 + step * 10 + i);
            }
            cells.getAccumulateStrided(AtomicOp.SUM, DataType.INT64, operands, 8, 24, found, 0, 16, right, 0, 24, 2, 2);
            cells.rgetAccumulateStrided(AtomicOp.REPLACE, DataType.INT32, operands, 4, 8, found, 32, 8, right, 40, 8, 1,
                3).await();
            cells.raccumulateStrided(AtomicOp.BXOR, DataType.INT64, operands, 0, 8, (int) (step % job.ranks()), 64, 16,
                1, 2).await();
            cells.rputStrided(operands, 16, 16, right, 96, 24, 8, 3).await();
            job.gsync();
            cells.rgetStrided(found, 56, 8, right, 96, 24, 8, 3).await();
            cells.getAccumulateStrided(AtomicOp.NO_OP, DataType.INT64, null, 0, 0, found, 80, 8, right, 64, 16, 1, 2);
            cells.flush(right);
            long sum = kept.get(LONG, 0);
            for (int i = 0; i < 12; i++) {
                sum = sum * 31 + found.getAtIndex(LONG, i);
            }
            kept.set(LONG, 0, sum);
            job.gsync();
        }
        results.store("cells", cells.memory());
        results.store("kept", kept);
    }

    private static Simulation simulation(String protocol) {
        return new Simulation().program(BLOCKS).protocol(protocol).ranks(3).checksums(1).spares(1).interval("2")
            .steps(STEPS).seed(5);
    }

    @ParameterizedTest
    @ValueSource(strings = {"coordinated", "full"})
    void oneCrashAtEveryPointOfEveryMemberLeavesTheResultAsItIs(String protocol) {
        SimReport report = simulation(protocol).singles();
        System.out.println(report.summary());
        assertTrue(report.clean(), report::toString);
        assertTrue(report.deaths() > 400 && report.gaveUp() == 0, report::summary);
        assertTrue(protocol.equals("full") ? report.replays() > 150 : report.rollbacks() > 150, report::summary);
    }

    @Test
    void everyScheduleEndsAlikeWithAndWithoutLogs() {
        Map<Integer, Map<String, byte[]>> expected = simulation("none").checksums(0).expected();
        for (String protocol : List.of("none", "coordinated", "full", "ml")) {
            for (long seed = 1; seed <= 25; seed++) {
                Simulation simulation = simulation(protocol).checksums(protocol.equals("none") ? 0 : 1);
                SimResult result = simulation.run(seed, List.of(), new SimMemory());
                assertNull(result.fault(expected), result::story);
            }
        }
    }

    /** Every element that was fetched and combined is known by itself: without N some would be done twice. */
    @Test
    void anAccessThatIsHalfDoneIsNotDoneTwice() {
        SimReport report = simulation("full").interval("none").faults(Set.of("N_NEVER_SET")).until(4)
            .singles();
        assertTrue(report.failed() >= 4, () -> "not found: " + report.summary());
    }

    /**
     * Rank 0 puts into rank 1's window, then rank 1 itself puts there; rank 1 is lost. Nothing tells a replay which
     * came last, so all must go back: else rank 0's value would be put over it.
     */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aPutIntoTheOwnWindowByRequestMeetsThoseOfOthersAtReplay(boolean strided) {
        Script.Story story = new Script.Story("own rput", 3, 1, "none", 1, (job, script, window, memory) -> {
            if (job.rank() == 0) {
                window.putLong(9, 1, 16);
                window.flush(1);
                script.reach(1);
            } else if (job.rank() == 1) {
                script.await(job, window, 1);
                memory.set(LONG, 8, 7);
                if (strided) {
                    window.rputStrided(memory, 0, 8, 1, 0, 16, 8, 2).await();
                } else {
                    window.rput(memory, 8, 1, 16, 8).await();
                }
                window.flush(1);
                script.die(job, 2, 1);
            }
            job.gsync();
        });
        Map<Integer, Map<String, byte[]>> expected = story.run(1, false, Set.of()).contents();
        for (long seed = 1; seed <= 10; seed++) {
            SimResult result = story.run(seed, true, Set.of());
            assertNull(result.fault(expected), result::story);
            assertEquals(Set.of(FallbackReason.UNORDERED_CONFLICT.name()), result.outcome().fallbacks().keySet(),
                result::story);
        }
    }
}
