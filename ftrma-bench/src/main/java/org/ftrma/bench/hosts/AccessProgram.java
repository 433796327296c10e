package org.ftrma.bench.hosts;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.StringJoiner;
import org.ftrma.AtomicOp;
import org.ftrma.Ftrma;
import org.ftrma.Job;
import org.ftrma.Program;
import org.ftrma.Window;
import org.ftrma.WindowKind;

/**
 * Accesses of rank 0 to rank 1, on another host, and in turn with each the same by ucx_perftest, which both ranks start
 * on their hosts: so both meet the same network and the same machine, within a second. Every other round begins with
 * ucx_perftest. While that runs both ranks stand still, and while the ranks access, it does not run.
 *
 * <p>Reports for each access nanoseconds of all rounds, ours and theirs: the median of the accesses of a round where
 * one is made at a time, so that what else the machine does in between counts little, and the mean of those of a
 * stream.
 */
final class AccessProgram implements Program {
    /** How its lines of progress begin. */
    static final String PROGRESS = "access: ";
    private static final long STOP_OFFSET = 0;
    private static final long ADDRESS_OFFSET = 8;
    private static final long PORT_OFFSET = 16;
    private static final int PUTS_PER_CLOCK = 4;
    /** As many as ucx_perftest has its median of; a power of two. */
    private static final int TIMES = 2048;
    private static final int GSYNCS_PER_STOP = 16;
    /** So much longer are those of both ways measured: four threads take turns, of milliseconds where they poll. */
    private static final int BOTH_WAYS_SLICES = 8;
    private static final long WARM_UP_NANOS = 1_000_000_000;

    private final int rounds;
    private final long sliceNanos;
    private final Perftest perftest;
    private final List<Access> accesses;
    private final long[] times = new long[TIMES];
    private Job job;
    private Window window;
    private MemorySegment local;

    private AccessProgram(int rounds, long sliceNanos, Perftest perftest, List<Access> accesses) {
        this.rounds = rounds;
        this.sliceNanos = sliceNanos;
        this.perftest = perftest;
        this.accesses = accesses;
    }

    /**
     * Rounds, milliseconds of each measurement, the address that launchers are reached at, a device or "-", and names
     * of accesses.
     */
    public static void main(String[] args) {
        Ftrma.run(args, new AccessProgram(Integer.parseInt(args[0]), 1_000_000L * Long.parseLong(args[1]),
            Perftest.on(args[3].equals("-") ? Perftest.deviceTowards(args[2]) : args[3]),
            Arrays.stream(args).skip(4).map(Access::valueOf).toList()));
    }

    @Override
    public void run(Job running) {
        job = running;
        window = job.allocateWindow("bench", Access.WINDOW_BYTES, WindowKind.SCRATCH);
        for (long step : job.steps(1)) {
            boolean isComparable = job.allReduce(AtomicOp.MIN, perftest.whyNot().isEmpty() ? 1L : 0L) == 1;
            try (Arena arena = Arena.ofConfined()) {
                local = arena.allocate(Access.WINDOW_BYTES, 4096);
                local.fill((byte) step);
                for (Access access : accesses) {
                    measure(access, isComparable);
                }
            }
            if (job.rank() == 0) {
                job.report("device", perftest.device());
                job.report("compared", isComparable);
            }
        }
    }

    private void measure(Access access, boolean isComparable) {
        ours(access, access.isBothWays() ? sliceNanos / BOTH_WAYS_SLICES : Math.max(sliceNanos, Math.min(WARM_UP_NANOS,
            3 * sliceNanos))); // the others have warmed up gsyncs
        StringJoiner mine = new StringJoiner(" ");
        StringJoiner theirs = new StringJoiner(" ");
        double nanos = 1;
        for (int round = 0; round < rounds; round++) {
            boolean theyBegin = round % 2 == 1 && isComparable;
            double their = theyBegin ? theirs(access, nanos) : Double.NaN;
            nanos = ours(access, sliceNanos);
            their = isComparable && !theyBegin ? theirs(access, nanos) : their;
            mine.add(String.format(Locale.ROOT, "%.1f", nanos));
            theirs.add(String.format(Locale.ROOT, "%.1f", their));
            if (job.rank() == 0) {
                System.out.printf(Locale.ROOT, "%s%s, round %d of %d: %.2f us%s%n", PROGRESS, access.text(), round + 1,
                    rounds, 1e-3 * nanos, isComparable ? String.format(Locale.ROOT, ", ucx_perftest %.2f us",
                    1e-3 * their) : "");
            }
        }
        if (job.rank() == 0) {
            job.report(access.name() + ".ours", mine.toString());
            if (isComparable) {
                job.report(access.name() + ".theirs", theirs.toString());
            }
        }
    }

    /** Does it for a while; returns nanoseconds for each, the same at both ranks. */
    private double ours(Access access, long nanos) {
        job.gsync();
        double measured = 0;
        if (access.isCollective()) {
            measured = gsyncs(access, access.isBothWays() ? BOTH_WAYS_SLICES * nanos : nanos);
        } else if (job.rank() == 0) {
            measured = accesses(access, nanos);
        }
        return job.allReduce(AtomicOp.MAX, measured);
    }

