package org.ftrma.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.ftrma.AtomicOp;
import org.ftrma.Channel;
import org.ftrma.DataType;
import org.ftrma.Job;
import org.ftrma.options.JobOptions;
import org.ftrma.testkit.programs.SimProgram;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Ranks that call different collectives of a channel learn which, at once or when a later one meets what is left. */
@Tag("long")
class UnlikeChannelCollectivesTest {
    /** Two collectives that do not match, and what each is called in the message. */
    private record Pair(String first, Consumer<Channel> one, String second, Consumer<Channel> other) {
        @Override
        public String toString() {
            return first + " against " + second;
        }
    }

    private static final List<Map<String, String>> PROTOCOLS = List.of(Map.of("protocol", "none", "checksums", "0"),
        Map.of("protocol", "coordinated", "interval", "1"), Map.of("protocol", "coordinated", "path", "network"),
        Map.of("protocol", "pessimistic-v", "interval", "1"), Map.of("protocol", "pessimistic-v", "path", "network"));

    private static MemorySegment bytes(long count) {
        return Arena.ofAuto().allocate(Math.max(8, count), 8).asSlice(0, count);
    }

    private static Consumer<Channel> allReduce(AtomicOp op, DataType type, long bytes) {
        return channel -> channel.allReduce(op, type, bytes(bytes), bytes(bytes));
    }

    private static Consumer<Channel> iallReduce(AtomicOp op) {
        return channel -> channel.iallReduce(op, DataType.INT64, bytes(5000), bytes(5000)).await();
    }

    private static Consumer<Channel> reduce(AtomicOp op, int root) {
        return channel -> channel.reduce(op, DataType.INT64, bytes(16), bytes(16), root);
    }

    private static Consumer<Channel> gather(int root) {
        return channel -> channel.gather(bytes(5000), bytes(5000L * channel.size()), root);
    }

    static Stream<Pair> pairs() {
        return Stream.of(
            new Pair("allReduce SUM INT64 of 8 bytes", channel -> channel.allReduce(AtomicOp.SUM, 1L),
                "allReduce MAX INT64 of 8 bytes", channel -> channel.allReduce(AtomicOp.MAX, 1L)),
            new Pair("allReduce SUM INT64 of 8 bytes", channel -> channel.allReduce(AtomicOp.SUM, 1L),
                "allReduce SUM FLOAT64 of 8 bytes", channel -> channel.allReduce(AtomicOp.SUM, 1.0)),
            new Pair("allReduce BXOR INT32 of 70000 bytes", allReduce(AtomicOp.BXOR, DataType.INT32, 70_000),
                "allReduce BXOR INT32 of 135536 bytes", allReduce(AtomicOp.BXOR, DataType.INT32, 135_536)),
            new Pair("broadcast of 64 bytes from rank 0", channel -> channel.broadcast(bytes(64), 0),
                "broadcast of 64 bytes from rank 1", channel -> channel.broadcast(bytes(64), 1)),
            new Pair("broadcast of 16 bytes from rank 0", channel -> channel.broadcast(bytes(16), 0),
                "reduce SUM INT64 of 16 bytes to rank 0", reduce(AtomicOp.SUM, 0)),
            new Pair("reduce MIN INT64 of 16 bytes to rank 0", reduce(AtomicOp.MIN, 0),
                "reduce MIN INT64 of 16 bytes to rank 1", reduce(AtomicOp.MIN, 1)),
            new Pair("gather of 5000 bytes of each rank to rank 0", gather(0),
                "gather of 5000 bytes of each rank to rank 1", gather(1)),
            new Pair("gather of 5000 bytes of each rank to rank 0", gather(0), "barrier", Channel::barrier),
            new Pair("allGather of 64 bytes of each rank",
                channel -> channel.allGather(bytes(64), bytes(64L * channel.size())),
                "allToAll of 64 bytes for each rank",
                channel -> channel.allToAll(bytes(64L * channel.size()), bytes(64L * channel.size()))),
            new Pair("iallReduce SUM INT64 of 5000 bytes", iallReduce(AtomicOp.SUM),
                "iallReduce MAX INT64 of 5000 bytes", iallReduce(AtomicOp.MAX)),
            new Pair("iallReduce SUM INT64 of 5000 bytes", iallReduce(AtomicOp.SUM),
                "allReduce SUM INT64 of 5000 bytes", allReduce(AtomicOp.SUM, DataType.INT64, 5000)),
            new Pair("ibarrier", channel -> channel.ibarrier().await(), "ibroadcast of 8 bytes from rank 0",
                channel -> channel.ibroadcast(bytes(8), 0).await()));
    }

    private static SimResult run(int ranks, Map<String, String> given, long seed, List<Crash> crashes, Pair pair,
        int odd) {
        Map<String, String> all = new TreeMap<>(Map.of("ranks", "" + ranks, "checksums", "1", "spares", "1",
            "deadline", "40s"));
        all.putAll(given);
        SimProgram program = new SimProgram() {
            @Override
            public String name() {
                return "unlike";
            }

            @Override
            public void run(Job job, Results results) {
                Channel world = job.messages();
                for (long step : job.steps(4)) {
                    world.barrier();
                    (step == 3 && job.rank() == odd ? pair.other : pair.one).accept(world);
                    world.allToAll(bytes(8L * ranks), bytes(8L * ranks));
                }
            }
        };
        return new SimCluster(JobOptions.of(all), program, seed).crashing(crashes).run();
    }

