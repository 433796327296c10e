package org.ftrma.messaging.collective;

import java.lang.foreign.MemorySegment;
import java.util.function.LongFunction;
import org.ftrma.messaging.receive.PendingWork;
import org.ftrma.messaging.receive.RequestTable;

/** Collectives of a rank that were begun and are not complete, of all channels. Data thread only. */
public final class OpenCollectives implements PendingWork {
    private final RequestTable requests;
    private final LongFunction<MemorySegment> memory;
    private OpenCollective open;
    private OpenCollective free;

    /** None yet; {@code memory} makes some of the rank's own, of so many bytes. */
    public OpenCollectives(RequestTable requests, LongFunction<MemorySegment> memory) {
        this.requests = requests;
        this.memory = memory;
    }

    /** The program is entered anew: nothing was begun. */
    public void clear() {
        open = null;
    }

    OpenCollective fresh() {
        OpenCollective one = free;
        if (one == null) {
            return new OpenCollective(this, requests, memory);
        }
        free = one.next;
        return one;
    }

    void free(OpenCollective one) {
        one.next = free;
        free = one;
    }

    /** All its messages are under way. */
    void begun(OpenCollective one) {
        if (!one.isDone()) {
            one.next = open;
            open = one;
        }
    }

    @Override
    public void advance() {
        OpenCollective before = null;
        for (OpenCollective one = open; one != null;) {
            OpenCollective next = one.next;
            if (!one.isDone()) {
                before = one;
            } else if (before == null) {
                open = next;
            } else {
                before.next = next;
            }
            one = next;
        }
    }
}
