package org.ftrma.rank.disk;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;

/**
 * The memory of an image while it is being written: copied block by block, so that it can be taken away at any moment,
 * however long the disk takes for what was copied. One thread copies; the others' calls are for any thread.
 */
public final class ImageMemory {
    private final List<MemorySegment> parts;
    private volatile boolean withdrawn;
    private int part;
    private long at;

    public ImageMemory(List<MemorySegment> parts) {
        this.parts = parts;
    }

    public long bytes() {
        return parts.stream().mapToLong(MemorySegment::byteSize).sum();
    }

    /** The image is not wanted any more: its memory is read for a block more at most. Returns at once. */
    public void withdraw() {
        withdrawn = true;
    }

    /** As above; when this returns the memory is not read any more. */
    public synchronized void close() {
        withdrawn = true;
    }

    public boolean isWithdrawn() {
        return withdrawn;
    }

    /** Copies the next bytes, of all parts one after the other, to the start of a block. */
    public synchronized void next(MemorySegment block, int bytes) throws ImageFile.CancelledException {
        if (withdrawn) {
            throw new ImageFile.CancelledException();
        }
        for (int done = 0; done < bytes;) {
            long length = Math.min(bytes - done, parts.get(part).byteSize() - at);
            MemorySegment.copy(parts.get(part), ValueLayout.JAVA_BYTE, at, block, ValueLayout.JAVA_BYTE, done, length);
            done += (int) length;
            at += length;
            if (at == parts.get(part).byteSize()) {
                part++;
                at = 0;
            }
        }
    }
}
