package org.ftrma.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.List;
import java.util.stream.Stream;
import org.ftrma.AtomicOp;
import org.ftrma.Comparison;
import org.ftrma.DataType;
import org.ftrma.Job;
import org.ftrma.LockType;
import org.ftrma.Program;
import org.ftrma.Window;
import org.ftrma.check.race.RaceCheck;
import org.ftrma.options.JobOptions;
import org.ftrma.testkit.programs.Flavour;
import org.ftrma.testkit.programs.Programs;
import org.ftrma.testkit.programs.RandomProgram;
import org.ftrma.testkit.programs.SimProgram;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Races are found, with their place, whether or not they showed; programs without races pass with their own result. */
@Tag("long")
class RaceCheckTest {
    private static final int STEPS = 4;

    /** What one rank does in a step. */
    private interface Body {
        void run(Job job, Window window, long step, MemorySegment local);
    }

    /** A window {@code cells} of 128 bytes, and 128 bytes of local memory; a gsync before and after the steps. */
    private record Own(Body body) implements SimProgram {
        @Override
        public String name() {
            return "own";
        }

        @Override
        public void run(Job job, Results results) {
            Window window = job.allocateWindow("cells", 128);
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment local = arena.allocate(128, 8);
                for (long step : job.steps(STEPS)) {
                    body.run(job, window, step, local);
                }
                job.gsync();
            }
            results.store("cells", window.memory());
        }
    }

    private static SimResult run(SimProgram program, boolean checked, long seed, Map<String, String> more) {
        Map<String, String> given = new java.util.TreeMap<>(Map.of("ranks", "3", "checksums", "0", "deadline", "40s"));
        given.putAll(more);
        return new SimCluster(JobOptions.of(given), checked ? new SimProgram() {
            @Override
            public String name() {
                return program.name();
            }

            @Override
            public void run(Job job, Results results) throws Exception {
                Program own = inner -> program.run(inner, results);
                new RaceCheck(own, new RestartCheckTest.Counting(), 40_000_000_000L).run(job);
            }
        } : program, seed).run();
    }

    private static void passes(SimProgram program, long seed, Map<String, String> more) {
        SimResult plain = run(program, false, seed, more);
        SimResult checked = run(program, true, seed, more);
        assertNull(checked.fault(plain.contents()), () -> program.name() + "\n" + checked.story());
    }

    private static void passes(Body body) {
        for (long seed = 1; seed <= 5; seed++) {
            SimResult result = run(new Own(body), true, seed, Map.of());
            assertTrue(result.succeeded(), result::story);
        }
    }

    /** Found whatever the schedule. */
    private static void races(Body body, String... parts) {
        for (long seed = 1; seed <= 5; seed++) {
            SimResult result = run(new Own(body), true, seed, Map.of());
            assertEquals(1, result.outcome().kind().exitCode(), result::story);
            String message = result.outcome().message();
            assertTrue(message.contains("--check-races: rank "), message);
            for (String part : parts) {
                assertTrue(message.contains(part), "lacks \"" + part + "\": " + message);
            }
        }
    }

    static Stream<String> programs() {
        return Stream.of(Programs.all(1), Programs.signals(1), List.of(Programs.converge(1),
            Programs.teams(1, true), Programs.unequal(1))).flatMap(List::stream)
            .map(SimProgram::name);
    }

    private static void relay(Job job, Window window, long step, boolean waits) {
        if (job.rank() == 0) {
            window.putLong(step, 1, 16);
            window.flush(1);
            window.signal(AtomicOp.REPLACE, step, 2, 0);
        } else if (job.rank() == 2) {
            if (waits) {
                window.waitUntil(0, Comparison.GE, step);
            }
            window.putLong(step * 2, 1, 16);
        }
        job.gsync();
    }

    @Test
    void signalsThatAreSeenOrderAccesses() {
        passes((job, window, step, local) -> relay(job, window, step, true));
        races((job, window, step, local) -> relay(job, window, step, false), "window cells bytes 16 to 23",
            "put by rank 0", "put by rank 2");
        races((job, window, step, local) -> {
            if (job.rank() > 0) {
                window.put(new int[] {1, 2}, 0, 8 * job.rank());
                window.putInt(job.rank(), 0, 12);
            }
            job.gsync();
        }, "bytes 12 to 15", "put by rank 1", "put by rank 2");
    }

    @ParameterizedTest
    @MethodSource("programs")
    void programsOfTheSimulatorPass(String name) {
        for (long seed = 1; seed <= 4; seed++) {
            passes(Programs.byName(name, STEPS), seed, Map.of());
        }
    }

    @ParameterizedTest
    @EnumSource
    void randomProgramsPass(Flavour flavour) {
        for (long number = 1; number <= 100; number++) {
            passes(new RandomProgram(flavour, number, STEPS), number, Map.of());
        }
    }

    /** The check needs nothing of the protocol, and does not mind it. */
    @ParameterizedTest
    @MethodSource("programs")
    void programsPassWithCheckpointsAndLogsToo(String name) {
        passes(Programs.byName(name, STEPS), 2, Map.of("checksums", "1", "protocol", "full", "interval", "2"));
    }

    @Test
    void putsOfTwoRanksToTheSameBytesAreFoundWithPlaceAndCounters() {
        races((job, window, step, local) -> {
            if (step == 3 && job.rank() != 1) {
                window.put(local, 0, 1, job.rank() == 0 ? 16 : 20, 8);
            }
            job.gsync();
        }, "rank 1 was accessed", "window cells bytes 20 to 23: put by rank 0 in step 3 (EC 3, GC 2, SC 0, GNC 2) and "
            + "put by rank 2 in step 3 (EC 3");
    }

    @Test
    void putsToNeighbouringBytesAreNoRace() {
        passes((job, window, step, local) -> {
            window.put(local, 0, 1, job.rank() * 8L, 8);
            window.putStrided(local, 0, 8, 2, 4 + job.rank() * 4L, 12, 4, 3);
            job.gsync();
        });
    }

    @Test
    void stridedAccessesAreComparedBlockByBlock() {
        races((job, window, step, local) -> {
            if (job.rank() < 2) {
                window.putStrided(local, 0, 8, 2, job.rank() * 4L, 8 + job.rank() * 4L, 4, 3);
            }
            job.gsync();
        }, "window cells bytes 16 to 19: put by rank 0 in step 1");
    }

    @Test
    void readThatNothingSeparatesFromAPutIsFoundAlsoInTheNextStep() {
        races((job, window, step, local) -> {
            if (job.rank() == 0 && step == 1) {
                window.putLong(7, 1, 8);
                window.flush(1);
            }
            if (job.rank() == 2 && step == 3) {
                window.getLong(1, 8);
            }
        }, "window cells bytes 8 to 15: put by rank 0 in step 1", "getLong by rank 2 in step 3");
        passes((job, window, step, local) -> {
            if (job.rank() == 0 && step == 1) {
                window.putLong(7, 1, 8);
                window.flush(1);
            }
            if (step == 2) {
                job.allReduce(AtomicOp.SUM, 1L);
            }
            if (job.rank() == 2 && step == 3) {
                window.getLong(1, 8);
            }
        });
    }

    @Test
    void barrierDoesNotCompleteAccesses() {
        Body[] bodies = new Body[2];
        for (int i = 0; i < 2; i++) {
            boolean flushed = i == 1;
            bodies[i] = (job, window, step, local) -> {
                if (job.rank() == 0) {
                    window.put(local, 0, 1, 0, 8);
                    if (flushed) {
                        window.flush(1);
                    }
                }
                job.barrier();
                if (job.rank() == 2) {
                    window.get(local, 0, 1, 0, 8);
                }
                job.gsync();
            };
        }
        races(bodies[0], "bytes 0 to 7: put by rank 0 in step 1", "get by rank 2 in step 1");
        passes(bodies[1]);
    }

    @Test
    void accessesOfOneEpochHaveNoOrder() {
        races((job, window, step, local) -> {
            window.put(local, 0, (job.rank() + 1) % 3, 0, 16);
            window.getLong((job.rank() + 1) % 3, 8);
            window.flushAll();
            job.barrier();
        }, "bytes 8 to 15: put by rank", "and getLong by rank");
        passes((job, window, step, local) -> {
            int right = (job.rank() + 1) % 3;
            window.put(local, 0, right, 0, 16);
            window.flush(right);
            window.get(local, 32, right, 0, 16);
            window.flushLocal(right);
            window.put(local, 16, right, 8, 16);
            window.flush(right);
            window.rget(local, 64, right, 0, 8).await();
            window.put(local, 80, right, 0, 8);
            window.flush(right);
        });
    }

    @Test
    void exclusiveLocksOrderAndSharedOnesDoNot() {
        races((job, window, step, local) -> {
            window.lock(LockType.SHARED, 0);
            window.putLong(job.rank(), 0, 8);
            window.unlock(0);
        }, "put by rank", "SC ");
        passes((job, window, step, local) -> {
            window.lock(LockType.EXCLUSIVE, 0);
            window.putLong(window.getLong(0, 8) + 1, 0, 8);
            window.unlock(0);
            window.lock(LockType.SHARED, 0);
            window.getLong(0, 8);
            window.unlock(0);
        });
    }

    @Test
    void lockOfOneRankMayGuardBytesOfAnother() {
        passes((job, window, step, local) -> {
            window.lock(LockType.EXCLUSIVE, 0);
            window.putLong(job.rank(), 2, 8);
            window.flush(2);
            window.unlock(0);
        });
        races((job, window, step, local) -> {
            window.lock(LockType.EXCLUSIVE, 0);
            window.putLong(job.rank(), 2, 8);
            window.unlock(0); // completes what was done at rank 0 only
        }, "rank 2 was accessed", "bytes 8 to 15: put by rank");
    }

    private static Body signal(boolean flushed, boolean atomic, boolean fetching) {
        return (job, window, step, local) -> {
            if (job.rank() == 0) {
                window.put(local, 0, 1, 16, 8);
                if (flushed) {
                    window.flush(1);
                }
                if (!atomic) {
                    window.putLong(step, 1, 0);
                } else if (fetching) {
                    window.fetchAndOp(AtomicOp.REPLACE, DataType.INT64, step, 1, 0);
                } else {
                    local.set(java.lang.foreign.ValueLayout.JAVA_LONG, 64, 1);
                    window.accumulate(AtomicOp.SUM, DataType.INT64, local, 64, 1, 0, 1);
                }
                window.flush(1);
            } else if (job.rank() == 1) {
                while (window.getLong(1, 0) < step) {
                    Thread.onSpinWait();
                }
                window.get(local, 0, 1, 16, 8);
                window.flush(1);
            }
            job.barrier();
        };
    }

    @Test
    void atomicSignalOrdersWhatWasFlushedBefore() {
        passes(signal(true, true, true));
        passes(signal(true, true, false));
        races(signal(false, true, true), "bytes 16 to 23: put by rank 0 in step 1", "and get by rank 1 in step 1");
        races(signal(true, false, false), "put by rank 0 in step 1", "and getLong by rank 1 in step 1");
    }

    @Test
    void atomicsAmongEachOtherAreNoRaceUnlessOfDifferentWidth() {
        passes((job, window, step, local) -> {
            window.fetchAndOp(AtomicOp.SUM, DataType.INT64, 1, 0, 8);
            window.compareAndSwap(DataType.INT64, step, job.rank(), 0, 8);
            window.accumulate(AtomicOp.BXOR, DataType.INT64, local, 0, 0, 0, 2);
            window.getLong(0, 8);
        });
        races((job, window, step, local) -> window.fetchAndOp(AtomicOp.SUM,
            job.rank() == 0 ? DataType.INT64 : DataType.INT32, 1, 0, 8),
            "bytes 8 to 11", "atomic update of 8 bytes by rank 0", "atomic update of 4 bytes by rank ");
        races((job, window, step, local) -> {
            if (job.rank() == 0) {
                window.putLong(1, 0, 8);
                window.flush(0);
            } else {
                window.fetchAndOp(AtomicOp.SUM, DataType.INT64, 1, 0, 8);
            }
        }, "bytes 8 to 15: put by rank 0", "and atomic update of 8 bytes by rank ");
    }

    @Test
    void stridedAccessesByRequestAreComparedBlockByBlock() {
        races((job, window, step, local) -> {
            if (job.rank() < 2) {
                window.rputStrided(local, 0, 8, 2, job.rank() * 4L, 8 + job.rank() * 4L, 4, 3).await();
            }
            job.gsync();
        }, "window cells bytes 16 to 19: put by rank 0 in step 1");
        races((job, window, step, local) -> {
            if (job.rank() == 0) {
                window.rgetStrided(local, 0, 8, 2, 0, 16, 8, 3).await();
            } else if (job.rank() == 1) {
                window.putLong(1, 2, 32);
            }
            job.gsync();
        }, "window cells bytes 32 to 39: get by rank 0 in step 1", "and put by rank 1 in step 1");
        passes((job, window, step, local) -> {
            window.rputStrided(local, 0, 8, 2, job.rank() * 4L, 12, 4, 3).await();
            job.gsync();
            window.rgetStrided(local, 0, 8, 2, job.rank() * 4L, 12, 4, 3).await();
            job.barrier(); // gets were complete with their request
            window.rputStrided(local, 0, 8, 2, (job.rank() + 1) % 3 * 4L, 12, 4, 3).await();
            job.gsync();
        });
        races((job, window, step, local) -> {
            window.rputStrided(local, 0, 8, 2, job.rank() * 4L, 12, 4, 3).await();
            job.barrier(); // puts were not
            window.rputStrided(local, 0, 8, 2, (job.rank() + 1) % 3 * 4L, 12, 4, 3).await();
            job.gsync();
        }, "put by rank 0 in step 1", "put by rank");
    }

    @Test
    void atomicBlocksRaceWithWhatIsNotAtomicInTheirBlocksOnly() {
        passes((job, window, step, local) -> {
            window.getAccumulateStrided(AtomicOp.SUM, DataType.INT64, local, 0, 8, local, 64, 8, 0, 0, 16, 1, 3);
            window.rgetAccumulateStrided(AtomicOp.BXOR, DataType.INT64, local, 0, 8, local, 64, 8, 0, 0, 16, 1, 3)
                .await();
            window.raccumulateStrided(AtomicOp.MAX, DataType.INT64, local, 0, 8, 0, 0, 16, 1, 3).await();
            window.getAccumulateStrided(AtomicOp.NO_OP, DataType.INT64, null, 0, 0, local, 64, 8, 0, 0, 16, 1, 3);
            if (job.rank() == 1) {
                window.putStrided(local, 0, 8, 0, 8, 16, 8, 3);
            }
            job.gsync();
        });
        for (int i = 0; i < 4; i++) {
            int how = i;
            races((job, window, step, local) -> {
                if (job.rank() == 1) {
                    window.putLong(1, 0, 32);
                } else if (how == 0) {
                    window.getAccumulateStrided(AtomicOp.SUM, DataType.INT64, local, 0, 8, local, 64, 8, 0, 0, 16, 1,
                        3);
                } else if (how == 1) {
                    window.rgetAccumulateStrided(AtomicOp.SUM, DataType.INT64, local, 0, 8, local, 64, 8, 0, 0, 16, 1,
                        3).await();
                } else if (how == 2) {
                    window.raccumulateStrided(AtomicOp.SUM, DataType.INT64, local, 0, 8, 0, 0, 16, 1, 3).await();
                } else {
                    window.getAccumulateStrided(AtomicOp.NO_OP, DataType.INT64, null, 0, 0, local, 64, 8, 0, 0, 16, 1,
                        3);
                }
                job.gsync();
            }, "bytes 32 to 39: ", "put by rank 1", how == 3 ? "atomic read by rank "
                : "atomic update of 8 bytes by rank ");
        }
    }

    @Test
    void ownMemoryOfAnAtomicAccessIsFreeWhenItsRequestIsComplete() {
        for (int i = 0; i < 2; i++) {
            boolean byRequest = i == 1;
            Body source = (job, window, step, local) -> {
                if (job.rank() == 0 && byRequest) {
                    window.raccumulateStrided(AtomicOp.SUM, DataType.INT64, window.memory(), 8, 16, 1, 64, 16, 1, 2)
                        .await();
                } else if (job.rank() == 0) {
                    window.accumulateStrided(AtomicOp.SUM, DataType.INT64, window.memory(), 8, 16, 1, 64, 16, 1, 2);
                }
                job.barrier();
                if (job.rank() == 2) {
                    window.putLong(1, 0, 24);
                }
                job.gsync();
            };
            Body result = (job, window, step, local) -> {
                if (job.rank() == 0 && byRequest) {
                    window.rgetAccumulateStrided(AtomicOp.SUM, DataType.INT64, local, 0, 8, window.memory(), 8, 16, 1,
                        64, 16, 1, 2).await();
                } else if (job.rank() == 0) {
                    window.getAccumulateStrided(AtomicOp.SUM, DataType.INT64, local, 0, 8, window.memory(), 8, 16, 1,
                        64, 16, 1, 2);
                }
                job.barrier();
                if (job.rank() == 2) {
                    window.get(local, 0, 0, 24, 8);
                }
                job.gsync();
            };
            if (byRequest) {
                passes(source);
                passes(result);
            } else {
                races(source, "bytes 24 to 31: use as the source of a put by rank 0", "and put by rank 2");
                races(result, "bytes 24 to 31: use as the destination of a get by rank 0", "and get by rank 2");
            }
        }
    }

    @Test
    void ownMemoryUsedAsASourceOrDestinationCounts() {
        races((job, window, step, local) -> {
            if (job.rank() == 0) {
                window.put(window.memory(), 8, 1, 64, 8);
            } else if (job.rank() == 2) {
                window.putLong(1, 0, 8);
            }
            job.gsync();
        }, "rank 0 was accessed", "bytes 8 to 15: use as the source of a put by rank 0", "and put by rank 2");
        races((job, window, step, local) -> {
            if (job.rank() == 0) {
                window.get(window.memory().asSlice(16), 0, 1, 64, 8);
            } else if (job.rank() == 2) {
                window.get(local, 0, 0, 16, 8);
            }
            job.gsync();
        }, "bytes 16 to 23: use as the destination of a get by rank 0", "and get by rank 2");
    }

    @Test
    void accessesBeforeTheLoopCountToo() {
        SimProgram program = new SimProgram() {
            @Override
            public String name() {
                return "own";
            }

            @Override
            public void run(Job job, Results results) {
                Window window = job.allocateWindow("cells", 64);
                job.initialize(() -> {
                    window.putLong(job.rank(), 0, 8);
                    job.gsync();
                });
            }
        };
        SimResult result = run(program, true, 1, Map.of());
        assertTrue(result.outcome().message().contains("put by rank 0 in step 0 (EC 1, GC 0, SC 0, GNC 0)"),
            result::story);
    }
}
