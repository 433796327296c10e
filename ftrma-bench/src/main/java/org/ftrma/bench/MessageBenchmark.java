package org.ftrma.bench;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.TimeUnit;
import org.ftrma.AtomicOp;
import org.ftrma.Channel;
import org.ftrma.Ftrma;
import org.ftrma.Job;
import org.ftrma.MessageRequest;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Messages of rank 0 to rank 1, a process of its own, which answers each in the same way: a round trip is one
 * operation. As in {@link AccessBenchmark} rank 0 runs JMH in its process, one benchmark for each job.
 * {@link MessageBench} starts the jobs.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 10, time = 500, timeUnit = TimeUnit.MILLISECONDS)
public class MessageBenchmark {
    static final String[] NAMES = {"named8", "any8", "anyWait8", "named4K", "named64K", "named1M", "allReduce8"};
    private static final String OF_ALL = "allReduce8";
    private static final int TAG = 1;
    private static final long END = -1;
    private static final int LARGEST = 1 << 20;
    /** The end of one of two ranks; the other one's is the same program's. */
    private static volatile Ends rank;

    private Ends ends;

    /** One of two ranks that send to each other, and what it sends and receives. */
    private record Ends(Channel world, int peer, MemorySegment source, MemorySegment destination,
        MessageRequest[] requests) {
        Ends(Job job, Arena arena) {
            this(job.messages(), 1 - job.rank(), arena.allocate(LARGEST, 4096), arena.allocate(LARGEST, 4096),
                new MessageRequest[1]);
        }

        void send(long bytes) {
            world.send(source, 0, bytes, peer, TAG);
        }

        /** Returns the first word of what came. */
        long receive(String how, long bytes) {
            switch (how) {
                case "any8" -> world.recv(destination, 0, bytes, Channel.ANY_SOURCE, TAG);
                case "anyWait8" -> {
                    requests[0] = world.irecv(destination, 0, bytes, Channel.ANY_SOURCE, TAG);
                    world.waitAny(requests);
                }
                default -> world.recv(destination, 0, bytes, peer, TAG);
            }
            return destination.get(ValueLayout.JAVA_LONG, 0);
        }
    }

    private static long bytes(String name) {
        return switch (name) {
            case "named4K" -> 4 << 10;
            case "named64K" -> 64 << 10;
            case "named1M" -> LARGEST;
            default -> Long.BYTES;
        };
    }

    /** The program: the name of one benchmark. */
    public static void main(String[] args) {
        String name = args[0];
        Ftrma.run(args, job -> {
            job.messages();
            job.steps(1).forEach(step -> play(job, name));
        });
    }

    private static void play(Job job, String name) {
        try (Arena arena = Arena.ofShared()) {
            Ends own = new Ends(job, arena);
            if (job.rank() == 0) {
                rank = own;
                DataThread.measure(MessageBenchmark.class, name);
                if (name.equals(OF_ALL)) {
                    own.world().allReduce(AtomicOp.SUM, END);
                } else {
                    own.source().set(ValueLayout.JAVA_LONG, 0, END);
                    own.send(bytes(name));
                }
            } else if (name.equals(OF_ALL)) {
                while (own.world().allReduce(AtomicOp.SUM, 0L) != END) {
                    // again
                }
            } else {
                while (own.receive(name, bytes(name)) != END) {
                    own.send(bytes(name));
                }
            }
        }
    }

    /** Takes over the rank, on its data thread ({@link DataThread}). */
    @Setup
    public void adopt() {
        ends = rank;
    }

    private long roundTrip(String how, long bytes) {
        ends.send(bytes);
        return ends.receive(how, bytes);
    }

    /** 8 bytes there and back, received of a named source: no event. */
    @Benchmark
    public long named8() {
        return roundTrip("named8", Long.BYTES);
    }

    /** The same, received of any source: an event at each end. */
    @Benchmark
    public long any8() {
        return roundTrip("any8", Long.BYTES);
    }

    /** The same by a request and waitAny: two events at each end. */
    @Benchmark
    public long anyWait8() {
        return roundTrip("anyWait8", Long.BYTES);
    }

    /** The longest message that is not fetched. */
    @Benchmark
    public long named4K() {
        return roundTrip("named4K", 4 << 10);
    }

    /** Two pieces that are fetched. */
    @Benchmark
    public long named64K() {
        return roundTrip("named64K", 64 << 10);
    }

    /** Many pieces. */
    @Benchmark
    public long named1M() {
        return roundTrip("named1M", LARGEST);
    }

    /** A sum of both ranks. */
    @Benchmark
    public long allReduce8() {
        return ends.world().allReduce(AtomicOp.SUM, 1L);
    }
}
