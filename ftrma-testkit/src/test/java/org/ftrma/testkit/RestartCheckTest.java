package org.ftrma.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.ftrma.AtomicOp;
import org.ftrma.DataType;
import org.ftrma.Job;
import org.ftrma.LockType;
import org.ftrma.MisuseException;
import org.ftrma.Program;
import org.ftrma.Request;
import org.ftrma.RotatingSegment;
import org.ftrma.Window;
import org.ftrma.WindowKind;
import org.ftrma.check.restart.RestartCheck;
import org.ftrma.options.JobOptions;
import org.ftrma.spi.Clock;
import org.ftrma.testkit.programs.Flavour;
import org.ftrma.testkit.programs.Programs;
import org.ftrma.testkit.programs.RandomProgram;
import org.ftrma.testkit.programs.SimProgram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Every step run twice: programs that may be restarted pass with their own result, others are found with the place. */
class RestartCheckTest {
    private static final int STEPS = 4;

    private record Named(Program program) implements SimProgram {
        @Override
        public String name() {
            return "own";
        }

        @Override
        public void run(Job job, Results results) throws Exception {
            program.run(job);
        }
    }

    /** A rank's clock that goes on by a millisecond at each look. */
    static final class Counting implements Clock {
        private long nanos;

        @Override
        public long nanoTime() {
            nanos += 1_000_000;
            return nanos;
        }

        @Override
        public void relax(int turn) {
            // The accesses of a wait are its turns in the simulation.
        }
    }

    private static SimResult run(SimProgram program, boolean checked, long seed) {
        return run(program, checked, seed, 40_000_000_000L);
    }

    private static SimResult run(SimProgram program, boolean checked, long seed, long deadlineNanos) {
        JobOptions options = JobOptions.of(Map.of("ranks", "3", "checksums", "0", "deadline", "40s"));
        return new SimCluster(options, checked ? new SimProgram() {
            @Override
            public String name() {
                return program.name();
            }

            @Override
            public void run(Job job, Results results) throws Exception {
                new RestartCheck(own -> program.run(own, results), new Counting(), deadlineNanos).run(job);
            }
        } : program, seed).run();
    }

    private static void passes(SimProgram program, long seed) {
        SimResult plain = run(program, false, seed);
        SimResult checked = run(program, true, seed);
        assertNull(checked.fault(plain.contents()), () -> program.name() + "\n" + checked.story());
    }

    private static String found(Program program) {
        SimResult result = run(new Named(program), true, 1);
        assertEquals(1, result.outcome().kind().exitCode(), result::story);
        assertTrue(result.violations().isEmpty() && result.hang() == null, result::story);
        assertTrue(result.outcome().message().contains("--verify-restart: "), result::story);
        return result.outcome().message();
    }

    private static void assertFound(Program program, String... parts) {
        String message = found(program);
        for (String part : parts) {
            assertTrue(message.contains(part), "lacks \"" + part + "\": " + message);
        }
    }

    static Stream<String> programs() {
        return Stream.of(Programs.all(1), Programs.signals(1), List.of(Programs.converge(1),
            Programs.teams(1, true), Programs.unequal(1))).flatMap(List::stream)
            .map(SimProgram::name);
    }

    @ParameterizedTest
    @MethodSource("programs")
    void programsOfTheSimulatorPass(String name) {
        for (long seed = 1; seed <= 10; seed++) {
            passes(Programs.byName(name, STEPS), seed);
        }
    }

    /** Also those whose ranks see what the order of locks and atomics lets them see. */
    @ParameterizedTest
    @EnumSource
    void randomProgramsPass(Flavour flavour) {
        for (long number = 1; number <= 60; number++) {
            passes(new RandomProgram(flavour, number, STEPS), number);
        }
    }

    @Test
    void stateInAJavaVariableIsFoundWhereItEntersAWindow() {
        assertFound(job -> {
            Window sums = job.allocateWindow("sums", 64);
            long sum = 0;
            for (long step : job.steps(STEPS)) {
                sum += step;
                sums.memory().set(ValueLayout.JAVA_LONG, 40, sum);
                job.gsync();
            }
        }, "step 2 of rank", "window sums at bytes 40 to 47: first 0000000000000003, then 0000000000000002");
    }

    @Test
    void stateInAJavaVariableIsFoundWhereItIsPut() {
        assertFound(job -> {
            Window sums = job.allocateWindow("sums", 64);
            long sum = 7;
            for (long step : job.steps(STEPS)) {
                sum += job.rank() == 1 && step == 3 ? 1 : 0;
                sums.putLong(sum, 2, job.rank() * 8);
                job.gsync();
            }
        }, "step 4 of rank 1", "putLong window sums target 2 bytes 8 to 15 with other data");
    }

