package org.ftrma.check.restart;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.ftrma.AtomicOp;
import org.ftrma.DataType;
import org.ftrma.Distribution;
import org.ftrma.Generation;
import org.ftrma.Job;
import org.ftrma.MisuseException;
import org.ftrma.RotatingSegment;
import org.ftrma.Window;
import org.ftrma.WindowKind;
import org.ftrma.check.layer.ForwardingJob;
import org.ftrma.check.layer.Meeting;
import org.ftrma.spi.Clock;

/**
 * A job as a checked program sees it. What was allocated is handed out again at every entry; the loop runs each step
 * twice (see {@link RestartCheck}). Data thread only.
 */
final class CheckedJob extends ForwardingJob {
    private static final long OPEN = -1;

    private final StepRecord record;
    private final Turns turns;
    private final Meeting meeting;
    private final Arena arena = Arena.ofAuto();
    private final List<CheckedWindow> windows = new ArrayList<>();
    private final List<int[]> splits = new ArrayList<>();
    private final Map<String, MemorySegment> locals = new LinkedHashMap<>();
    private final List<CheckedRotating> rotating = new ArrayList<>();
    private StateCopy before = new StateCopy();
    private StateCopy result = new StateCopy();
    private Iterator<Long> real;
    private long iterations;
    /** That of this entry. */
    private Loop loop;
    private long step;
    /** The first and the last of the steps that are run twice together; 0: the next one is the first. */
    private long first;
    private long last;
    private boolean again;
    private boolean firstEntry = true;
    private boolean inLoop;
    private int windowCursor;
    private int splitCursor;
    private int localCursor;
    private int rotatingCursor;

    CheckedJob(Job job, Clock clock, long deadlineNanos) {
        super(job);
        record = new StepRecord(job.rank());
        turns = new Turns(job, record, clock, deadlineNanos);
        meeting = turns.meeting(job);
    }

    void enter() {
        windowCursor = 0;
        splitCursor = 0;
        localCursor = 0;
        rotatingCursor = 0;
        inLoop = false;
        loop = null;
    }

    void reentered() {
        firstEntry = false;
    }

    /** The program returned. What it broke out of in its first run is not run again: it has gone on since. */
    void left() {
        if (again && loop != null) {
            throw record.differs("first the step ended, then the program broke out of it");
        }
    }

    List<CheckedWindow> windows() {
        return windows;
    }

    Map<String, MemorySegment> locals() {
        return locals;
    }

    List<CheckedRotating> rotating() {
        return rotating;
    }

    private static void checkSame(String what, String name, long bytes, String firstName, long firstBytes) {
        if (!name.equals(firstName) || bytes != firstBytes) {
            throw new MisuseException("--verify-restart: " + what + " " + name + " bytes=" + bytes + ": was "
                + firstName + " bytes=" + firstBytes
                + " when the program was entered before; it must allocate the same in the same order");
        }
    }

    private static MisuseException tooMany(String what, String name) {
        return new MisuseException("--verify-restart: " + what + " " + name
            + ": was not allocated when the program was entered before");
    }

    @Override
    public Window allocateWindow(String name, long bytes, WindowKind kind) {
        return checked(name, bytes, () -> job.allocateWindow(name, bytes, kind));
    }

    @Override
    public Window allocateUnequal(String name, long bytes, WindowKind kind) {
        return checked(name, bytes, () -> job.allocateUnequal(name, bytes, kind));
    }

    private Window checked(String name, long bytes, Supplier<Window> allocated) {
        if (firstEntry) {
            windows.add(new CheckedWindow(allocated.get(), job, record, turns));
        } else if (windowCursor == windows.size()) {
            throw tooMany("window", name);
        }
        CheckedWindow window = windows.get(windowCursor++);
        checkSame("window", name, bytes, window.name(), window.bytes());
        return window;
    }

    @Override
    public int[] split(int color, int key) {
        if (firstEntry) {
            splits.add(job.split(color, key));
        } else if (splitCursor == splits.size()) {
            throw new MisuseException("--verify-restart: split: was not called when the program was entered before");
        }
        int[] members = splits.get(splitCursor++);
        return members == null ? null : members.clone();
    }

    @Override
    public MemorySegment protect(String name, long bytes) {
        if (firstEntry) {
            locals.put(name, job.protect(name, bytes));
        } else if (localCursor == locals.size()) {
            throw tooMany("protected segment", name);
        }
        Map.Entry<String, MemorySegment> local = List.copyOf(locals.entrySet()).get(localCursor++);
        checkSame("protected segment", name, bytes, local.getKey(), local.getValue().byteSize());
        return local.getValue();
    }

    @Override
    public RotatingSegment protectRotating(String name, long bytes) {
        if (firstEntry) {
            rotating.add(new CheckedRotating(name, bytes, arena));
        } else if (rotatingCursor == rotating.size()) {
            throw tooMany("rotating segment", name);
        }
        CheckedRotating segment = rotating.get(rotatingCursor++);
        checkSame("rotating segment", name, bytes, segment.name(), segment.current().byteSize());
        return segment;
    }

    @Override
    public void parameter(String name, String value) {
        if (firstEntry) {
            job.parameter(name, value);
        }
    }

    /** Of no use here: nothing comes from disk, and what rotates is this layer's own. */
    @Override
    public void distribution(String name, Distribution distribution) {
        // no image is made
    }

    /** Never called: the job is not protected. */
    @Override
    public void onCommit(Consumer<Generation> action) {
        if (firstEntry) {
            job.onCommit(action);
        }
    }

    @Override
    public void initialize(Runnable body) {
        if (firstEntry) {
            job.initialize(body);
        }
    }

