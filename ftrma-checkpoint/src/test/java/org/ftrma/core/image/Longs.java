package org.ftrma.core.image;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** A part of a header in tests: so many longs, of so many at most. */
public final class Longs implements CheckpointedState {
    private final int most;
    public long[] values = {};

    public Longs(int most) {
        this.most = most;
    }

    @Override
    public int imageBytes() {
        return 8 * most;
    }

    @Override
    public long save(MemorySegment image, long offset) {
        MemorySegment.copy(values, 0, image, ValueLayout.JAVA_LONG, offset, values.length);
        return 8L * values.length;
    }

    @Override
    public void restore(MemorySegment image, long offset, long length) {
        values = image.asSlice(offset, length).toArray(ValueLayout.JAVA_LONG);
    }
}
