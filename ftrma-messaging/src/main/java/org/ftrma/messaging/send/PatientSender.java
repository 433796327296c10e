package org.ftrma.messaging.send;

import java.lang.foreign.MemorySegment;
import org.ftrma.core.session.Waiter;

/**
 * Sends messages without a deadline for the fabric's waits: a call that ends in the middle of one would leave half a
 * message. Data thread only; allocates nothing.
 */
public final class PatientSender {
    private final Waiter waiter;
    private final Sender sender;

    /** Waits for the fabric with that waiter. */
    public PatientSender(Waiter waiter, Sender sender) {
        this.waiter = waiter;
        this.sender = sender;
    }

    /** As {@link Sender#sendNow}: leaves nothing half done. */
    public boolean sendNow(MemorySegment source, long offset, long length, int context, int target, int tag,
        long call) {
        boolean wasPatient = waiter.patient(true);
        try {
            return sender.sendNow(source, offset, length, context, target, tag, call);
        } finally {
            waiter.patient(wasPatient);
        }
    }

    /** Sends one value at once, as a message is sent. */
    public boolean sendNow(long value, int context, int target, int tag) {
        boolean wasPatient = waiter.patient(true);
        try {
            return sender.sendNow(value, context, target, tag);
        } finally {
            waiter.patient(wasPatient);
        }
    }

    /** As {@link Sender#begin}. */
    public void begin(SendRequest send) {
        boolean wasPatient = waiter.patient(true);
        try {
            sender.begin(send);
        } finally {
            waiter.patient(wasPatient);
        }
    }
}