    /** Sources of blocks are compared without what lies between them. */
    @Test
    void stateInAJavaVariableIsFoundWhereItGoesIntoBlocks() {
        for (int i = 0; i < 5; i++) {
            int how = i;
            String what = List.of("rputStrided", "putStrided", "raccumulateStrided SUM", "getAccumulateStrided SUM",
                "rgetAccumulateStrided SUM")
                .get(i);
            for (int shift = 0; shift <= 8; shift += 8) {
                boolean between = shift == 8;
                int place = 16 + shift;
                Program program = job -> {
                    Window sums = job.allocateWindow("sums", 96);
                    long sum = 7;
                    MemorySegment local = Arena.ofAuto().allocate(48, 8);
                    MemorySegment result = Arena.ofAuto().allocate(48, 8);
                    for (long step : job.steps(STEPS)) {
                        sum += job.rank() == 1 && step == 3 ? 1 : 0;
                        local.fill((byte) 0).set(ValueLayout.JAVA_LONG, place, sum);
                        long to = job.rank() * 8L;
                        DataType type = DataType.INT64;
                        switch (how) {
                            case 0 -> sums.rputStrided(local, 0, 16, 2, to, 24, 8, 3).await();
                            case 1 -> sums.putStrided(local, 0, 16, 2, to, 24, 8, 3);
                            case 2 -> sums.raccumulateStrided(AtomicOp.SUM, type, local, 0, 16, 2, to, 24, 1, 3)
                                .await();
                            case 3 -> sums.getAccumulateStrided(AtomicOp.SUM, type, local, 0, 16, result, 0, 8, 2, to,
                                24, 1, 3);
                            default -> sums.rgetAccumulateStrided(AtomicOp.SUM, type, local, 0, 16, result, 0, 8, 2, to,
                                24, 1, 3).await();
                        }
                        job.gsync();
                    }
                };
                if (between) {
                    passes(new Named(program), 1);
                } else {
                    assertFound(program, "step 4 of rank 1",
                        what + " window sums target 2 bytes 8 to 63 with other data");
                }
            }
        }
    }

    @Test
    void stridedAccessesByRequestPassWithTheirOwnResult() {
        SimProgram program = new SimProgram() {
            @Override
            public String name() {
                return "blocks";
            }

            @Override
            public void run(Job job, Results results) {
                StridedAccessesTest.blocks(job, results, STEPS);
            }
        };
        for (long seed = 1; seed <= 10; seed++) {
            passes(program, seed);
        }
    }

    /** What a request answers is a matter of chance, and counted here. */
    @Test
    void requestsAnswerTheSameTheSecondTime() {
        AtomicLong most = new AtomicLong();
        Program program = job -> {
            Window cells = job.allocateWindow("cells", 64);
            MemorySegment source = job.protect("source", 16);
            for (long step : job.steps(STEPS)) {
                int right = (job.rank() + 1) % job.ranks();
                long polls = 1;
                for (int put = 0; put < 2; put++) {
                    Request request = put == 0 ? cells.rput(source, 0, right, 0, 16)
                        : cells.rputStrided(source, 0, 8, right, 16, 16, 8, 2);
                    while (!request.test()) {
                        polls++;
                    }
                }
                most.accumulateAndGet(polls, Math::max);
                job.gsync();
                source.set(ValueLayout.JAVA_LONG, 0, source.get(ValueLayout.JAVA_LONG, 0) * 31 + polls);
                cells.putLong(polls, right, 56);
                job.gsync();
            }
        };
        for (long seed = 1; seed <= 10; seed++) {
            SimResult checked = run(new Named(program), true, seed);
            assertTrue(checked.succeeded(), checked::story);
        }
        assertTrue(most.get() > 3, "tests of requests in a step: " + most);
    }

    @Test
    void anObjectThatLivesAcrossStepsIsFound() {
        AtomicInteger[] calls = {new AtomicInteger(), new AtomicInteger(), new AtomicInteger()};
        assertFound(job -> {
            MemorySegment own = job.protect("own", 16);
            for (long step : job.steps(STEPS)) {
                own.set(ValueLayout.JAVA_LONG, 8, calls[job.rank()].incrementAndGet());
            }
        }, "step 1 of rank", "protected segment own at bytes 8 to 15: first 0000000000000001, then 0000000000000002");
    }

