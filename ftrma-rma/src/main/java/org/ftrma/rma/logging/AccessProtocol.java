package org.ftrma.rma.logging;

import java.util.function.LongSupplier;
import org.ftrma.Counters;
import org.ftrma.core.checkpoint.UpdateGate;
import org.ftrma.core.protocol.RecoveryProtocol;
import org.ftrma.core.session.StateListener;
import org.ftrma.rma.window.WindowImpl;

/**
 * Protocol that makes the accesses of a job's windows recoverable: not at all ({@link UnloggedAccesses}), by logs at
 * other ranks ({@link AccessLogging}), or by logs at checksum ranks ({@link ChecksumLogging}). Chosen when the job
 * begins. Data thread only.
 */
public interface AccessProtocol extends RecoveryProtocol {
    /** What demand checkpoints of this rank need of those who log; null: it takes none. */
    default UpdateGate gate() {
        return null;
    }

    /** A window was allocated. */
    default void added(WindowImpl window) { }

    /** A value that the program cannot determine again. */
    default long nondeterministic(LongSupplier supplier) {
        return supplier.getAsLong();
    }

    /** What was counted so far; null while nothing is. */
    default Counters counters() {
        return null;
    }

    /** Tells what was counted so far to who keeps it for others; nothing while nothing is counted. */
    default void publish(StateListener listener) { }
}
