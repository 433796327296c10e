package org.ftrma.messaging.receive;

import org.ftrma.messaging.match.PendingRequest;
import org.ftrma.messaging.match.ReceiveRequest;
import org.ftrma.messaging.match.ReceiveRequests;
import org.ftrma.messaging.send.SendRequest;
import org.ftrma.messaging.send.SendRequests;
import org.ftrma.messaging.send.Sender;

/** Sends and receives of a rank, reused. Data thread only; allocates nothing once there are enough. */
public final class RequestTable {
    private final Receiver receiver;
    private final SendRequests sends;
    private final ReceiveRequests receives = new ReceiveRequests();

    /** None yet, of these two halves. */
    public RequestTable(Sender sender, Receiver receiver) {
        this.receiver = receiver;
        this.sends = new SendRequests(sender);
    }

    /** The program is entered anew. */
    public void clear() {
        sends.clear();
        receives.clear();
    }

    /** A send that nobody uses. */
    public SendRequest freshSend() {
        return sends.fresh();
    }

    /** A receive that nobody uses. */
    public ReceiveRequest freshReceive() {
        return receives.fresh();
    }

    /** The probe of a channel. */
    public ReceiveRequest probe() {
        return receives.apart();
    }

    /**
     * Nobody waits any longer for what is not complete: a receive is withdrawn, and a send goes on from memory of its
     * own, since its receiver may have seen it.
     */
    public void endEarly(PendingRequest request) {
        if (request.isComplete()) {
            request.end();
        } else if (request instanceof SendRequest send) {
            send.detach();
        } else {
            receiver.withdraw((ReceiveRequest) request);
            request.end();
        }
    }
}