    @Test
    void rotatingStateIsComparedAndRestored() {
        Program right = job -> {
            RotatingSegment state = job.protectRotating("state", 8);
            for (long step : job.steps(STEPS)) {
                state.next().set(ValueLayout.JAVA_LONG, 0, state.current().get(ValueLayout.JAVA_LONG, 0) * 3 + step);
                state.advance();
            }
        };
        passes(new Named(right), 1);
        assertFound(job -> {
            RotatingSegment state = job.protectRotating("state", 8);
            boolean first = true;
            for (long step : job.steps(STEPS)) {
                state.next().set(ValueLayout.JAVA_LONG, 0, first ? 5 : 6);
                state.advance();
                first = false;
            }
        }, "step 2 of rank", "rotating segment state at bytes 0 to 7: first 0000000000000006, then 0000000000000005");
    }

    @Test
    void contentsOfAScratchWindowThatAreUsedInTheNextStepAreFound() {
        assertFound(job -> {
            Window scratch = job.allocateWindow("scratch", 8, WindowKind.SCRATCH);
            MemorySegment own = job.protect("own", 8);
            for (long step : job.steps(STEPS)) {
                own.set(ValueLayout.JAVA_LONG, 0, scratch.memory().get(ValueLayout.JAVA_LONG, 0));
                scratch.memory().set(ValueLayout.JAVA_LONG, 0, step);
            }
        }, "step 1 of rank", "protected segment own", "then 5b5b5b5b5b5b5b5b");
    }

    @Test
    void aCallThatIsMissingOrMoreOrAnotherIsFound() {
        assertFound(job -> {
            job.allocateWindow("w", 8);
            int seen = 0;
            for (long step : job.steps(STEPS)) {
                if (++seen == 2) {
                    job.barrier();
                }
            }
        }, "step 2 of rank", "first barrier, then the step ended without it");
        assertFound(job -> {
            Window window = job.allocateWindow("w", 64);
            int seen = 0;
            for (long step : job.steps(STEPS)) {
                window.getLong(0, 8L * ++seen);
            }
        }, "step 2 of rank",
            "first getLong window w target 0 bytes 16 to 23, then getLong window w target 0 bytes 8 to 15");
        assertFound(job -> {
            Window window = job.allocateWindow("w", 64);
            boolean known = false;
            for (long step : job.steps(STEPS)) {
                if (!known || step == 1) {
                    window.fetchAndOp(AtomicOp.SUM, DataType.INT64, 1, 0, 0);
                    known = true;
                }
            }
        }, "step 2 of rank", "then a call more: fetchAndOp SUM window w target 0 bytes 0 to 7");
    }

    @Test
    void allocationThatChangesIsFound() {
        AtomicInteger entries = new AtomicInteger();
        assertFound(job -> {
            job.protect("p", 8L * (entries.incrementAndGet() > 3 ? 2 : 1));
            for (long step : job.steps(STEPS)) {
                job.barrier();
            }
        }, "protected segment p bytes=16: was p bytes=8");
    }

    @Test
    void locksHeldOverStepsAreRestoredToo() {
        passes(new Named(job -> {
            Window window = job.allocateWindow("w", 8);
            Window other = job.allocateWindow("o", 8);
            int right = (job.rank() + 1) % job.ranks();
            for (long step : job.steps(6)) {
                if (step == 2) {
                    window.lock(LockType.EXCLUSIVE, right);
                    other.lockAll();
                }
                if (step >= 2 && step <= 4) {
                    window.putLong(window.getLong(right, 0) + step, right, 0);
                    other.fetchAndOp(AtomicOp.SUM, DataType.INT64, step, right, 0);
                }
                if (step == 4) {
                    window.unlock(right);
                    other.unlockAll();
                }
            }
        }), 3);
    }

    @Test
    void nondeterministicValuesAreTheSameInTheSecondRun() {
        AtomicInteger clock = new AtomicInteger();
        passes(new Named(job -> {
            MemorySegment own = job.protect("own", 8);
            for (long step : job.steps(STEPS)) {
                own.set(ValueLayout.JAVA_LONG, 0, job.nondeterministic(clock::incrementAndGet));
            }
        }), 1);
        assertFound(job -> {
            MemorySegment own = job.protect("own", 8);
            for (long step : job.steps(STEPS)) {
                own.set(ValueLayout.JAVA_LONG, 0, clock.incrementAndGet());
            }
        }, "protected segment own");
    }

