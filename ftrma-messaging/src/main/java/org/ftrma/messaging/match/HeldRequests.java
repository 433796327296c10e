package org.ftrma.messaging.match;

import org.ftrma.MisuseException;

/** Requests that the program of a rank holds. Data thread only; allocates nothing. */
public final class HeldRequests {
    private final RequestCalls calls;
    private PendingRequest newest;
    private int count;

    /** None yet; the calls are those that the program makes on them. */
    public HeldRequests(RequestCalls calls) {
        this.calls = calls;
    }

    /** The program is entered anew. */
    public void clear() {
        newest = null;
        count = 0;
    }

    /** The program holds a request from now on. */
    public <R extends PendingRequest> R add(R request) {
        PendingRequest added = request;
        count++;
        added.heldBy(this, calls);
        added.newer = null;
        added.older = newest;
        if (newest != null) {
            newest.newer = request;
        }
        newest = request;
        return request;
    }

    void remove(PendingRequest request) {
        count--;
        if (request.newer == null) {
            newest = request.older;
        } else {
            request.newer.older = request.older;
        }
        if (request.older != null) {
            request.older.newer = request.newer;
        }
    }

    /** The end of a step, or of the program: no request may be open. */
    public void checkNoneOpen(String where) {
        if (count > 0) {
            throw new MisuseException(where + ": " + count + (count == 1 ? " request is" : " requests are")
                + " open, such as " + newest + "; wait for each (await, waitAll) before that");
        }
    }
}
