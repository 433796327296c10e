package org.ftrma.messaging.send;

/** Sends that are free to be used again. Data thread only. */
public final class SendRequests {
    private final Sender sender;
    private SendRequest first;

    /** None yet, of the sends of that half. */
    public SendRequests(Sender sender) {
        this.sender = sender;
    }

    /** The program is entered anew: what it had is not used again. */
    public void clear() {
        first = null;
    }

    /** One that nobody uses. */
    public SendRequest fresh() {
        SendRequest request = first;
        if (request == null) {
            return new SendRequest(this);
        }
        first = request.next;
        return request;
    }

    void over(SendRequest request) {
        sender.over(request);
    }

    void free(SendRequest request) {
        request.next = first;
        first = request;
    }
}
