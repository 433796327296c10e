package org.ftrma.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.ftrma.AtomicOp;
import org.ftrma.DataType;
import org.ftrma.Job;
import org.ftrma.Program;
import org.ftrma.options.JobOptions;
import org.ftrma.testkit.programs.SimProgram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Ranks that call different collectives learn which, at once, and nothing of the data has moved. */
class UnlikeCollectivesTest {
    /** Two collectives that do not match, and what each is called in the message. */
    private record Pair(String first, Consumer<Job> one, String second, Consumer<Job> other) {
        @Override
        public String toString() {
            return first + " against " + second;
        }
    }

    private static MemorySegment bytes(long count) {
        return Arena.ofAuto().allocate(count, 8);
    }

    private static Consumer<Job> reduce(AtomicOp op, DataType type, long bytes) {
        return job -> job.allReduce(op, type, bytes(bytes), bytes(bytes));
    }

    private static Consumer<Job> gather(long bytes) {
        return job -> job.allGather(bytes(bytes), bytes(bytes * job.ranks()));
    }

    static Stream<Pair> pairs() {
        return Stream.of(new Pair("gsync", Job::gsync, "barrier", Job::barrier),
            new Pair("barrier", Job::barrier, "allReduce SUM INT64 of 8 bytes", job -> job.allReduce(AtomicOp.SUM, 1L)),
            new Pair("allReduce SUM INT64 of 8 bytes", job -> job.allReduce(AtomicOp.SUM, 1L),
            "allReduce SUM FLOAT64 of 8 bytes",
                job -> job.allReduce(AtomicOp.SUM, 1.0)),
            new Pair("allReduce MIN INT64 of 8 bytes", job -> job.allReduce(AtomicOp.MIN, 1L),
            "allReduce MAX INT64 of 8 bytes",
                job -> job.allReduce(AtomicOp.MAX, 1L)),
            new Pair("allReduce SUM INT32 of 16 bytes", reduce(AtomicOp.SUM, DataType.INT32, 16),
            "allReduce SUM INT64 of 16 bytes",
                reduce(AtomicOp.SUM, DataType.INT64, 16)),
            new Pair("allReduce SUM INT64 of 200000 bytes", reduce(AtomicOp.SUM, DataType.INT64, 200_000),
            "allReduce SUM INT64 of 200008 bytes",
                reduce(AtomicOp.SUM, DataType.INT64, 200_008)),
            new Pair("broadcast of 64 bytes from rank 0", job -> job.broadcast(bytes(64), 0),
            "broadcast of 64 bytes from rank 1",
                job -> job.broadcast(bytes(64), 1)),
            new Pair("broadcast of 64 bytes from rank 0", job -> job.broadcast(bytes(64), 0),
            "broadcast of 72 bytes from rank 0",
                job -> job.broadcast(bytes(72), 0)),
            new Pair("allGather of 64 bytes of each rank", gather(64), "allGather of 65 bytes of each rank",
            gather(65)),
            new Pair("broadcast of 64 bytes from rank 0", job -> job.broadcast(bytes(64), 0),
            "allGather of 64 bytes of each rank", gather(64)));
    }

    private static SimResult run(int ranks, Map<String, String> given, long seed, List<Crash> crashes,
        Program program) {
        Map<String, String> all = new java.util.TreeMap<>(Map.of("ranks", "" + ranks, "checksums", "1", "deadline",
            "40s"));
        all.putAll(given);
        SimProgram simulated = new SimProgram() {
            @Override
            public String name() {
                return "unlike";
            }

            @Override
            public void run(Job job, Results results) throws Exception {
                program.run(job);
            }
        };
        return new SimCluster(JobOptions.of(all), simulated, seed).crashing(crashes).run();
    }

