package org.ftrma;

import java.lang.foreign.MemorySegment;

/**
 * Two-sided messages and collectives among some ranks of a job, which have numbers of their own in it. The first one,
 * {@link Job#messages}, has all; {@link #split} makes others.
 *
 * <p>Matching is that of MPI 4 (3.5): a receive names a source or {@link #ANY_SOURCE}, and a tag or {@link #ANY_TAG}.
 * Of two messages of one source that match a receive the one that was sent first is taken; of two receives that match a
 * message the one that was posted first gets it. Messages of different channels, and those of collectives, never match
 * each other's receives. A message may cross the end of a step; a request may not.
 *
 * <p>A message of up to {@code --eager} bytes is copied into the target's memory, a longer one into memory of its own
 * that the target reads; so a send returns when its source may be reused, whether or not the message was received. Only
 * where that memory ({@code --lane}, {@code --unexpected}, {@code --outbox}) is used up does it wait for the receiver.
 *
 * <p>Memory that is handed in is off-heap, of an {@link java.lang.foreign.Arena} or of the job: other ranks cannot
 * reach the Java heap.
 *
 * <p>With {@code --protocol pessimistic-v} a message is logged as a whole: one that is longer than {@code
 * --message-log} has room for (65472 bytes of each 64 KiB) is refused at the call. So is a collective in which a rank
 * sends so much to another one. Only {@link #broadcast}, {@link #reduce}, {@link #allReduce}, {@link #scan} and
 * {@link #exclusiveScan} take any size: these send pieces of 64 KiB.
 *
 * <p>Where ranks call unlike collectives, those that meet a message of another one are told by a {@link
 * MisuseException}; others may wait until the deadline. From then on all collectives of the channel are undefined at a
 * rank that was told, and each is refused there with the text of the first refusal, those that are open too. The same
 * holds after a blocking collective that has ended at the deadline. Other messages and other channels go on, and so
 * does the channel after a rollback to before the refusal. Ranks that disagree, and never receive of each other, are
 * refused when their programs have returned.
 *
 * <p>A program may catch a {@link DeadlineException} and go on. A receive that ended so is withdrawn, and what it had
 * matched is there for the next one; requests that were awaited stay open. A blocking send that ended so counts as
 * sent: its source may be reused, and the message is not to be sent again.
 *
 * <p>Messages go in the steps of a program and in {@link Job#initialize}. What is under way to others goes on in calls
 * of the library: a program that computes for long calls {@link Job#progress} meanwhile. Lengths and offsets are in
 * bytes. Wrong arguments are a {@link MisuseException}; a wait ends with {@link DeadlineException} at
 * {@code --deadline}. Data thread only; point-to-point calls allocate nothing.
 */
public interface Channel {
    /** A receive takes a message of any source. */
    int ANY_SOURCE = -1;
    /** A receive takes a message of any tag. */
    int ANY_TAG = -1;

    /** This rank's number in the channel. */
    int rank();

    /** The number of ranks in the channel. */
    int size();

    /** Sends bytes of a segment; returns when they may be changed. Tags are 0 to 2^31 - 1. */
    void send(MemorySegment source, long offset, long length, int target, int tag);

    /** {@link #send} of a whole segment. */
    default void send(MemorySegment source, int target, int tag) {
        send(source, 0, bytes(source), target, tag);
    }

    /** As {@link #send}, and returns when the message was matched by a receive. */
    void ssend(MemorySegment source, long offset, long length, int target, int tag);

    /** {@link #ssend} of a whole segment. */
    default void ssend(MemorySegment source, int target, int tag) {
        ssend(source, 0, bytes(source), target, tag);
    }

    /** Begins a {@link #send}: the source must stay unchanged until it is complete. */
    MessageRequest isend(MemorySegment source, long offset, long length, int target, int tag);

    /** {@link #isend} of a whole segment. */
    default MessageRequest isend(MemorySegment source, int target, int tag) {
        return isend(source, 0, bytes(source), target, tag);
    }

    /** Begins an {@link #ssend}. */
    MessageRequest issend(MemorySegment source, long offset, long length, int target, int tag);

