package org.ftrma.spi;

import org.ftrma.PeerLostException;

/**
 * Strategy by which the data thread waits. A fabric calls {@link #begin} once and {@link #turn} in every round in which
 * it made no progress; {@code turn} throws when the wait must end ({@link Unwind}, {@link
 * org.ftrma.DeadlineException}), and whatever was waited for may then still complete or not. Data thread only;
 * allocates nothing unless it throws.
 */
public interface Wait {
    /** What a fabric waits for when it needs the result of an atomic access. */
    String ATOMIC = "atomic";

    /**
     * @param what what is waited for, a constant ("flush", or {@link #ATOMIC})
     * @param peer the member it depends on, or -1
     */
    void begin(String what, int peer);

    /**
     * One round without progress. Before it throws it may call {@link Fabric#renew} of the fabric that waits, so that
     * no access under way touches buffers which the program frees on the way out. It may {@link Fabric#revoke} a peer,
     * and return: then the wait ends where it was for that one, and goes on otherwise. It may not wait for another
     * access over a network: a fabric knows of one wait at a time.
     */
    void turn();

    /**
     * A peer was found lost: called before the exception leaves the fabric, wherever that is. As {@link #turn}, it may
     * renew the fabric, since accesses to other peers are still under way and the program frees buffers on the way out.
     */
    default void lost(PeerLostException loss) {
    }
}
