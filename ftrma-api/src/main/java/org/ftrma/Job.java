package org.ftrma;

import java.lang.foreign.MemorySegment;
import java.util.function.LongSupplier;

/**
 * One rank's view of a running job: what a {@link Program} gets. Everything that all ranks must call in the same order is marked
 * collective. Data thread only (the thread that entered the program).
 *
 * <p>The contract of a resilient program is in {@code docs/concepts.md}: state that must survive lives in protected windows or segments; before
 * {@link #steps} there is only allocation and {@link #initialize}; a step boundary is where a checkpoint may be taken.
 */
public interface Job {
    /** This rank, 0 up to {@link #ranks} - 1; constant for the job, whatever process plays it. */
    int rank();

    /** The number of computing ranks. */
    int ranks();

    /** How often this rank was replaced: 0 for the process it started with. */
    int incarnation();

    /** Collective, before {@link #steps}: a protected window of {@code bytes} on every rank, zeroed. */
    default Window allocateWindow(String name, long bytes) {
        return allocateWindow(name, bytes, WindowKind.PROTECTED);
    }

    /** Collective, before {@link #steps}: a window of {@code bytes} on every rank, zeroed at generation 0. Names are unique in a job. */
    Window allocateWindow(String name, long bytes, WindowKind kind);

    /** Collective, before {@link #steps}: local memory that survives, zeroed; the same size on every rank. */
    MemorySegment protect(String name, long bytes);

    /** Collective, before {@link #steps}: local double-buffered memory that survives, zeroed; the same size on every rank. */
    RotatingSegment protectRotating(String name, long bytes);

    /**
     * Collective, after the allocations: runs {@code body} at generation 0 only, never over restored state. Accesses and collectives are allowed
     * in it.
     */
    void initialize(Runnable body);

    /**
     * Collective: the resilient loop over the steps 1 to {@code iterations}. It begins at the step after the restored image's. All ranks run
     * the same number of steps; checkpoints are taken between steps.
     *
     * @param iterations 0 to 2^31 - 2
     */
    Iterable<Long> steps(long iterations);

    /** The step being run; 0 before the loop. */
    long step();

    /** Collective: completes all accesses of all ranks in all windows (an MPI fence). */
    void gsync();

    /** Collective: returns when all ranks have called it. It completes no accesses. */
    void barrier();

    /** Collective: the contents of {@code data} at {@code root} reach all ranks. Same size everywhere. */
    void broadcast(MemorySegment data, int root);

    /** Collective: element-wise reduction in the order of the ranks, so that every rank gets the same bits. {@code op} is not NO_OP. */
    void allReduce(AtomicOp op, DataType type, MemorySegment source, MemorySegment destination);

    /** Collective: {@link #allReduce} of one value. */
    double allReduce(AtomicOp op, double value);

    /** Collective: {@link #allReduce} of one value. */
    long allReduce(AtomicOp op, long value);

    /** Collective: the {@code source} of rank r arrives at {@code r * source.byteSize()} of {@code destination} on every rank. */
    void allGather(MemorySegment source, MemorySegment destination);

    /**
     * Lets what is under way go on while the program computes: copies of staged puts to the log, a few KiB in each call, and transfers over the
     * network. A program that computes for long between its accesses may call it every microsecond or so, best in a part that works in the cache:
     * the processor writes to memory then without having to wait. It never has to be called. Allocates nothing; takes nanoseconds where there is
     * nothing to do.
     */
    void progress();

    /** A value that is not determined by the program (time, random numbers, the outcome of a test). */
    long nondeterministic(LongSupplier supplier);

    /** This rank's counters: a live view, all 0 where accesses are not logged (and before the first step). */
    Counters counters();

    /** Sets a value of the job's result (shown in its summary and JSON). Any rank; the last one set wins. */
    void report(String key, String value);

    /** {@link #report(String, String)} of a number. */
    void report(String key, double value);

    /** {@link #report(String, String)} of a number. */
    void report(String key, long value);

    /** {@link #report(String, String)} of a truth value. {@code report("verified", false)} makes the job end with exit code 1. */
    void report(String key, boolean value);
}