    /** {@link #issend} of a whole segment. */
    default MessageRequest issend(MemorySegment source, int target, int tag) {
        return issend(source, 0, bytes(source), target, tag);
    }

    /**
     * Receives a message of at most {@code length} bytes.
     *
     * @param source a rank of the channel, or {@link #ANY_SOURCE}
     * @param tag a tag, or {@link #ANY_TAG}
     */
    Message recv(MemorySegment destination, long offset, long length, int source, int tag);

    /** {@link #recv} into a whole segment. */
    default Message recv(MemorySegment destination, int source, int tag) {
        return recv(destination, 0, bytes(destination), source, tag);
    }

    /** Begins a {@link #recv}: nothing else may use the destination until it is complete. */
    MessageRequest irecv(MemorySegment destination, long offset, long length, int source, int tag);

    /** {@link #irecv} into a whole segment. */
    default MessageRequest irecv(MemorySegment destination, int source, int tag) {
        return irecv(destination, 0, bytes(destination), source, tag);
    }

    /** Of none: that is refused by name where it is used. */
    private static long bytes(MemorySegment segment) {
        return segment == null ? 0 : segment.byteSize();
    }

    /** Sends and receives at once; the segments do not overlap. Returns what was received. */
    Message sendrecv(MemorySegment source, int target, int sendTag, MemorySegment destination, int from, int recvTag);

    /** {@link #send} of one value. */
    void sendLong(long value, int target, int tag);

    /** Receives one value of 8 bytes. */
    long recvLong(int source, int tag);

    /** {@link #send} of one value. */
    default void sendDouble(double value, int target, int tag) {
        sendLong(Double.doubleToRawLongBits(value), target, tag);
    }

    /** Receives one value of 8 bytes. */
    default double recvDouble(int source, int tag) {
        return Double.longBitsToDouble(recvLong(source, tag));
    }

    /** Waits for a message that matches, and leaves it where it is. */
    Message probe(int source, int tag);

    /** Makes progress, and returns a message that matches and was not received yet, or null. */
    Message iprobe(int source, int tag);

    /**
     * Waits until all are complete. The results are not kept. In this and all other calls on several requests these may
     * be of any channels, whatever the one is that is asked; null elements count as complete; no array is null.
     *
     * @throws MisuseException if a message was longer than its destination: all requests have ended, and the text has
     *     the number of the first that it was so of. In {@link #testAll} alike. In calls on any or some of them that
     *     one alone has ended, and its element is null
     * @throws DeadlineException at the job's deadline: all requests are open
     */
    void waitAll(MessageRequest... requests);

    /** Waits until one is complete; sets its element to null and returns its number; -1 if all elements are null. */
    int waitAny(MessageRequest... requests);

    /**
     * Waits until one or more are complete; sets their elements to null.
     *
     * @param done takes their numbers, in no order; at least as long as {@code requests}
     * @return how many; -1 if all elements are null
     */
    int waitSome(int[] done, MessageRequest... requests);

    /** Makes progress; if all are complete, sets all elements to null and returns true, else changes nothing. */
    boolean testAll(MessageRequest... requests);

    /** As {@link #waitAny}, without waiting; -1 if none is complete. */
    int testAny(MessageRequest... requests);

    /** As {@link #waitSome}, without waiting; 0 if none is complete. */
    int testSome(int[] done, MessageRequest... requests);

    /** Collective: returns when all ranks of the channel have called it. */
    void barrier();

    /** Collective: the contents of {@code data} at {@code root} reach all. Same size everywhere. */
    void broadcast(MemorySegment data, int root);

    /**
     * Collective: combines the elements of all ranks' sources, in the same way whatever arrives first, into root's
     * destination, which others may give as null. {@code op} is neither REPLACE nor NO_OP, as in MPI 4 (12.3.4). The
     * destination may be the source; otherwise the two do not overlap. Both hold of all reductions.
     */
    void reduce(AtomicOp op, DataType type, MemorySegment source, MemorySegment destination, int root);

    /** Collective: {@link #reduce}, whose result reaches all. */
    void allReduce(AtomicOp op, DataType type, MemorySegment source, MemorySegment destination);