    /**
     * Returns whether both are named in full: the size and root of a rank whose process has ended by then cannot be.
     */
    private static boolean found(SimResult result, Pair pair, int odd) {
        assertEquals(1, result.outcome().kind().exitCode(), result::story);
        String message = result.outcome().message();
        boolean byTheOdd = message.startsWith("rank " + odd + " failed");
        for (String part : List.of("MisuseException: collective ", "calls " + (byTheOdd ? pair.second : pair.first),
            "calls " + word(pair.first),
            "rank " + odd + " calls " + word(pair.second),
            "all ranks must call the same collectives in the same order")) {
            assertTrue(message.contains(part), () -> "lacks \"" + part + "\": " + message);
        }
        return message.contains("calls " + pair.first) && message.contains("calls " + pair.second);
    }

    private static String word(String text) {
        return text.split(" ")[0];
    }

    @ParameterizedTest
    @MethodSource("pairs")
    void areFoundWhateverTheProtocolAndTheRank(Pair pair) {
        int full = 0;
        for (int ranks = 2; ranks <= 5; ranks++) {
            for (long seed = 1; seed <= 6; seed++) {
                int odd = (int) (seed % ranks);
                Map<String, String> given = seed % 3 == 0 ? Map.of("protocol", "none", "checksums", "0")
                    : Map.of("protocol", seed % 3 == 1 ? "coordinated" : "full", "interval", "2");
                boolean both = found(run(ranks, given, seed, List.of(), job -> {
                    for (long step : job.steps(3)) {
                        job.gsync();
                        (step == 2 && job.rank() == odd ? pair.other : pair.one).accept(job);
                    }
                }), pair, odd);
                full += both ? 1 : 0;
            }
        }
        assertTrue(full >= 12, "both were named in full in " + full + " of 24 runs");
    }

    @Test
    void theMessageNamesTheNumberOfTheCollective() {
        Pair pair = pairs().findFirst().orElseThrow();
        String message = run(2, Map.of("protocol", "none", "checksums", "0"), 1, List.of(), job -> {
            for (long step : job.steps(2)) {
                job.barrier();
                job.broadcast(bytes(150_000), 0); // three barriers
                if (step == 2) {
                    (job.rank() == 0 ? pair.one : pair.other).accept(job);
                }
            }
        }).outcome().message();
        // and the one with which the steps begin
        assertTrue(message.contains("collective 10 of the job: rank "), message);
    }

    /** A signal that a replacement sends, or that it finds at another one, says the same as the one that was lost. */
    @Test
    void areFoundAfterARecoveryAndOnlyThere() {
        Pair pair = pairs().findFirst().orElseThrow();
        int replayed = 0;
        for (long seed = 1; seed <= 60; seed++) {
            for (boolean unlike : new boolean[] {false, true}) {
                List<Crash> crashes = List.of(new Crash(true, 1, 20 + seed * 17, Crash.How.BEFORE));
                SimResult result = run(3, Map.of("protocol", "full", "interval", "2", "spares", "1"), seed, crashes,
                    job -> {
                        for (long step : job.steps(6)) {
                            job.gsync();
                            job.allReduce(AtomicOp.SUM, step);
                            job.broadcast(bytes(72), (int) (step % 3));
                            (unlike && step == 6 && job.rank() == 0 ? pair.other : pair.one).accept(job);
                        }
                    });
                replayed += result.outcome().localRecoveries();
                if (unlike) {
                    found(result, pair, 0);
                } else {
                    assertTrue(result.succeeded(), result::story);
                }
            }
        }
        assertTrue(replayed >= 10, "replayed=" + replayed);
    }

    @Test
    void likeOnesOfEverySizeAreNotMistaken() {
        SimResult result = run(3, Map.of("protocol", "none", "checksums", "0"), 3, List.of(), job -> {
            for (long step : job.steps(4)) {
                for (long bytes : new long[] {1, 8, 65_535, 65_536, 65_537, 131_072, 300_000}) {
                    job.broadcast(bytes(bytes), (int) (step % 3));
                    gather(bytes).accept(job);
                    reduce(AtomicOp.BXOR, DataType.INT64, bytes & -8).accept(job);
                }
            }
        });
        assertTrue(result.succeeded(), result::story);
    }
}