    private double accesses(Access access, long nanos) {
        if (access.isStream()) {
            return stream(access, nanos);
        }
        int done = 0;
        long begun = System.nanoTime();
        long now = begun;
        while (now - begun < nanos) {
            access.once(window, local);
            long after = System.nanoTime();
            times[done++ & TIMES - 1] = after - now;
            now = after;
        }
        return medianOfTimes(done);
    }

    private double stream(Access access, long nanos) {
        long done = 0;
        long begun = System.nanoTime();
        while (System.nanoTime() - begun < nanos) {
            for (int i = 0; i < PUTS_PER_CLOCK; i++) {
                access.once(window, local);
            }
            done += PUTS_PER_CLOCK;
        }
        window.flush(1);
        return (double) (System.nanoTime() - begun) / done;
    }

    /**
     * Rank 0 says when it is enough, with a gsync of its own each time. Where it is measured both ways all of them
     * count, else the median of the latest.
     */
    private double gsyncs(Access access, long nanos) {
        boolean puts = access.putsFirst();
        int other = 1 - job.rank();
        window.memory().set(ValueLayout.JAVA_LONG, STOP_OFFSET, 0);
        job.gsync();
        int done = 0;
        long begun = System.nanoTime();
        long ended = begun;
        boolean stops = false;
        while (!stops) {
            long now = System.nanoTime();
            for (int i = 0; i < GSYNCS_PER_STOP; i++) {
                if (puts) {
                    window.put(local, 0, other, Access.PROGRAM_BYTES, Long.BYTES);
                }
                job.gsync();
                long after = System.nanoTime();
                times[done++ & TIMES - 1] = after - now;
                now = after;
            }
            ended = now;
            if (job.rank() == 0) {
                stops = now - begun >= nanos;
                window.putLong(stops ? 1 : 0, 1, STOP_OFFSET);
                job.gsync();
            } else {
                job.gsync();
                stops = window.memory().get(ValueLayout.JAVA_LONG, STOP_OFFSET) != 0;
            }
        }
        return access.isBothWays() ? (double) (ended - begun) / (done + done / GSYNCS_PER_STOP - 1)
            : medianOfTimes(done);
    }

    /** Of those of the latest. */
    private double medianOfTimes(int done) {
        long[] sorted = Arrays.copyOf(times, Math.min(done, TIMES));
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }

    /** The same by ucx_perftest; returns nanoseconds for each, the same at both ranks. */
    private double theirs(Access access, double nanosEach) {
        if (access.isBothWays()) {
            return bothWays(access.tests()[0]) * access.halves() / 2;
        }
        double sum = 0;
        for (Access.Test test : access.tests()) {
            int iterations = (int) Math.clamp(sliceNanos / nanosEach, 20, 1_000_000);
            sum += job.allReduce(AtomicOp.MAX, job.rank() == 0 ? client(test, iterations) : server(test));
        }
        return sum;
    }

    private double client(Access.Test test, int iterations) {
        job.gsync(); // the server has begun
        try {
            return perftest.measure(toldAddress(), toldPort(), test, iterations);
        } catch (IOException e) {
            throw new UncheckedIOException(e.getMessage(), e);
        }
    }

    private double server(Access.Test test) {
        try (Perftest.Server server = perftest.serve(test)) {
            tell(server, 0);
            job.gsync();
            server.awaitEnd();
        } catch (IOException e) {
            throw new UncheckedIOException(e.getMessage(), e);
        }
        return 0;
    }

    /** Tells a rank where a server is. */
    private void tell(Perftest.Server server, int rank) {
        Inet4Address address = perftest.address();
        window.putLong(ByteBuffer.wrap(address.getAddress()).getInt(), rank, ADDRESS_OFFSET);
        window.putLong(server.port(), rank, PORT_OFFSET);
    }

    private String toldAddress() throws IOException {
        return InetAddress.getByAddress(ByteBuffer.allocate(Integer.BYTES).putInt((int) window.memory().get(
            ValueLayout.JAVA_LONG, ADDRESS_OFFSET)).array()).getHostAddress();
    }

    private int toldPort() {
        return (int) window.memory().get(ValueLayout.JAVA_LONG, PORT_OFFSET);
    }

    /**
     * Each rank begins a ping-pong with the other's host. What each measures begins when both have told that they run,
     * and neither ends before both have measured. Returns the mean of both, the same at both ranks.
     */
    private double bothWays(Access.Test test) {
        try (Perftest.Server server = perftest.serve(test)) {
            tell(server, 1 - job.rank());
            job.gsync();
            try (EndlessPingPong pingPong = perftest.begin(toldAddress(), toldPort(), test)) {
                job.gsync();
                double mean = pingPong.meanOf(BOTH_WAYS_SLICES * sliceNanos);
                return job.allReduce(AtomicOp.SUM, mean) / 2;
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e.getMessage(), e);
        }
    }
}
