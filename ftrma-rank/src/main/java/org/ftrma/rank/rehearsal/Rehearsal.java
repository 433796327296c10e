package org.ftrma.rank.rehearsal;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.ftrma.Program;
import org.ftrma.core.coordinator.Coordinator;
import org.ftrma.core.coordinator.CoordinatorHost;
import org.ftrma.core.coordinator.JobEvent;
import org.ftrma.core.coordinator.JobOutcome;
import org.ftrma.options.JobOption;
import org.ftrma.options.JobOptions;
import org.ftrma.options.Protocol;
import org.ftrma.spi.Clock;

/**
 * A job inside of one process, with all that a job has: a coordinator, two ranks and a checksum rank that are threads
 * and reach each other's memory as processes do, checkpoints, the loss of a rank, and a spare that takes its place and
 * replays. A process that has been through it has what a replacement runs loaded, linked and compiled, the library's
 * part and, as far as the rehearsed program shares it, the program's. Nothing of it reaches the real job: what the
 * rehearsed program reports or prints by {@code Job} is dropped, and a rehearsal that fails is over. The thread that
 * calls {@link #run} is the coordinator's.
 */
public final class Rehearsal {
    /** Steps between two checkpoints. */
    public static final int INTERVAL = 8;
    /** The step in which a rank is lost: those since the last checkpoint are replayed. */
    public static final int LOST_IN = 15;

    static final int RANKS = 2;
    private static final int MEMBERS = RANKS + 1;
    private static final int LOST = RANKS - 1;
    private static final long TICK_NANOS = 10_000_000L;
    private static final long PARK_NANOS = 200_000L;
    private static final long LEAVE_NANOS = 3_000_000_000L;
    private static final long SHORT_LEAVE_NANOS = 200_000_000L;

    private final Coordinator coordinator;
    private final List<RehearsedProcess> processes = new ArrayList<>();
    private final ConcurrentLinkedQueue<Runnable> arrived = new ConcurrentLinkedQueue<>();
    private final Thread thread = Thread.currentThread();
    private final Clock clock;
    private final Supplier<Program> program;
    private final BooleanSupplier stop;
    private JobOutcome outcome;
    private boolean cameBack;

    /**
     * One that has not begun. The thread that calls {@link #run} makes it.
     *
     * @param protocol of the real job
     * @param clock of each process of the rehearsal
     * @param program made for each of them
     * @param stop whether the process is needed, and the rehearsal is to end
     */
    public Rehearsal(Protocol protocol, Clock clock, Supplier<Program> program, BooleanSupplier stop) {
        this.clock = clock;
        this.program = program;
        this.stop = stop;
        this.coordinator = new Coordinator(options(protocol), new Host());
    }

    private static JobOptions options(Protocol protocol) {
        return JobOptions.builder().set(JobOption.RANKS, RANKS).set(JobOption.CHECKSUMS, 1).set(JobOption.SPARES, 1)
            .set(JobOption.PROTOCOL, protocol.word()).set(JobOption.INTERVAL, INTERVAL)
            .set(JobOption.LOG_BUDGET, "64MiB").build();
    }

    /**
     * Returns when the rehearsal is over: at its end, when the process is needed, or when the time has come.
     *
     * @param endNanos that time
     * @return whether a rank was lost and is back
     * @throws IllegalStateException that says what the program threw
     */
    public boolean run(long endNanos) {
        coordinator.watch(LOST, LOST_IN);
        for (int process = 0; process <= MEMBERS; process++) {
            start(process);
        }
        long ticked = System.nanoTime();
        while (outcome == null && !stop.getAsBoolean()) {
            long now = System.nanoTime();
            if (now - endNanos > 0) {
                break;
            }
            if (now - ticked >= TICK_NANOS) {
                ticked = now;
                coordinator.onTick(now);
            }
            Runnable next = arrived.poll();
            if (next == null) {
                LockSupport.parkNanos(this, PARK_NANOS);
            } else {
                next.run();
            }
        }
        leave();
        if (outcome != null && outcome.kind() == JobOutcome.Kind.FAILED) {
            throw new IllegalStateException(outcome.message());
        }
        return cameBack;
    }

    private void start(int process) {
        RehearsedProcess started = new RehearsedProcess(process, clock, program, this::arrives);
        processes.add(started);
        coordinator.onJoin(process, System.nanoTime());
        started.start();
    }

    /** Something for the coordinator, by any thread. */
    private void arrives(int process, byte[] frame) {
        arrived.add(frame == null ? () -> coordinator.onExit(process, "rehearsed", System.nanoTime())
            : () -> coordinator.onFrame(process, frame, System.nanoTime()));
        LockSupport.unpark(thread);
    }

    /**
     * They leave by themselves at the end; else they are told to. A thread that computes on is left behind: at once, if
     * the process is needed.
     */
    private void leave() {
        boolean isNeeded = stop.getAsBoolean();
        long end = System.nanoTime() + (isNeeded ? SHORT_LEAVE_NANOS : LEAVE_NANOS);
        for (RehearsedProcess process : processes) {
            if (outcome == null || outcome.kind() != JobOutcome.Kind.SUCCESS) {
                process.vanish();
            }
        }
        processes.forEach(process -> process.join(end));
        if (!isNeeded && processes.stream().anyMatch(RehearsedProcess::isRunning)) {
            throw new IllegalStateException("did not stop within "
                + TimeUnit.NANOSECONDS.toSeconds(LEAVE_NANOS) + " s: the program made no library call; its threads "
                + "continue");
        }
    }

    private final class Host implements CoordinatorHost {
        @Override
        public void send(int process, byte[] frame) {
            processes.get(process).receives(frame);
        }

        @Override
        public void fence(int process, String why) {
            processes.get(process).vanish();
        }

        @Override
        public void startProcess() {
            // there is one loss, and one spare
        }

        @Override
        public void event(JobEvent event) {
            if (event instanceof JobEvent.StepHeld held && held.member() == LOST) {
                coordinator.release(LOST, LOST_IN); // nobody else holds there
                processes.get(coordinator.processOf(LOST)).vanish();
            } else if (event instanceof JobEvent.Recovered) {
                cameBack = true;
            }
        }

        @Override
        public void finished(JobOutcome result) {
            outcome = result;
        }
    }
}
