package org.ftrma.messaging.match;

/** Receives that are free to be used again. Data thread only. */
public final class ReceiveRequests {
    private ReceiveRequest first;

    /** The program is entered anew: what it had is not used again. */
    public void clear() {
        first = null;
    }

    /** One that nobody uses. */
    public ReceiveRequest fresh() {
        ReceiveRequest request = first;
        if (request == null) {
            return apart();
        }
        first = request.next;
        return request;
    }

    /** One that is kept, such as the probe of a channel. */
    public ReceiveRequest apart() {
        return new ReceiveRequest(this);
    }

    void free(ReceiveRequest request) {
        request.next = first;
        first = request;
    }
}
