package org.ftrma.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.ftrma.AtomicOp;
import org.ftrma.Channel;
import org.ftrma.DataType;
import org.ftrma.Job;
import org.ftrma.MessageRequest;
import org.ftrma.MisuseException;
import org.ftrma.options.JobOptions;
import org.ftrma.testkit.programs.SimProgram;
import org.junit.jupiter.api.Test;

/** Messages that are as long as the log of their sender, and longer. */
class LongLoggedMessagesTest {
    private static final int RANKS = 2;
    /** What --message-log 1MiB has room for. */
    private static final long MOST = 16 * 65_472L;
    private static final long MORE = (MOST & -8) + 8;
    private static final DataType TYPE = DataType.INT64;

    private static void holds(Map<String, String> given, Consumer<Job> body) {
        Map<String, String> all = new TreeMap<>(Map.of("ranks", "" + RANKS, "checksums", "1", "protocol",
            "pessimistic-v", "message-log", "1MiB", "interval", "1"));
        all.putAll(given);
        SimResult result = new SimCluster(JobOptions.of(all), new SimProgram() {
            @Override
            public String name() {
                return "long";
            }

            @Override
            public void run(Job job, Results results) {
                body.accept(job);
            }
        }, 1).run();
        assertTrue(result.succeeded(), result::story);
    }

    private static MemorySegment bytes(long count) {
        return Arena.ofAuto().allocate(count, 8);
    }

    private static MemorySegment pattern(long count, int seed) {
        MemorySegment segment = bytes(count);
        for (long i = 0; i < count; i++) {
            segment.set(java.lang.foreign.ValueLayout.JAVA_BYTE, i, (byte) (i * 31 + i / 777 + seed));
        }
        return segment;
    }

    private static void refused(String call, String parameter, Runnable body) {
        String message = assertThrows(MisuseException.class, body::run, call).getMessage();
        assertEquals(call + ": " + parameter + "=" + MORE + " bytes: a message that is logged must fit into "
            + "--message-log as a whole, which has room for " + MOST + " bytes; use --message-log 2MiB or more, or "
            + "several messages", message);
    }

    @Test
    void aLongerOneIsRefusedWithWhatItWasTheLimitAndTheOption() {
        holds(Map.of(), job -> {
            Channel world = job.messages();
            MemorySegment data = bytes(MORE);
            for (long step : job.steps(1)) {
                int other = 1 - job.rank();
                refused("send", "length", () -> world.send(data, other, 1));
                refused("isend", "length", () -> world.isend(data, other, 1));
                refused("ssend", "length", () -> world.ssend(data, other, 1));
                refused("issend", "length", () -> world.issend(data, other, 1));
                refused("sendrecv", "source", () -> world.sendrecv(data, other, 1, bytes(8), other, 1));
                world.barrier();
            }
        });
    }

    @Test
    void aCollectiveOfLongerOnesIsRefusedAtAllRanks() {
        holds(Map.of(), job -> {
            Channel world = job.messages();
            MemorySegment data = bytes(MORE);
            MemorySegment all = bytes(RANKS * MORE);
            long[] offsets = new long[RANKS];
            long[] sizes = new long[RANKS];
            int other = 1 - job.rank();
            sizes[other] = MORE;
            for (long step : job.steps(1)) {
                refused("gather", "source", () -> world.gather(data, all, 0));
                refused("igather", "source", () -> world.igather(data, all, 0));
                refused("allGather", "source", () -> world.allGather(data, all));
                refused("iallGather", "source", () -> world.iallGather(data, all));
                refused("scatter", "destination", () -> world.scatter(all, data, 0));
                refused("iscatter", "destination", () -> world.iscatter(all, data, 0));
                refused("allToAll", "part of source", () -> world.allToAll(all, all));
                refused("iallToAll", "part of source", () -> world.iallToAll(all, all));
                refused("allToAll", "sendBytes[" + other + "]", () -> world.allToAll(data, offsets, sizes, data,
                    offsets, sizes));
                refused("iallToAll", "sendBytes[" + other + "]", () -> world.iallToAll(data, offsets, sizes, data,
                    offsets, sizes));
                refused("ibroadcast", "data", () -> world.ibroadcast(data, 0));
                refused("ireduce", "source", () -> world.ireduce(AtomicOp.SUM, TYPE, data, data, 0));
                refused("iallReduce", "source", () -> world.iallReduce(AtomicOp.SUM, TYPE, data, data));
                refused("iscan", "source", () -> world.iscan(AtomicOp.SUM, TYPE, data, data));
                world.broadcast(data, 0); // in pieces
                world.allReduce(AtomicOp.SUM, TYPE, data, data);
                world.scan(AtomicOp.SUM, TYPE, data, data);
            }
        });
    }

    @Test
    void oneThatFillsTheLogPasses() {
        holds(Map.of(), job -> {
            Channel world = job.messages();
            for (long step : job.steps(3)) {
                int other = 1 - job.rank();
                MemorySegment destination = bytes(MOST);
                MessageRequest receive = world.irecv(destination, other, 1);
                world.send(pattern(MOST, job.rank()), other, 1);
                receive.await();
                assertEquals(-1, pattern(MOST, other).mismatch(destination));
                world.sendLong(step, other, 2);
                assertEquals(step, world.recvLong(other, 2));
            }
        });
    }

    /** The log has pieces of 64 KiB, however long the messages are that are copied into lanes. */
    @Test
    void shortOnesMayBeLongerThanAPieceOfTheLog() {
        holds(Map.of("eager", "128KiB", "lane", "1MiB"), job -> {
            Channel world = job.messages();
            for (long step : job.steps(3)) {
                for (long size : new long[] {65_471, 65_472, 65_473, 65_536, 100_000, 131_072, 99_999, 70_000}) {
                    int other = 1 - job.rank();
                    MemorySegment[] destinations = {bytes(size), bytes(size)};
                    MessageRequest[] receives = Arrays.stream(destinations).map(one -> world.irecv(one, other, 1))
                        .toArray(MessageRequest[]::new);
                    world.send(pattern(size, job.rank()), other, 1);
                    world.send(pattern(size, 5), other, 1);
                    world.waitAll(receives);
                    assertEquals(-1, pattern(size, other).mismatch(destinations[0]));
                    assertEquals(-1, pattern(size, 5).mismatch(destinations[1]));
                }
            }
        });
    }
}
