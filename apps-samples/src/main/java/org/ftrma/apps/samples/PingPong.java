package org.ftrma.apps.samples;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import java.util.Locale;
import org.ftrma.AtomicOp;
import org.ftrma.Channel;
import org.ftrma.Ftrma;
import org.ftrma.Job;
import org.ftrma.MessageRequest;
import org.ftrma.Program;
import org.ftrma.options.CommandOption;
import org.ftrma.options.OptionForm;
import org.ftrma.options.OptionTable;
import org.ftrma.options.OptionText;
import org.ftrma.options.OptionValues;

/**
 * The message sample: {@code ./ftrma sample pingpong --ranks 2}. Ranks 2k and 2k + 1 send each other messages there and
 * back, of one size in each step, as NetPIPE does. The first rank of a pair marks each message with its number, the
 * second one sends back what it got, and the first one checks the mark. Rank 0 reports half of the time of a round trip
 * for each size. What was counted is protected, the times are not. Data thread only.
 */
public final class PingPong implements Program {
    private static final int TAG = 1;
    /** Sizes of messages: powers of two from 1 byte on. */
    private static final int SIZES = 24;
    private static final long MOST_BYTES = 16L << 10;

    private final int steps;
    private final int repetitions;
    private final boolean anySource;
    private final Clock clock = new Clock();
    /** By size: the nanoseconds of half a round trip, of the newest step; 0: none yet. */
    private final double[] halves = new double[SIZES];
    private final MessageRequest[] requests = new MessageRequest[1];

    /** The arguments: name, form, default and meaning in one place. */
    enum Option implements CommandOption {
        STEPS("steps", OptionForm.count(1, 1_000_000), "24",
            "steps, 1 to 1000000: messages of 1 byte in the first one, of twice the size in each further one, up to "
            + "8 MiB in the 24th, then from 1 byte again"),
        REPETITIONS("repetitions", OptionForm.count(1, 1_000_000), "1000",
            "round trips per step, 1 to 1000000; fewer for messages above 16 KiB, so that no step moves more bytes"),
        ANY_SOURCE("any-source", OptionForm.flag(), "",
            "receive by a request that names no source, and waitAny; otherwise from the named source");

        static final OptionTable<Option> TABLE = OptionTable.of(Option.class);

        private final OptionText text;

        Option(String key, OptionForm form, String defaultText, String meaning) {
            text = new OptionText(key, form, defaultText, meaning);
        }

        @Override
        public OptionText text() {
            return text;
        }
    }

    PingPong(String... args) {
        OptionValues<Option> values = Option.TABLE.parse(args);
        steps = values.count(Option.STEPS);
        repetitions = values.count(Option.REPETITIONS);
        anySource = values.has(Option.ANY_SOURCE);
    }

    /** Runs this process's rank; returns when the job is done. */
    public static void main(String[] args) {
        Ftrma.run(args, new PingPong(args));
    }

    /** Bytes of the messages of a step. */
    private static long bytes(long step) {
        return 1L << (step - 1) % SIZES;
    }

    /** Round trips of a step. */
    private long roundTrips(long step) {
        return Math.max(1, Math.min(repetitions, repetitions * MOST_BYTES / bytes(step)));
    }

    @Override
    public void run(Job job) {
        job.parameter("repetitions", Integer.toString(repetitions));
        Channel world = job.messages();
        MemorySegment buffer = job.protect("buffer", bytes(SIZES));
        MemorySegment trips = job.protect("trips", 8);
        int peer = world.rank() ^ 1;
        clock.start();
        for (long step : job.steps(steps)) {
            if (peer < world.size()) {
                long count = roundTrips(step);
                long began = System.nanoTime();
                trade(world, peer, buffer, bytes(step), count);
                halves[(int) ((step - 1) % SIZES)] = (System.nanoTime() - began) / (2.0 * count);
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
        if (anySource) {
            requests[0] = world.irecv(buffer, 0, bytes, Channel.ANY_SOURCE, TAG);
            world.waitAny(requests);
        } else {
            world.recv(buffer, 0, bytes, peer, TAG);
        }
    }

    /** Depends on the marks of the last message of each size. */
    private static long digest(MemorySegment buffer) {
        long digest = 0;
        for (int size = 1; size <= SIZES; size++) {
            digest = Bits.mix(digest, buffer.get(JAVA_BYTE, bytes(size) - 1));
        }
        return digest;
    }

    private void report(Job job, boolean hasPeer, long trips, long digest) {
        long expected = 0;
        for (long step = 1; hasPeer && step <= steps; step++) {
            expected += roundTrips(step);
        }
        boolean isRight = job.allReduce(AtomicOp.MIN, trips == expected ? 1L : 0L) == 1;
        long sum = job.allReduce(AtomicOp.SUM, digest);
        double seconds = clock.seconds(job);
        if (job.rank() == 0) {
            for (int i = 0; i < halves.length; i++) {
                if (halves[i] > 0) {
                    job.report(bytes(i + 1) + " B", String.format(Locale.ROOT, "%.3f us, %.1f MB/s",
                        halves[i] / 1000, 1000 * bytes(i + 1) / halves[i]));
                }
            }
            job.report("round trips", trips);
            job.report("checksumDigest", sum);
            job.report("iterations", steps);
            job.report("seconds", seconds);
            job.report("verified", isRight);
        }
    }
}
