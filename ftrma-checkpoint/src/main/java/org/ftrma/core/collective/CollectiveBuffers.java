package org.ftrma.core.collective;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.ftrma.PeerLostException;
import org.ftrma.core.image.CheckpointedState;
import org.ftrma.core.session.ControlDescriptor;
import org.ftrma.core.session.ControlRegions;
import org.ftrma.core.session.PeerFailureHandling;
import org.ftrma.spi.Fabric;
import org.ftrma.spi.RemoteMemory;

/**
 * The buffers of all ranks through which the data of collectives moves, two in turn at each rank: one is written again
 * only after a barrier of the next collective, when all have read it. At its beginning is what the rank contributed;
 * what may follow is what it has gathered of others. A rank that was lost has contributed again when it is back, but
 * has not gathered again what others had read of it, or have yet to read: who needs that asks those that contributed it
 * ({@link GatheredDataValidity}).
 *
 * <p>Data thread only; allocates nothing.
 */
final class CollectiveBuffers {
    private final Fabric fabric;
    private final boolean hasDemandCheckpoints;
    private final ControlRegions controls;
    private final PeerFailureHandling survivor;
    private final int member;
    private final GatheredDataValidity trust;
    private MemorySegment own;
    private long collectives;
    private long offset;
    private long contributed;

    CollectiveBuffers(Fabric fabric, ControlRegions controls, PeerFailureHandling survivor,
        boolean hasDemandCheckpoints, int member, GatheredDataValidity trust) {
        this.fabric = fabric;
        this.hasDemandCheckpoints = hasDemandCheckpoints;
        this.controls = controls;
        this.survivor = survivor;
        this.member = member;
        this.trust = trust;
    }

    /** In a new view: the region is a new one. */
    void open(MemorySegment control) {
        own = control;
        collectives = 0;
        contributed = 0;
    }

    /** The own region. */
    MemorySegment own() {
        return own;
    }

    /** Where the buffer of the present collective begins in the region of each rank. */
    long offset() {
        return offset;
    }

    /** The next collective, to which this rank contributes nothing yet. */
    void next() {
        offset = ControlDescriptor.bufferOffset(collectives++);
        contributed = 0;
    }

    /** Contributes bytes [at, at + length) of source to the present collective. */
    void contribute(MemorySegment source, long at, long length) {
        MemorySegment.copy(source, at, own, offset, length);
        contributed = length;
    }

    /** Starts to read from the present buffer of a rank, at a distance from its beginning. */
    void read(int from, long at, MemorySegment destination, long destinationOffset, long length) {
        try {
            controls.of(from).get(destination, destinationOffset, offset + at, length);
        } catch (PeerLostException e) {
            requirePossible(e);
        }
    }

    /** Waits for what was read from the beginning of a rank's buffer; if the rank is lost, until it is back. */
    void await(int from, MemorySegment destination, long destinationOffset, long length) {
        while (true) {
            try {
                fabric.flush(from);
                return;
            } catch (PeerLostException e) {
                survivor.awaitBack(e);
                read(from, 0, destination, destinationOffset, length);
            }
        }
    }

    /** Reads what a rank, which may be this one, contributed. */
    void readContribution(int from, MemorySegment destination, long destinationOffset, long length) {
        if (from == member) {
            MemorySegment.copy(own, offset, destination, destinationOffset, length);
        } else {
            read(from, 0, destination, destinationOffset, length);
            await(from, destination, destinationOffset, length);
        }
    }

    /**
     * Reads what a rank has gathered when its signal of a round has come; false: nothing was read, for it was lost, or
     * is another process by now.
     */
    boolean readGathered(int from, long barrier, int round, long at, MemorySegment destination, long destinationOffset,
        long length) {
        try {
            RemoteMemory memory = controls.of(from); // of a rank that is lost: when it is back
            if (!trust.holds(round, barrier)) {
                return false;
            }
            memory.get(destination, destinationOffset, offset + at, length);
            fabric.flush(from);
            return true;
        } catch (PeerLostException e) {
            requirePossible(e);
            return false;
        }
    }

    /** That this rank goes on after a loss; else the exception is for whoever called the collective. */
    private void requirePossible(PeerLostException e) {
        if (!survivor.isPossible()) {
            throw e;
        }
    }

    /** Bytes of {@link #save}, at most. */
    int imageBytes() {
        return 16 + (keepsContribution() ? ControlDescriptor.BUFFER_BYTES : 0);
    }

    /** Whether images hold what this rank contributed: they are taken while others may not have read it. */
    private boolean keepsContribution() {
        return hasDemandCheckpoints;
    }

    /** Returns how many bytes it wrote, a multiple of 8. */
    long save(MemorySegment image, long at) {
        long kept = keepsContribution() && collectives > 0 ? contributed : 0;
        image.set(ValueLayout.JAVA_LONG, at, collectives);
        image.set(ValueLayout.JAVA_LONG, at + 8, kept);
        if (kept > 0) {
            // what follows a contribution that ends in the middle of a word
            image.set(ValueLayout.JAVA_LONG, at + 8 + (kept + 7 & -8), 0);
            MemorySegment.copy(own, ControlDescriptor.bufferOffset(collectives - 1), image, at + 16, kept);
        }
        return 16 + (kept + 7 & -8);
    }

    void restore(MemorySegment image, long at, long length) {
        long kept = image.get(ValueLayout.JAVA_LONG, at + 8);
        CheckpointedState.require(kept >= 0 && kept <= ControlDescriptor.BUFFER_BYTES && length == 16 + (kept + 7 & -8),
            "a contribution of " + kept + " bytes in " + length);
        collectives = image.get(ValueLayout.JAVA_LONG, at);
        contributed = kept;
        if (contributed > 0) {
            MemorySegment.copy(image, at + 16, own, ControlDescriptor.bufferOffset(collectives - 1), contributed);
        }
    }
}
