package org.ftrma.core.image;

import java.lang.foreign.MemorySegment;
import org.ftrma.MisuseException;

/**
 * Checks of the program's own memory that a collective is handed: UCX asks nobody whether it is still there, or whose
 * it is. Refused before any rank waits for another one. The data thread.
 */
public final class BufferChecks {
    private BufferChecks() {
    }

    /** Memory that the call reads. */
    public static void checkRead(MemorySegment segment, String call, String parameter) {
        if (segment == null) {
            throw new MisuseException(call + ": " + parameter + " is null");
        }
        if (!segment.scope().isAlive()) {
            throw new MisuseException(call + ": " + parameter
                + " is closed; keep its arena open until the call returns");
        }
        if (!segment.isAccessibleBy(Thread.currentThread())) {
            throw new MisuseException(call + ": " + parameter + " is confined to another thread than "
                + Thread.currentThread().getName()
                + "; allocate it from Arena.ofShared() or ofAuto(), or on this thread");
        }
    }

    /** Memory that the call writes to. */
    public static void checkWritten(MemorySegment segment, String call, String parameter) {
        checkRead(segment, call, parameter);
        if (segment.isReadOnly()) {
            throw new MisuseException(call + ": " + parameter
                + " is read-only, and would be written to; pass a segment that was not made with asReadOnly()");
        }
    }
}
