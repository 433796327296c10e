package org.ftrma;

import java.lang.foreign.MemorySegment;

/**
 * Some ranks of a job, with numbers of their own, and what they do together: an MPI communicator for collectives, an
 * OpenSHMEM team. {@link Job#team} makes one. A rank's number in the team is its <i>position</i>; {@link #rankOf} and
 * {@link #positionOf} translate, so that a team's members are targets of the accesses of all windows.
 *
 * <p>All members call the same collectives of a team in the same order, with the same sizes, roots, operations and
 * types; other ranks take no part. Who finds that another member calls something else is told by a
 * {@link MisuseException} that names both, and refuses all later collectives of the team; who waits for one that never
 * comes is told at {@code --deadline} what that one calls instead. A collective returns when this rank's part in it is
 * done: only {@link #barrier}, {@link #gsync}, {@link #allReduce}, {@link #allGather} and {@link #allToAll} wait for
 * all. Each orders what a rank does as messages would: what a member did and completed before its call comes before
 * what another one does that has received of it, directly or through others; so after those five everything that
 * members did before is there for all.
 *
 * <p>Where accesses are not replaced by messages ({@code --protocol} other than pessimistic-v), the data moves by puts
 * and signals along a binomial tree, in a window of the team's name that each rank of the job has (about 100 KiB with 4
 * ranks, 830 KiB with 1,024; see {@link Job#team}), so it is logged, replayed and in images as all accesses are. A team
 * has no effect on the counters that order the whole job: its barriers are no GNC of the paper, but signals. With
 * pessimistic-v a team is a {@link Channel}, with that one's limits.
 *
 * <p>Bits of reductions follow from the size of the team, the root and the number of bytes alone. Local memory may be
 * any segment that the data thread may use; with pessimistic-v it is off-heap. Sources stay unchanged until the call
 * returns, and may be used from then on. In the steps of a program, in {@link Job#initialize}, or after the loop. Data
 * thread only; allocates nothing, but for the first call of some kinds, which takes memory for pieces on their way.
 */
public interface Team {
    /** The name given at allocation. */
    String name();

    /** This rank's position, 0 up to {@link #size} - 1. */
    int position();

    /** How many ranks it has. */
    int size();

    /** The rank in the job of the member at that position. */
    int rankOf(int position);

    /** The position of a rank of the job; -1: it is no member. */
    int positionOf(int rank);

    /** Collective: returns when all members have called it. It completes no accesses. */
    void barrier();

    /**
     * Collective: completes all accesses that members made, in all windows and at whatever target, and returns when all
     * members have called it. It is {@link Window#flushAll} of each member, which closes its epochs, and
     * {@link #barrier}. Accesses of other ranks are not completed, and they do not see it: so it does not count as a
     * gsync of the job.
     */
    void gsync();

    /** Collective: the contents of {@code data} at {@code root} reach all. Same size everywhere. */
    void broadcast(MemorySegment data, int root);

    /**
     * Collective: combines the elements of all members' sources, lower positions on the left (counted from the root,
     * and around), into root's destination, which others may give as null. {@code op} is neither REPLACE nor NO_OP. The
     * destination may be the source; otherwise the two do not overlap. All that holds of all reductions.
     */
    void reduce(AtomicOp op, DataType type, MemorySegment source, MemorySegment destination, int root);

    /** Collective: {@link #reduce} to position 0, whose result reaches all. */
    void allReduce(AtomicOp op, DataType type, MemorySegment source, MemorySegment destination);

    /** Collective: {@link #allReduce} of one value. */
    double allReduce(AtomicOp op, double value);

    /** Collective: {@link #allReduce} of one value. */
    long allReduce(AtomicOp op, long value);

    /** Collective: the elements of positions 0 up to this one, combined. */
    void scan(AtomicOp op, DataType type, MemorySegment source, MemorySegment destination);

    /** Collective: the elements of the positions below this one, combined; at position 0 nothing is written. */
    void exclusiveScan(AtomicOp op, DataType type, MemorySegment source, MemorySegment destination);

    /**
     * Collective: the sources of all members, of the same size, reach root's destination in the order of their
     * positions; others may give it as null.
     */
    void gather(MemorySegment source, MemorySegment destination, int root);

    /** Collective: part i of root's source, which others may give as null, reaches position i. */
    void scatter(MemorySegment source, MemorySegment destination, int root);

    /** Collective: {@link #gather}, whose result reaches all. */
    void allGather(MemorySegment source, MemorySegment destination);

    /**
     * Collective: as {@link #allGather(MemorySegment, MemorySegment)}, with sources of any sizes: that of position i
     * has {@code bytes[i]} and arrives at {@code offsets[i]}, on every member. Sizes are the same on all members,
     * offsets need not be.
     */
    void allGather(MemorySegment source, MemorySegment destination, long[] offsets, long[] bytes);

    /** Collective: part i of each member's source reaches position i, at the part of that member. */
    void allToAll(MemorySegment source, MemorySegment destination);

    /**
     * Collective: as {@link #allToAll(MemorySegment, MemorySegment)}, with parts of any sizes: what member i is sent
     * has as many bytes as it expects. Arrays have an element for each member, in bytes.
     */
    void allToAll(MemorySegment source, long[] sendOffsets, long[] sendBytes, MemorySegment destination,
        long[] recvOffsets, long[] recvBytes);
}