    /** Collective: {@link #allReduce} of one value. */
    double allReduce(AtomicOp op, double value);

    /** Collective: {@link #allReduce} of one value. */
    long allReduce(AtomicOp op, long value);

    /**
     * Collective: the sources of all ranks, in their order, reach root's destination, which others may give as null.
     */
    void gather(MemorySegment source, MemorySegment destination, int root);

    /** Collective: {@link #gather}, whose result reaches all. */
    void allGather(MemorySegment source, MemorySegment destination);

    /** Collective: part r of root's source, which others may give as null, reaches rank r. */
    void scatter(MemorySegment source, MemorySegment destination, int root);

    /** Collective: part r of each rank's source reaches rank r, at the part of that rank. */
    void allToAll(MemorySegment source, MemorySegment destination);

    /**
     * Collective: as {@link #allToAll}, with parts of any sizes. Arrays have an element for each rank, in bytes.
     */
    void allToAll(MemorySegment source, long[] sendOffsets, long[] sendBytes, MemorySegment destination,
        long[] recvOffsets, long[] recvBytes);

    /** Collective: the elements of ranks 0 up to this one, combined. */
    void scan(AtomicOp op, DataType type, MemorySegment source, MemorySegment destination);

    /** Collective: the elements of the ranks below this one, combined; rank 0's destination is left as it is. */
    void exclusiveScan(AtomicOp op, DataType type, MemorySegment source, MemorySegment destination);

    /**
     * Begins a {@link #barrier}: the request is complete when all ranks have begun it.
     *
     * <p>Collectives that do not block are called by all ranks of the channel in the same order as all others of it,
     * and with the same arguments; one that blocks does not match one that does not. Several may be open at once, of
     * one channel too, and others may be called meanwhile. Until the request is complete sources stay unchanged, and
     * nothing else uses destinations; {@link MessageRequest#await} and all other calls on requests take it beside those
     * of sends and receives. All that a rank sends in it goes at the call, directly to who needs it, and what it waits
     * for comes in any call of the library. So with many ranks, or for what is long, {@code ibroadcast} costs its root
     * more than {@link #broadcast}, which goes along a tree, and reductions take memory for the elements of all ranks.
     *
     * @throws MisuseException where the request is awaited or tested, if another rank has called something else; also
     *     where that shows by its calling a later one already
     */
    MessageRequest ibarrier();

    /** Begins a {@link #broadcast}. */
    MessageRequest ibroadcast(MemorySegment data, int root);

    /** Begins a {@link #reduce}: the result has the same bits as that one's. */
    MessageRequest ireduce(AtomicOp op, DataType type, MemorySegment source, MemorySegment destination, int root);

    /** Begins an {@link #allReduce}: the result has the same bits as that one's. */
    MessageRequest iallReduce(AtomicOp op, DataType type, MemorySegment source, MemorySegment destination);

    /** Begins a {@link #gather}. */
    MessageRequest igather(MemorySegment source, MemorySegment destination, int root);

    /** Begins an {@link #allGather}. */
    MessageRequest iallGather(MemorySegment source, MemorySegment destination);

    /** Begins a {@link #scatter}. */
    MessageRequest iscatter(MemorySegment source, MemorySegment destination, int root);

    /** Begins an {@link #allToAll}. */
    MessageRequest iallToAll(MemorySegment source, MemorySegment destination);

    /** Begins an {@link #allToAll} with parts of any sizes; the arrays may change when this returns. */
    MessageRequest iallToAll(MemorySegment source, long[] sendOffsets, long[] sendBytes, MemorySegment destination,
        long[] recvOffsets, long[] recvBytes);

    /** Begins a {@link #scan}: the result has the same bits as that one's. */
    MessageRequest iscan(AtomicOp op, DataType type, MemorySegment source, MemorySegment destination);

    /**
     * Collective of this channel's ranks, before {@link Job#steps}: those that give the same color become a channel, in
     * the order of their keys, equal ones in that of their ranks.
     *
     * @param color at least 0; or -1: this rank is in none of them
     * @return the channel, or null for color -1
     */
    Channel split(int color, int key);
}