    /**
     * Returns whether both were named. Where a rank waits for one that has sent nothing in its call, and has gone on,
     * what that one calls next is named. Where two ranks wait for each other no message meets another call, and the
     * deadline names one.
     */
    private static boolean found(SimResult result, Pair pair, int ranks) {
        assertNotNull(result.outcome(), result::story);
        assertEquals(1, result.outcome().kind().exitCode(), result::story);
        String message = result.outcome().message();
        if (message.contains("DeadlineException")) {
            assertTrue(message.contains("of a channel of " + ranks + " ranks"), message);
            return false;
        }
        if (message.contains("has sent nothing of that")) {
            assertTrue(message.contains("MisuseException: collective 8 of a channel of " + ranks + " ranks: rank "),
                message);
            assertTrue(message.contains("calls " + pair.first) || message.contains("calls " + pair.second), message);
            assertTrue(message.contains("calls allToAll of 8 bytes for each rank as collective 9"), message);
            return false;
        }
        for (String part : List.of("MisuseException: collective 8 of a channel of " + ranks + " ranks: rank ", "calls "
            + pair.first, "calls " + pair.second, "all ranks must call the same collectives in the same order")) {
            assertTrue(message.contains(part), () -> "lacks \"" + part + "\": " + message);
        }
        return true;
    }

    @ParameterizedTest
    @MethodSource("pairs")
    void areFoundWhateverTheProtocolAndTheRank(Pair pair) {
        int found = 0;
        for (int ranks = 2; ranks <= 5; ranks++) {
            for (int odd = 0; odd < ranks; odd++) {
                int protocol = (ranks + odd) % PROTOCOLS.size();
                found += found(run(ranks, PROTOCOLS.get(protocol), odd + 1, List.of(), pair, odd), pair, ranks) ? 1 : 0;
            }
        }
        assertTrue(found >= 4, pair + ": " + found);
    }

    /** Also by a rank that is being recovered, of messages out of logs and images. */
    @Test
    void areFoundWhereRanksAreLost() {
        int foundAlone = 0;
        int foundTogether = 0;
        for (Pair pair : pairs().toList()) {
            for (long seed = 1; seed <= 24; seed++) {
                List<Crash> crashes = List.of(new Crash(true, (int) (seed % 3), 10 + seed * 9, Crash.How.BEFORE));
                SimResult result = run(3, PROTOCOLS.get(1 + (int) (seed % 4)), seed, crashes, pair, 1);
                if (found(result, pair, 3)) {
                    foundAlone += result.outcome().localRecoveries() > 0 ? 1 : 0;
                    foundTogether += result.outcome().rollbacks() > 0 ? 1 : 0;
                }
            }
        }
        assertTrue(foundAlone > 15 && foundTogether > 15, foundAlone + " and " + foundTogether);
    }

    @Test
    void partsThatTheirSendersAndReceiversSayOtherSizesOfAreRefused() {
        Consumer<Channel> one = channel -> {
            long[] none = new long[channel.size()];
            long[] sizes = new long[channel.size()];
            java.util.Arrays.fill(sizes, 8);
            channel.allToAll(bytes(16), none, sizes, bytes(16), none, sizes);
        };
        Consumer<Channel> other = channel -> {
            long[] none = new long[channel.size()];
            long[] sizes = new long[channel.size()];
            java.util.Arrays.fill(sizes, 9);
            channel.allToAll(bytes(16), none, sizes, bytes(16), none, sizes);
        };
        String message = run(2, PROTOCOLS.get(0), 1, List.of(), new Pair("", one, "", other), 1).outcome().message();
        assertTrue(message.contains("collective 8 of a channel of 2 ranks: rank "), message);
        assertTrue(message.contains(" expects 8 bytes of rank 1, which sends 9, in allToAll of parts")
            || message.contains(" expects 9 bytes of rank 0, which sends 8, in allToAll of parts"), message);
    }

    /** No rank receives anything of the one that it disagrees with: the end of the program shows it. */
    @Test
    void areFoundAtTheEndWhereNothingElseShowsThem() {
        for (Map<String, String> protocol : PROTOCOLS) {
            for (boolean isLast : new boolean[] {false, true}) {
                Map<String, String> all = new TreeMap<>(Map.of("ranks", "3", "checksums", "1", "deadline", "40s"));
                all.putAll(protocol);
                SimProgram program = new SimProgram() {
                    @Override
                    public String name() {
                        return "roots";
                    }

                    @Override
                    public void run(Job job, Results results) {
                        Channel world = job.messages();
                        for (long step : job.steps(6)) {
                            world.broadcast(bytes(8), isLast && step < 6 ? 0 : world.rank() % 2);
                        }
                    }
                };
                SimResult result = new SimCluster(JobOptions.of(all), program, 1).run();
                assertEquals(1, result.outcome().kind().exitCode(), result::story);
                String message = result.outcome().message();
                for (String part : List.of("MisuseException: collective " + (isLast ? 6 : 1) + " of a channel of 3 ",
                    "rank 1 calls broadcast of 8 bytes from rank 1", " calls broadcast of 8 bytes from rank 0",
                    "all ranks must call the same")) {
                    assertTrue(message.contains(part), () -> protocol + " lacks \"" + part + "\": " + message);
                }
            }
        }
    }
}
