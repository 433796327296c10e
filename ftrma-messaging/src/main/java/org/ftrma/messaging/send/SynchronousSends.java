package org.ftrma.messaging.send;

import java.util.Arrays;
import org.ftrma.messaging.transport.SendLog;

/**
 * Synchronous sends that are in the log, and were not received yet. Data thread only; allocates nothing once the list
 * has grown.
 */
final class SynchronousSends {
    private final SendLog log;
    private SendRequest[] sends = new SendRequest[4];
    private int count;

    SynchronousSends(SendLog log) {
        this.log = log;
    }

    void clear() {
        Arrays.fill(sends, null);
        count = 0;
    }

    void add(SendRequest send) {
        if (count == sends.length) {
            sends = Arrays.copyOf(sends, 2 * count);
        }
        sends[count++] = send;
    }

    /** Completes those that were received. */
    void completeRead() {
        for (int i = count - 1; i >= 0; i--) {
            SendRequest send = sends[i];
            if (log.isRead(send.record)) {
                send.complete();
                sends[i] = sends[--count];
            }
        }
    }

    /** The number before that of the oldest one to a target whose receipt was not looked at yet. */
    long mostToTrim(int target) {
        long most = Long.MAX_VALUE;
        for (int i = 0; i < count; i++) {
            if (sends[i].peer() == target) {
                most = Math.min(most, log.number(sends[i].record) - 1);
            }
        }
        return most;
    }
}
