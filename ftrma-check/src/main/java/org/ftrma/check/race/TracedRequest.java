package org.ftrma.check.race;

import org.ftrma.Request;

/** A request whose end is the end of accesses too. Data thread only. */
final class TracedRequest implements Request {
    private final Trace trace;
    private final Request request;
    private final Access[] accesses;
    private boolean complete;

    TracedRequest(Trace trace, Request request, Access... accesses) {
        this.trace = trace;
        this.request = request;
        this.accesses = accesses;
    }

    private void completed() {
        if (!complete) {
            complete = true;
            trace.call();
            for (Access access : accesses) {
                trace.answered(access);
            }
        }
    }

    @Override
    public boolean test() {
        if (!complete && request.test()) {
            completed();
        }
        return complete;
    }

    @Override
    public void await() {
        if (!complete) {
            request.await();
            completed();
        }
    }
}
