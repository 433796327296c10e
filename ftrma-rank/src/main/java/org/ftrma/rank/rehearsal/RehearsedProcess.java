package org.ftrma.rank.rehearsal;

import java.lang.foreign.Arena;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.ftrma.Program;
import org.ftrma.options.JobOptions;
import org.ftrma.runtime.RankProcess;
import org.ftrma.spi.Clock;
import org.ftrma.spi.ControlPlane;
import org.ftrma.spi.Fabric;
import org.ftrma.ucp.Libc;
import org.ftrma.ucx.UcxFabric;
import org.ftrma.ucx.UcxOptions;

/**
 * A process of a {@link Rehearsal}: a thread of its own, and its connection to the coordinator. Started, told and ended
 * by the coordinator's thread; the rest belongs to its own.
 */
final class RehearsedProcess {
    /** Where frames of processes go. */
    @FunctionalInterface
    interface Receiver {
        /** Any thread; frame null: the process has ended. */
        void arrives(int process, byte[] frame);
    }

    /** The process is killed: its thread leaves as it stands. */
    private static final class Vanished extends Error {
        private static final long serialVersionUID = 1L;

        Vanished() {
            super("rehearsed loss", null, false, false);
        }
    }

    /** Memory is left to the real job where there is less of it. */
    private static final long LEAST_ROOM_BYTES = 2L << 30;

    /** The kernel gives such a thread a tenth of what one of a rank gets, or what ranks leave. */
    private static final int NICE = 10;

    private final int number;
    private final Clock clock;
    private final Supplier<Program> program;
    private final Receiver receiver;
    private final Thread thread;
    private final ConcurrentLinkedQueue<byte[]> frames = new ConcurrentLinkedQueue<>();
    private volatile boolean news;
    private volatile boolean vanished;

    RehearsedProcess(int number, Clock clock, Supplier<Program> program, Receiver receiver) {
        this.number = number;
        this.clock = clock;
        this.program = program;
        this.receiver = receiver;
        this.thread = Thread.ofPlatform().daemon().name("ftrma-rehearsal-" + number).unstarted(this::play);
    }

    void start() {
        thread.start();
    }

    /** A frame from the coordinator. */
    void receives(byte[] frame) {
        frames.add(frame.clone());
        wake();
    }

    /** It is killed. */
    void vanish() {
        vanished = true;
        wake();
    }

    private void wake() {
        news = true;
        LockSupport.unpark(thread);
    }

    /** Waits for its end, no longer than until then. */
    void join(long endNanos) {
        try {
            TimeUnit.NANOSECONDS.timedJoin(thread, Math.max(1, endNanos - System.nanoTime()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    boolean isRunning() {
        return thread.isAlive();
    }

    private void play() {
        Libc.standBack(NICE);
        try {
            RankProcess rank = new RankProcess(new Plane(), clock, RehearsedProcess::open,
                bytes -> Arena.ofAuto().allocate(bytes, Long.BYTES));
            switch (rank.awaitRole()) {
                case COMPUTING -> rank.runProgram(program.get());
                case CHECKSUM -> rank.runChecksum();
                case NONE -> { }
            }
        } catch (RuntimeException | Error e) {
            vanished = true; // what failed the coordinator knows
        } finally {
            receiver.arrives(number, null);
        }
    }

    private static Fabric open(int member, JobOptions options) {
        UcxFabric fabric = new UcxFabric(UcxOptions.of(UcxOptions.Path.MAPPED));
        if (fabric.room().bytes() < LEAST_ROOM_BYTES) {
            fabric.close();
            throw new Vanished();
        }
        fabric.letInOneByOne();
        fabric.giveWay();
        return fabric;
    }

    private final class Plane implements ControlPlane {
        @Override
        public void send(byte[] frame) {
            if (!vanished) {
                receiver.arrives(number, frame.clone());
            }
        }

        @Override
        public boolean ready() {
            return news;
        }

        @Override
        public byte[] poll() {
            if (vanished) {
                throw new Vanished();
            }
            news = false;
            byte[] frame = frames.poll();
            if (!frames.isEmpty() || vanished) {
                news = true;
            }
            return frame;
        }

        @Override
        public void close() {
            // the thread's end tells enough
        }
    }
}