    /** Accesses that are refused, of every kind that takes turns; the program goes on. */
    @Test
    void anAccessThatThrowsGivesItsTurnBack() {
        Program program = job -> {
            Window window = job.allocateWindow("w", 64);
            MemorySegment own = job.protect("own", 16);
            MemorySegment gone;
            try (Arena arena = Arena.ofConfined()) {
                gone = arena.allocate(8);
            }
            for (long step : job.steps(STEPS)) {
                List<Runnable> wrong = List.of(() -> window.getLong(0, 64), () -> window.get(gone, 0, 0),
                    () -> window.put(gone, 0, 0),
                    () -> window.fetchAndOp(AtomicOp.SUM, DataType.INT64, 1, job.ranks(), 0),
                    () -> window.getLong(-1, 0),
                    () -> window.accumulate(AtomicOp.SUM, DataType.INT64, gone, 0, 0, 0, 1),
                    () -> window.lock(LockType.SHARED, 1));
                window.lock(LockType.SHARED, 1);
                int refused = 0;
                for (Runnable access : wrong) {
                    try {
                        access.run();
                    } catch (MisuseException e) {
                        refused++;
                    }
                    window.fetchAndOp(AtomicOp.SUM, DataType.INT64, 1, 0, 8L * job.rank());
                }
                window.unlock(1);
                own.set(ValueLayout.JAVA_LONG, 0, refused);
                job.gsync();
            }
            job.report("refused", own.get(ValueLayout.JAVA_LONG, 0));
        };
        for (long seed = 1; seed <= 5; seed++) {
            passes(new Named(program), seed);
            assertEquals(7L, run(new Named(program), true, seed).outcome().reports().get("refused"));
        }
    }

    /**
     * Rank 1 leaves out its access the second time, and waits, in a way that nobody sees, for one of rank 2 that comes
     * after it.
     */
    @Test
    void aTurnThatNobodyTakesIsWaitedForUntilTheDeadline() {
        AtomicInteger entries = new AtomicInteger();
        Program program = job -> {
            Window window = job.allocateWindow("w", 64);
            boolean again = job.rank() == 1 && entries.incrementAndGet() > 1;
            for (long step : job.steps(STEPS)) {
                if (job.rank() == 1 && !again) {
                    window.fetchAndOp(AtomicOp.SUM, DataType.INT64, 1, 0, 0);
                    window.putLong(step, 2, 8);
                    window.flush(2);
                }
                if (job.rank() == 2) {
                    while (!again && window.memory().get(ValueLayout.JAVA_LONG, 8) == 0 && entries.get() == 1) {
                        window.flushAll();
                    }
                    window.fetchAndOp(AtomicOp.SUM, DataType.INT64, 1, 0, 0);
                    window.putLong(step, 1, 16);
                    window.flush(1);
                }
                while (again && window.memory().get(ValueLayout.JAVA_LONG, 16) == 0) {
                    window.flushAll();
                }
                job.gsync();
            }
        };
        SimResult result = run(new Named(program), true, 1, 200_000_000);
        assertNull(result.hang(), result::story);
        assertEquals(1, result.outcome().kind().exitCode(), result::story);
        for (String part : List.of("--verify-restart: step 1: waited 200 ms for turn 1 of the accesses to rank 0",
            "fetchAndOp SUM window w target 0",
            "turn 0 is that of rank 1, which has not made its access again")) {
            assertTrue(result.outcome().message().contains(part),
                () -> "lacks \"" + part + "\": " + result.outcome().message());
        }
    }

    @Test
    void whatIsChangedBeforeTheLoopOutsideOfInitializeIsFound() {
        assertFound(job -> {
            Window window = job.allocateWindow("w", 64);
            window.memory().set(ValueLayout.JAVA_LONG, 8, 5);
            for (long step : job.steps(STEPS)) {
                window.memory().set(ValueLayout.JAVA_LONG, 8, 5 + step);
            }
        }, "before steps()", "a change of window w at bytes 8 to 15: first 0000000000000006, then 0000000000000005");
        passes(new Named(job -> {
            Window window = job.allocateWindow("w", 64);
            job.initialize(() -> window.fetchAndOp(AtomicOp.SUM, DataType.INT64, 500, 0, 0));
            for (long step : job.steps(STEPS)) {
                window.fetchAndOp(AtomicOp.SUM, DataType.INT64, step, 0, 0);
            }
        }), 1);
    }

    @Test
    void stateInAVariableOfALoopWithoutANumberIsFound() {
        assertFound(job -> {
            Window window = job.allocateWindow("w", 64);
            long carried = 0;
            while (job.nextStep()) {
                carried += job.step();
                window.putLong(carried, job.rank(), 0);
                window.flush(job.rank());
            }
        }, "step 2 of rank", "was run twice");
    }

    @Test
    void aSecondRunThatLeavesTheLoopIsFound() {
        int[] runs = new int[3];
        assertFound(job -> {
            job.protect("m", 8);
            while (job.nextStep()) {
                if (++runs[job.rank()] == 2) {
                    break;
                }
            }
        }, "step 1 of rank", "broke out of it");
    }
}
