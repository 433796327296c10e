package org.ftrma.ucx;

import org.openucx.jucx.ucp.UcpWorkerParams;

/**
 * Creates workers that one thread makes, others progress and another destroys, one at a time: in the thread mode {@code
 * UCS_THREAD_MODE_SERIALIZED}. Without it a worker belongs to the thread that made it, and since 1.18 UCX aborts where
 * another one progresses it. Immutable; any thread.
 *
 * <p>jucx can ask for locks only ({@code UCS_THREAD_MODE_MULTI}), which nobody needs here. Its native code reads the
 * field {@code threadMode} of the object that it is given, looked up in the object's class first: this one.
 */
final class OneThreadAtATime extends UcpWorkerParams {
    private static final int UCS_THREAD_MODE_SERIALIZED = 1;

    @SuppressWarnings({"unused", "FieldCanBeLocal"}) // by jucx, by its name
    private final int threadMode;

    OneThreadAtATime() {
        requestThreadSafety(); // says that the field is set
        threadMode = UCS_THREAD_MODE_SERIALIZED;
    }
}
