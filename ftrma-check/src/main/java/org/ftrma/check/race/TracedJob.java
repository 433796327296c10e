package org.ftrma.check.race;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.LongSupplier;
import org.ftrma.AtomicOp;
import org.ftrma.DataType;
import org.ftrma.Job;
import org.ftrma.RotatingSegment;
import org.ftrma.Window;
import org.ftrma.WindowKind;
import org.ftrma.check.layer.ForwardingJob;
import org.ftrma.check.layer.Meeting;
import org.ftrma.spi.Clock;

/**
 * A job as a checked program sees it: accesses and synchronizations are recorded (see {@link RaceCheck}). Data thread
 * only.
 */
final class TracedJob extends ForwardingJob {
    private final Trace trace;
    private final Tickets tickets;
    private final Meeting meeting;
    private final History history;
    private final List<TracedWindow> windows = new ArrayList<>();
    private Iterable<Long> loop;
    private boolean hasBegun;
    private boolean inOpenStep;

    TracedJob(Job job, Clock clock, long deadlineNanos) {
        super(job);
        trace = new Trace(job.rank(), job.ranks(), job::step);
        tickets = new Tickets(job);
        meeting = tickets.meeting(job, clock, deadlineNanos);
        history = new History(job, trace, index -> windows.get(index).name());
    }

    /** The program returned: what it left open is complete. */
    void end() {
        if (!hasBegun) {
            // Ranks examine what they did by collectives, which a job has from its first step on.
            (loop == null ? job.steps(0) : loop).iterator().hasNext();
        }
        trace.call();
        trace.flushed(-1);
        history.examine(false);
    }

    List<TracedWindow> windows() {
        return windows;
    }

    @Override
    public Window allocateWindow(String name, long bytes, WindowKind kind) {
        return traced(job.allocateWindow(name, bytes, kind));
    }

    @Override
    public Window allocateUnequal(String name, long bytes, WindowKind kind) {
        return traced(job.allocateUnequal(name, bytes, kind));
    }

    private Window traced(Window real) {
        TracedWindow window = new TracedWindow(real, windows.size(), this, trace, tickets);
        windows.add(window);
        return window;
    }

    @Override
    public int[] split(int color, int key) {
        return job.split(color, key);
    }

    @Override
    public MemorySegment protect(String name, long bytes) {
        return job.protect(name, bytes);
    }

    @Override
    public RotatingSegment protectRotating(String name, long bytes) {
        return job.protectRotating(name, bytes);
    }

    @Override
    public void initialize(Runnable body) {
        job.initialize(body);
    }

    @Override
    public Iterable<Long> steps(long iterations) {
        loop = job.steps(iterations);
        return () -> new Loop(loop.iterator());
    }

    /** Where the ranks are not in lock step, what they did is told later. */
    private void stepEnded() {
        if (meeting.meets(job.step(), false)) {
            history.examine(false);
        }
    }

    /** All ranks have met at the first step. */
    private void begun() {
        if (!hasBegun) {
            hasBegun = true;
            trace.call();
            trace.met();
            history.examine(true);
        }
    }

    @Override
    public boolean nextStep() {
        if (inOpenStep) {
            stepEnded();
        }
        inOpenStep = job.nextStep();
        begun();
        return inOpenStep;
    }

    /** The loop; between steps the ranks examine what they did. */
    private final class Loop implements Iterator<Long> {
        private final Iterator<Long> real;
        private boolean inStep;

        Loop(Iterator<Long> real) {
            this.real = real;
        }

        @Override
        public boolean hasNext() {
            if (inStep) {
                inStep = false;
                stepEnded();
            }
            boolean more = real.hasNext();
            begun();
            return more;
        }

        @Override
        public Long next() {
            Long step = real.next();
            inStep = true;
            return step;
        }
    }

    @Override
    public long step() {
        return job.step();
    }

    private void met() {
        trace.call();
        trace.collective();
        history.examine(true);
    }

    @Override
    public void gsync() {
        job.gsync();
        trace.call();
        trace.flushed(-1);
        trace.collective();
        history.examine(true);
    }

    @Override
    public void barrier() {
        job.barrier();
        met();
    }

    @Override
    public void broadcast(MemorySegment data, int root) {
        job.broadcast(data, root);
        met();
    }

    @Override
    public void allReduce(AtomicOp op, DataType type, MemorySegment source, MemorySegment destination) {
        job.allReduce(op, type, source, destination);
        met();
    }

    @Override
    public double allReduce(AtomicOp op, double value) {
        double result = job.allReduce(op, value);
        met();
        return result;
    }

    @Override
    public long allReduce(AtomicOp op, long value) {
        long result = job.allReduce(op, value);
        met();
        return result;
    }

    @Override
    public void allGather(MemorySegment source, MemorySegment destination) {
        job.allGather(source, destination);
        met();
    }

    @Override
    public long nondeterministic(LongSupplier supplier) {
        return job.nondeterministic(supplier);
    }
}