    @Override
    public Iterable<Long> steps(long count) {
        if (firstEntry) {
            iterations = count;
            real = job.steps(count).iterator();
        }
        checkLoop(count);
        return () -> {
            loop = new Loop();
            return loop;
        };
    }

    private void checkLoop(long count) {
        if (count != iterations) {
            throw new MisuseException("--verify-restart: " + words(count) + ": was " + words(iterations)
                + " when the program was entered before");
        }
    }

    private static String words(long count) {
        return count == OPEN ? "nextStep()" : "steps=" + count;
    }

    @Override
    public boolean nextStep() {
        if (loop == null || iterations != OPEN) {
            if (firstEntry) {
                if (real != null) {
                    return job.nextStep(); // which refuses a second loop
                }
                iterations = OPEN;
                real = new OpenSteps(job);
            }
            checkLoop(OPEN);
            loop = new Loop();
        }
        if (!loop.hasNext()) {
            return false;
        }
        loop.next();
        return true;
    }

    /** The steps of a loop whose number nobody knows. The next one has begun where there is one. */
    private static final class OpenSteps implements Iterator<Long> {
        private final Job job;
        private boolean isThere;

        OpenSteps(Job job) {
            this.job = job;
        }

        @Override
        public boolean hasNext() {
            isThere = isThere || job.nextStep();
            return isThere;
        }

        @Override
        public Long next() {
            if (!hasNext()) {
                throw new NoSuchElementException("no step is left");
            }
            isThere = false;
            return job.step();
        }
    }

    /** The loop of one entry. */
    private final class Loop implements Iterator<Long> {
        private boolean begun;
        private boolean inStep;

        @Override
        public boolean hasNext() {
            if (!begun) {
                begun = true;
                inLoop = true;
                if (firstEntry && real.hasNext()) {
                    job.gsync();
                    before.take(CheckedJob.this, arena);
                    job.barrier();
                } else if (again) {
                    checkUnchanged();
                }
            } else if (inStep) {
                inStep = false;
                stepEnded();
            }
            return again || hasMore();
        }

        private void stepEnded() {
            boolean isLast = step == iterations;
            if (again) {
                if (step == last) {
                    record.pause();
                    compare();
                }
            } else if (meeting.meets(step, isLast)) {
                record.pause();
                goBack();
            } else if (isLast) {
                record.pause();
                job.report("verify-restart", "steps " + first + " to " + step + " were run once: the ranks do not meet "
                    + "at the end of the last one");
                real.hasNext();
            }
        }

        @Override
        public Long next() {
            if (!again && !hasMore()) {
                throw new NoSuchElementException("all " + iterations + " steps are done");
            }
            step = again ? step + 1 : real.next();
            if (again && step == first) {
                record.beginSecond(step);
            } else if (!again && first == 0) {
                first = step;
                record.beginFirst(step);
            } else {
                record.goOn(step);
            }
            rotating.forEach(CheckedRotating::beginStep);
            inStep = true;
            return step;
        }
    }

    private boolean hasMore() {
        return iterations == OPEN ? real.hasNext() : step < iterations;
    }

    /** The first run ended: keeps its result and goes back to the state before it. */
    private void goBack() {
        job.gsync();
        result.take(this, arena);
        job.barrier();
        windows.forEach(window -> window.release(before.held(window.name())));
        before.restore(this);
        turns.reset();
        job.barrier();
        windows.forEach(window -> window.acquire(before.held(window.name())));
        job.barrier();
        again = true;
        last = step;
        step = first - 1;
        throw new RestartCheck.Again();
    }

    /** Entered anew, at the loop: the state is still that of before the step. No rank begins before all have looked. */
    private void checkUnchanged() {
        String difference = before.difference(this);
        job.barrier();
        if (difference != null) {
            throw record.beforeLoop("a change of " + difference);
        }
    }

    /** The second run ended: its result must be the first one's, from which the program then goes on. */
    private void compare() {
        job.gsync();
        String difference = result.difference(this);
        turns.reset();
        job.barrier();
        if (difference != null) {
            throw record.differs(difference);
        }
        StateCopy after = result;
        result = before;
        before = after;
        again = false;
        first = 0;
        real.hasNext();
    }

    @Override
    public long step() {
        return inLoop ? step : 0;
    }

    @Override
    public void gsync() {
        record.event("gsync", "", 0);
        job.gsync();
    }

    @Override
    public void barrier() {
        record.event("barrier", "", 0);
        job.barrier();
    }

    @Override
    public void broadcast(MemorySegment data, int root) {
        record.event("broadcast from rank " + root, "",
            root == job.rank() ? record.digest(data, 0, data.byteSize()) : 0);
        job.broadcast(data, root);
    }

    @Override
    public void allReduce(AtomicOp op, DataType type, MemorySegment source, MemorySegment destination) {
        record.event("allReduce " + op + " of " + source.byteSize() + " bytes", "",
            record.digest(source, 0, source.byteSize()));
        job.allReduce(op, type, source, destination);
    }

    @Override
    public double allReduce(AtomicOp op, double value) {
        record.event("allReduce " + op, "", Double.doubleToRawLongBits(value));
        return job.allReduce(op, value);
    }

    @Override
    public long allReduce(AtomicOp op, long value) {
        record.event("allReduce " + op, "", value);
        return job.allReduce(op, value);
    }

    @Override
    public void allGather(MemorySegment source, MemorySegment destination) {
        record.event("allGather of " + source.byteSize() + " bytes", "", record.digest(source, 0, source.byteSize()));
        job.allGather(source, destination);
    }

    @Override
    public long nondeterministic(LongSupplier supplier) {
        record.event("nondeterministic value", "", 0);
        if (record.comparing()) {
            return record.kept();
        }
        long value = job.nondeterministic(supplier);
        if (record.recording()) {
            record.keep(value);
        }
        return value;
    }
}
