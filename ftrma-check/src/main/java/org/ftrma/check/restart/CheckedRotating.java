package org.ftrma.check.restart;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.ftrma.MisuseException;
import org.ftrma.RotatingSegment;

/** A rotating segment of two plain buffers. Data thread only. */
final class CheckedRotating implements RotatingSegment {
    private final String name;
    private final MemorySegment[] buffers = new MemorySegment[2];
    private int turn;
    private boolean advanced;

    CheckedRotating(String name, long bytes, Arena arena) {
        this.name = name;
        buffers[0] = arena.allocate(bytes, 4096);
        buffers[1] = arena.allocate(bytes, 4096);
    }

    String name() {
        return name;
    }

    void beginStep() {
        advanced = false;
    }

    @Override
    public MemorySegment current() {
        return buffers[turn];
    }

    @Override
    public MemorySegment next() {
        return buffers[1 - turn];
    }

    @Override
    public void advance() {
        if (advanced) {
            throw new MisuseException("rotating segment " + name + ": advance is allowed once in a step");
        }
        advanced = true;
        turn = 1 - turn;
    }
}
