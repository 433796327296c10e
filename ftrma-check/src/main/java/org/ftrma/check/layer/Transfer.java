package org.ftrma.check.layer;

import java.lang.foreign.MemorySegment;
import java.util.function.Supplier;
import org.ftrma.Request;

/**
 * One access that moves blocks between local memory and a target's part of a window. Data thread only.
 *
 * @param call the method of the window, for people
 * @param memory local memory; a copy of an array or of a value; null: none, or the access refuses it
 * @param local where the blocks are in that memory
 * @param target the rank
 * @param remote where the blocks are in the target's part
 * @param access makes the access
 */
public record Transfer(String call, MemorySegment memory, Extent local, int target, Extent remote,
    Supplier<Request> access) {
    /** One that has no request. */
    Transfer(String call, MemorySegment memory, Extent local, int target, Extent remote, Runnable access) {
        this(call, memory, local, target, remote, () -> {
            access.run();
            return ForwardingWindow.DONE;
        });
    }
}
