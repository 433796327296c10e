package org.ftrma.apps.samples;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import java.util.Locale;
import org.ftrma.AtomicOp;
import org.ftrma.Channel;
import org.ftrma.Job;
import org.ftrma.MessageRequest;
import org.ftrma.Program;

/**
 * A message program: ranks 2k and 2k + 1 send each other messages there and back, of one size in each step, as NetPIPE
 * does. The first rank of a pair marks each message with its number, the second one sends back what it got, and the
 * first one checks the mark. Rank 0 reports half of the time of a round trip for each size. What was counted is
 * protected, the times are not. Data thread only.
 */
final class PingPongProgram implements Program {
    private static final int TAG = 1;
    private final PingPongOptions options;
    private final Clock clock = new Clock();
    /** By size: the nanoseconds of half a round trip, of the newest step; 0: none yet. */
    private final double[] halves = new double[PingPongOptions.SIZES];
    private final MessageRequest[] requests = new MessageRequest[1];

    PingPongProgram(PingPongOptions options) {
        this.options = options;
    }

    @Override
    public void run(Job job) {
        job.parameter("repetitions", Integer.toString(options.repetitions()));
        Channel world = job.messages();
        MemorySegment buffer = job.protect("buffer", PingPongOptions.bytes(PingPongOptions.SIZES));
        MemorySegment trips = job.protect("trips", 8);
        int peer = world.rank() ^ 1;
        clock.start();
        for (long step : job.steps(options.steps())) {
            if (peer < world.size()) {
                long count = options.roundTrips(step);
                long began = System.nanoTime();
                trade(world, peer, buffer, PingPongOptions.bytes(step), count);
                halves[(int) ((step - 1) % PingPongOptions.SIZES)] = (System.nanoTime() - began) / (2.0 * count);
                trips.set(JAVA_LONG, 0, trips.get(JAVA_LONG, 0) + count);
            }
        }
        report(job, peer < world.size(), trips.get(JAVA_LONG, 0), digest(buffer));
    }

    private void trade(Channel world, int peer, MemorySegment buffer, long bytes, long count) {
        for (long i = 0; i < count; i++) {
            if (world.rank() < peer) {
                byte mark = (byte) (i * 31 + bytes);
                buffer.set(JAVA_BYTE, bytes - 1, mark);
                world.send(buffer, 0, bytes, peer, TAG);
                buffer.set(JAVA_BYTE, bytes - 1, (byte) ~mark);
                receive(world, peer, buffer, bytes);
                if (buffer.get(JAVA_BYTE, bytes - 1) != mark) {
                    throw new IllegalStateException("rank=" + world.rank() + " bytes=" + bytes + " round trip " + i
                        + ": another message came back");
                }
            } else {
                receive(world, peer, buffer, bytes);
                world.send(buffer, 0, bytes, peer, TAG);
            }
        }
    }

    private void receive(Channel world, int peer, MemorySegment buffer, long bytes) {
        if (options.anySource()) {
            requests[0] = world.irecv(buffer, 0, bytes, Channel.ANY_SOURCE, TAG);
            world.waitAny(requests);
        } else {
            world.recv(buffer, 0, bytes, peer, TAG);
        }
    }

    /** Depends on the marks of the last message of each size. */
    private static long digest(MemorySegment buffer) {
        long digest = 0;
        for (int size = 1; size <= PingPongOptions.SIZES; size++) {
            digest = Bits.mix(digest, buffer.get(JAVA_BYTE, PingPongOptions.bytes(size) - 1));
        }
        return digest;
    }

    private void report(Job job, boolean hasPeer, long trips, long digest) {
        long expected = 0;
        for (long step = 1; hasPeer && step <= options.steps(); step++) {
            expected += options.roundTrips(step);
        }
        boolean isRight = job.allReduce(AtomicOp.MIN, trips == expected ? 1L : 0L) == 1;
        long sum = job.allReduce(AtomicOp.SUM, digest);
        double seconds = clock.seconds(job);
        if (job.rank() == 0) {
            for (int i = 0; i < halves.length; i++) {
                if (halves[i] > 0) {
                    job.report(PingPongOptions.bytes(i + 1) + " B", String.format(Locale.ROOT, "%.3f us, %.1f MB/s",
                        halves[i] / 1000, 1000 * PingPongOptions.bytes(i + 1) / halves[i]));
                }
            }
            job.report("round trips", trips);
            job.report("checksumDigest", sum);
            job.report("iterations", options.steps());
            job.report("seconds", seconds);
            job.report("verified", isRight);
        }
    }
}
