package org.ftrma.spi;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.Executor;

/**
 * One member's access to the network. Peers are numbered as the job's members (computing ranks, then checksum ranks).
 * Data thread only. Data-path calls (copy, flush, test, progress) allocate nothing.
 *
 * <p>Accesses under way touch the caller's memory only within calls of the data thread to this fabric, and not any more
 * once {@link #renew} or {@link #close} was called. So they may be called also when that memory was freed already: a
 * program left by an exception frees its buffers on the way out. The loss of a peer ends no access to others;
 * {@link Wait#lost} is told of it before the exception is thrown.
 */
public interface Fabric extends AutoCloseable {
    /** What this fabric is made of. */
    FabricInfo info();

    /** How blocking calls wait; must be set before the first of them. */
    void waitWith(Wait wait);

    /**
     * What this member tells all others alike, and they pass to {@link #connect}: at most 4 KiB. A new one after each
     * {@link #renew}. Where {@link #mustAsk} says so it only names this process: it lets nobody in.
     */
    byte[] address();

    /**
     * Whether the owner of an address that it told all must be asked for the one it has for this member
     * ({@link #addressFor}), since only that connects to it. So it is where a member lets in each peer by a way of its
     * own, to be able to {@link #revoke} that one alone. Asked before {@link #connect}, also of the own address. False
     * where memory is mapped.
     */
    default boolean mustAsk(byte[] address) {
        return false;
    }

    /**
     * What one peer alone passes to {@link #connect}, at most 4 KiB; the way it leads to is made when it is asked for
     * first. A peer asks for it, through the coordinator, when it wants to access this member for the first time in a
     * view, or since this member was replaced, and {@link #mustAsk} says so. The answer is the same until this member
     * renews, or revokes the peer. Any thread, so that the answer need not wait for the next call of the program.
     *
     * @param peer who asks
     * @param address what the peer tells all: its process, so that the answer is for no other
     * @throws org.ftrma.MisuseException if that process was revoked, or an earlier one of the same number was let in
     *     and not revoked
     */
    default byte[] addressFor(int peer, byte[] address) {
        return address();
    }

    /** Allocates zeroed memory that peers can reach. */
    MemoryRegion expose(long bytes);

    /** As {@link #expose}, with parts that may never be used. */
    default MemoryRegion expose(long bytes, Holes holes) {
        return expose(bytes);
    }

    /** As {@link #expose}, of memory of which much may never be used: its pages come when they are first touched. */
    default MemoryRegion exposeLazily(long bytes) {
        return expose(bytes);
    }

    /**
     * The first bytes of a region that {@link #exposeLazily} returned will be used soon: their pages may come ahead,
     * while the caller goes on.
     */
    default void prefault(MemoryRegion region, long bytes) {
    }

    /** Whether pages of exposed memory still come while the caller goes on. */
    default boolean isFaulting() {
        return false;
    }

    /** How much memory can still be exposed on this host. */
    default MemoryLimits room() {
        return MemoryLimits.UNKNOWN;
    }

    /**
     * Whether every access between this member and a peer, in both directions, takes effect when it is issued, in
     * program order, as through mapped memory: then nothing of one of them that is dead can still arrive at the other.
     * Of a peer that is not connected: whether it will be so wherever it is.
     */
    default boolean isImmediate(int peer) {
        return false;
    }

    /**
     * Where work on memory that is mapped here may be done beside the data thread, which waits for it; null where all
     * is done by one thread. Its threads keep no process alive.
     */
    default Executor helper() {
        return null;
    }

    /**
     * Makes a peer known by its address. May be the member itself. Replaces an earlier connection to the same number.
     */
    void connect(int peer, byte[] address);

    /**
     * Opens a region of a connected peer, by the key it was exposed with. {@link org.ftrma.PeerLostException} if the
     * peer is gone.
     */
    RemoteMemory attach(int peer, byte[] key);

