package org.ftrma.core.image;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.ftrma.MisuseException;
import org.ftrma.RotatingSegment;
import org.ftrma.core.session.ProgramPhase;
import org.ftrma.spi.MemoryRegion;

/**
 * Double-buffered state whose buffers serve as images. With protection there are as many more buffers as an image has
 * slots, so that the current one, and those of all images, leave one to write. Data thread only.
 */
public final class RotatingImpl implements RotatingSegment {
    private static final int NONE = -1;

    public final String name;
    public final long bytes;
    public final MemoryRegion region;
    private final ProgramPhase phase;
    private final MemorySegment[] buffers;
    /** By slot: the buffer of its image. */
    private final int[] frozen;
    private int current;
    private int next = 1;
    private long advancedIn = -1;
    private long turn;

    public RotatingImpl(String name, long bytes, MemoryRegion region, int count, ProgramPhase phase) {
        this.phase = phase;
        this.name = name;
        this.bytes = bytes;
        this.region = region;
        this.buffers = new MemorySegment[count];
        this.frozen = new int[Math.max(0, count - 2)];
        Arrays.fill(frozen, NONE);
        long stride = ImageLayout.align(bytes);
        for (int i = 0; i < count; i++) {
            buffers[i] = region.segment().asSlice(i * stride, bytes);
        }
    }

    @Override
    public MemorySegment current() {
        return buffers[current];
    }

    @Override
    public MemorySegment next() {
        return buffers[next];
    }

    @Override
    public void advance() {
        if (!phase.allowsAccess()) {
            throw phase.refused("advance, rotating segment " + name + ",");
        }
        if (advancedIn == turn) {
            throw new MisuseException("rotating segment " + name + ": advance is allowed once in a step");
        }
        advancedIn = turn;
        current = next;
        chooseNext();
    }

    /** A new step: advance is allowed again. */
    public void beginStep() {
        turn++;
    }

    private void chooseNext() {
        for (int i = 0; i < buffers.length; i++) {
            if (i != current && !isFrozen(i)) {
                next = i;
                return;
            }
        }
        throw new IllegalStateException("no free buffer of " + buffers.length);
    }

    private boolean isFrozen(int buffer) {
        for (int one : frozen) {
            if (one == buffer) {
                return true;
            }
        }
        return false;
    }

    /** The current buffer becomes the image of a slot; returns its number. */
    int freeze(int slot) {
        frozen[slot] = current;
        return current;
    }

    /** The buffer to rebuild a slot's image into; it will be the slot's. */
    int forRebuild(int slot) {
        frozen[slot] = slot;
        return slot;
    }

    /** The image of a slot becomes the state. */
    void restore(int slot) {
        current = frozen[slot];
        beginStep();
        chooseNext();
    }

    /** Generation 0: zeros, no images. */
    public void clear() {
        Arrays.fill(frozen, NONE);
        current = 0;
        buffers[0].fill((byte) 0);
        beginStep();
        chooseNext();
    }
}
