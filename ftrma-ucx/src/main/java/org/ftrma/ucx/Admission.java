package org.ftrma.ucx;

/** Entrances by which peers come in over a network; {@link #NONE} if there is no network. */
interface Admission {
    /** Lets nobody in. */
    Admission NONE = new Admission() {
    };

    /** Whether peers come in at all. */
    default boolean isOpen() {
        return false;
    }

    /** From now on others may need the core of the thread that serves; before the first address. */
    default void giveWay() {
    }

    /** The address that lets in everybody; empty if none does. */
    default byte[] addressForAll() {
        return new byte[0];
    }

    /** Whether there is such an address: then nobody knows who came. */
    default boolean letAllIn() {
        return false;
    }

    /** The address for one process of a peer; the same whenever it is asked for. */
    default byte[] addressFor(int peer, long process) {
        return addressForAll();
    }

    /**
     * Closes a peer's way, and refuses its process from now on; whether there was one. When this returns nothing comes
     * in by it any more.
     */
    default boolean revoke(int peer) {
        return false;
    }
}