    /**
     * Drops all connections in both directions: accesses under way end or are given up (from the beginning of this call
     * they touch no memory of the caller), those of others can no longer land here through old connections, and all
     * {@link RemoteMemory} objects become invalid. Exposed regions keep their contents and keys. May be called from
     * within {@link Wait#turn} and {@link Wait#lost}.
     */
    void renew();

    /**
     * Cuts off one peer, in both directions, as it is known here: the process that was connected, or that was given an
     * {@link #addressFor address}. Touches no other connection, nor that of this member to itself. When this returns:
     * <ul>
     * <li>Nothing that the process ever sent can land here any more, whether it lives, is stopped, or is dead and its
     * kernel still sends; what has landed before is seen by the data thread. It cannot come back: what it was given
     * leads nowhere, and its address is refused.
     * <li>Accesses to it that were under way are given up (from the beginning of this call they touch no memory of the
     * caller); each took effect there wholly, in part, or not at all, and of writes some may still do so. A blocking
     * call that waits for one ends with {@link org.ftrma.PeerLostException}, as {@link #test} of its request does.
     * Accesses to others go on, and so does a call that waits for one.
     * <li>Until {@link #connect}, {@link #attach}, {@link #flush} and {@link #flushLocal} of this peer, and
     * {@link #flushAll} when it has flushed the others, throw PeerLostException; so does every access by a
     * {@link RemoteMemory} of the connection, for ever. {@link Wait#lost} is not told: who revokes knows.
     * <li>{@link #connect} takes the next process of this number, and not the revoked one. That must not be connected,
     * nor connect, before.
     * </ul>
     * Where a pair {@link #isImmediate is immediate}, nothing can be cut off: memory that is mapped stays so until its
     * process ends. There the kernel's word that the process is dead is needed before, and this only drops what refers
     * to it. May be called from within {@link Wait#turn}. Revoking who was never met, or was revoked, changes nothing.
     *
     * @throws org.ftrma.MisuseException if the peer is this member, or may have come by an {@link #address} that lets
     *     all in: then only {@link #renew} cuts it off
     */
    void revoke(int peer);

    /**
     * Whether {@link #revoke} cuts off a peer that is reached over a network, too. Where it does not, only
     * {@link #renew} does.
     */
    default boolean revokes() {
        return false;
    }

    /**
     * A peer that was {@link #revoke revoked} is not missed: from now on {@link #flushAll} does not tell of it, as of a
     * peer that was never connected. Changes nothing of one that was not revoked, or is connected again.
     */
    default void forget(int peer) {
    }

    /** Does pending work; returns how much was done (0: nothing). */
    int progress();

    /**
     * Waits until all accesses to the peer are complete there and here. If the peer's process is dead, they end: with
     * {@link org.ftrma.PeerLostException}, or as if they were complete. Then nobody sees its memory any more as it was
     * without them: the program may have told another member that they are complete.
     */
    void flush(int peer);

    /** {@link #flush} of all peers. */
    void flushAll();

    /** As {@link #flushAll}, but of {@link RemoteMemory#signal signals}: they may be under way when this returns. */
    default void completeAll() {
        flushAll();
    }

    /** Waits until sources of accesses to the peer may be reused and results have arrived. */
    void flushLocal(int peer);

    /** Whether a request is complete; a handle that was complete, or 0, must not be used again. */
    boolean test(long request);

    /**
     * How much of an image is copied between two calls of {@link #progress}, at most: a multiple of 4096 bytes. From
     * some 3 MiB on the virtual machine copies past the cache, which need not read first what it overwrites.
     */
    default long pieceBytes() {
        return 4L << 20;
    }

    /** Copies local memory at memory speed; the segments do not overlap. */
    void copy(MemorySegment source, long sourceOffset, MemorySegment destination, long destinationOffset, long length);

    /** Drops all connections, as {@link #renew} does, and frees what this fabric allocated, regions included. */
    @Override
    void close();
}
