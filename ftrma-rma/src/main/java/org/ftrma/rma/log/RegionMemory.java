package org.ftrma.rma.log;

import java.lang.foreign.MemorySegment;
import org.ftrma.AtomicOp;
import org.ftrma.DataType;
import org.ftrma.PeerLostException;
import org.ftrma.spi.RemoteMemory;

/**
 * The memory of a log region as the fabric accesses it. Whoever is in the middle of an access may go on although the
 * home is lost: then the home takes what is written here with it. The data thread of the member that opened the region
 * only.
 */
final class RegionMemory {
    private final RemoteMemory remote;
    private final Runnable flush;
    private boolean outlivesHome;
    /** The home is lost, and with it all that is written here; who reads finds nothing. */
    private boolean lost;

    /**
     * Nothing is accessed yet.
     *
     * @param flush completes the accesses to the home
     */
    RegionMemory(RemoteMemory remote, Runnable flush) {
        this.remote = remote;
        this.flush = flush;
    }

    /**
     * From now on, if the home is lost, what is written here goes nowhere, as in mapped memory of a process that is
     * dead; what is read is 0, and a swap succeeds.
     */
    void outliveHome() {
        outlivesHome = true;
    }

    /** Whether the home was lost in an access. */
    boolean isLost() {
        return lost;
    }

    private void died(PeerLostException loss) {
        if (!outlivesHome) {
            throw loss;
        }
        lost = true;
    }

    /** A word. */
    long getLong(long offset) {
        try {
            return lost ? 0 : remote.getLong(offset);
        } catch (PeerLostException e) {
            died(e);
            return 0;
        }
    }

    /** Stores a word; {@link #flush} completes it. */
    void putLong(long offset, long value) {
        try {
            if (!lost) {
                remote.putLong(offset, value);
            }
        } catch (PeerLostException e) {
            died(e);
        }
    }

    /** Stores data, which must stay as it is until {@link #flush}. */
    void put(MemorySegment data, long dataOffset, long offset, long length) {
        try {
            if (!lost) {
                remote.put(data, dataOffset, offset, length);
            }
        } catch (PeerLostException e) {
            died(e);
        }
    }

    /** Adds to a word; returns what it was. */
    long add(long offset, long value) {
        try {
            return lost ? 0 : remote.fetchOp(AtomicOp.SUM, DataType.INT64, offset, value);
        } catch (PeerLostException e) {
            died(e);
            return 0;
        }
    }

    /** Swaps a word; returns what it was. */
    long swap(long offset, long expected, long desired) {
        try {
            return lost ? expected : remote.compareAndSwap(DataType.INT64, offset, expected, desired);
        } catch (PeerLostException e) {
            died(e);
            return expected;
        }
    }

    /** Completes this member's accesses to the home, whatever they are. */
    void flush() {
        try {
            if (!lost) {
                flush.run();
            }
        } catch (PeerLostException e) {
            died(e);
        }
    }
}
