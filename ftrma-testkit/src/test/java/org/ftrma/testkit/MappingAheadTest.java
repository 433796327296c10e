package org.ftrma.testkit;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.ftrma.Job;
import org.ftrma.RotatingSegment;
import org.ftrma.Window;
import org.ftrma.WindowKind;
import org.ftrma.testkit.programs.SimProgram;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Checksum ranks map what rotates while the program initializes: ranks and checksum ranks die before that, in it, and
 * between it and the first parity.
 */
@Tag("long")
class MappingAheadTest {
    /** Rotating segments that are large enough, an initialization that takes a while, and puts to the neighbour. */
    private record LargeRotating(long steps) implements SimProgram {
        private static final int CELLS = 8 << 10;

        @Override
        public String name() {
            return "large-rotating";
        }

        @Override
        public void run(Job job, Results results) {
            RotatingSegment state = job.protectRotating("state", CELLS * 8L);
            RotatingSegment other = job.protectRotating("other", CELLS * 8L);
            Window inbox = job.allocateWindow("inbox", 8, WindowKind.PROTECTED);
            int right = (job.rank() + 1) % job.ranks();
            job.initialize(() -> {
                for (int i = 0; i < 6; i++) {
                    job.gsync();
                }
                fill(state, job.rank());
                fill(other, -job.rank());
            });
            for (long step : job.steps(steps)) {
                inbox.putLong(mix(state.current().get(ValueLayout.JAVA_LONG, 0), step), right, 0);
                job.gsync();
                fill(state, mix(inbox.memory().get(ValueLayout.JAVA_LONG, 0), step));
                job.gsync();
            }
            results.store("state", state.current());
            results.store("other", other.current());
        }

        private static long mix(long a, long b) {
            return (a * 0x9e37_79b9_7f4a_7c15L ^ b) * 0xbf58_476d_1ce4_e5b9L + 1;
        }

        private static void fill(RotatingSegment segment, long seed) {
            MemorySegment next = segment.next();
            for (int i = 0; i < CELLS; i += 509) {
                next.setAtIndex(ValueLayout.JAVA_LONG, i, mix(seed, i));
            }
            segment.advance();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void oneCrashAtEveryPointLeavesTheResultAsItIs(int checksums) {
        SimReport report = new Simulation().program(new LargeRotating(3)).protocol("full").ranks(3).checksums(checksums)
            .spares(1).interval("2")
            .seed(5).singles();
        System.out.println(report.summary());
        assertTrue(report.clean() && report.gaveUp() == 0, report::toString);
        assertTrue(report.deaths() > 200, report::summary);
    }

    @Test
    void pairsOfCrashesAreRecoveredOrEndClearly() {
        SimReport report = new Simulation().program(new LargeRotating(2)).protocol("full").ranks(3).checksums(1)
            .spares(2).interval("2").seed(9)
            .pairs(300);
        System.out.println(report.summary());
        assertTrue(report.clean(), report::toString);
        assertTrue(report.deaths() > 200, report::summary);
    }
}
