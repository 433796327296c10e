package org.ftrma.testkit;

import java.lang.foreign.MemorySegment;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.ftrma.AtomicOp;
import org.ftrma.Channel;
import org.ftrma.DataType;
import org.ftrma.Job;
import org.ftrma.MisuseException;
import org.ftrma.RotatingSegment;
import org.ftrma.Team;
import org.ftrma.Window;
import org.ftrma.WindowKind;
import org.ftrma.check.layer.ForwardingJob;
import org.ftrma.testkit.programs.SimProgram;

/** A layer over a job that knows what the program has allocated, for one entry of it. Data thread only. */
final class WatchedJob extends ForwardingJob {
    private final Map<String, Supplier<MemorySegment>> state = new LinkedHashMap<>();
    private final StepStates states;
    private boolean hasLoop;

    /**
     * A layer over that job.
     *
     * @param states takes the state at each step; null: nobody asks for it
     */
    WatchedJob(Job job, StepStates states) {
        super(job);
        this.states = states;
    }

    /** The program has returned: what it leaves is handed on when all accesses of all ranks have taken effect. */
    void end(Set<String> compared, SimProgram.Results results) {
        if (!hasLoop) {
            throw new MisuseException("the program has no loop: neither steps() nor nextStep() was called, so there is "
                + "nothing to survive");
        }
        UserProgram.requireKnown(compared, state.keySet());
        job.gsync();
        if (states != null) {
            states.ends(job.rank(), state);
        }
        state.forEach((name, memory) -> {
            if (compared.isEmpty() || compared.contains(name.substring(name.indexOf(' ') + 1))) {
                results.store(name, memory.get());
            }
        });
    }

    @Override
    public Window allocateWindow(String name, long bytes, WindowKind kind) {
        return watched(name, job.allocateWindow(name, bytes, kind), kind);
    }

    @Override
    public Window allocateUnequal(String name, long bytes, WindowKind kind) {
        return watched(name, job.allocateUnequal(name, bytes, kind), kind);
    }

    private Window watched(String name, Window window, WindowKind kind) {
        if (kind == WindowKind.PROTECTED) {
            state.put("window " + name, window::memory);
        }
        return window;
    }

    @Override
    public MemorySegment protect(String name, long bytes) {
        MemorySegment memory = job.protect(name, bytes);
        state.put("segment " + name, () -> memory);
        return memory;
    }

    @Override
    public RotatingSegment protectRotating(String name, long bytes) {
        RotatingSegment segment = job.protectRotating(name, bytes);
        state.put("rotating " + name, segment::current);
        return segment;
    }

    @Override
    public Iterable<Long> steps(long iterations) {
        hasLoop = true;
        Iterable<Long> all = job.steps(iterations);
        return () -> told(all.iterator());
    }

    private Iterator<Long> told(Iterator<Long> steps) {
        return new Iterator<>() {
            @Override
            public boolean hasNext() {
                return steps.hasNext();
            }

            @Override
            public Long next() {
                return begun(steps.next());
            }
        };
    }

    @Override
    public boolean nextStep() {
        hasLoop = true;
        boolean goesOn = job.nextStep();
        if (goesOn) {
            begun(job.step());
        }
        return goesOn;
    }

    private long begun(long step) {
        if (states != null) {
            states.begins(step, job.rank(), state);
        }
        return step;
    }

    @Override
    public int[] split(int color, int key) {
        return job.split(color, key);
    }

    @Override
    public Team team(String name, int color, int key) {
        return job.team(name, color, key); // its window is no state of the program's
    }

    @Override
    public Channel messages() {
        return job.messages();
    }

    @Override
    public long step() {
        return job.step();
    }

    @Override
    public void initialize(Runnable body) {
        job.initialize(body);
    }

    @Override
    public void gsync() {
        job.gsync();
    }

    @Override
    public void barrier() {
        job.barrier();
    }

    @Override
    public void broadcast(MemorySegment data, int root) {
        job.broadcast(data, root);
    }

    @Override
    public void allReduce(AtomicOp op, DataType type, MemorySegment source, MemorySegment destination) {
        job.allReduce(op, type, source, destination);
    }

    @Override
    public double allReduce(AtomicOp op, double value) {
        return job.allReduce(op, value);
    }

    @Override
    public long allReduce(AtomicOp op, long value) {
        return job.allReduce(op, value);
    }

    @Override
    public void allGather(MemorySegment source, MemorySegment destination) {
        job.allGather(source, destination);
    }

    @Override
    public long nondeterministic(LongSupplier supplier) {
        return job.nondeterministic(supplier);
    }
}
