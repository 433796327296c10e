package org.ftrma.checkpoint;

import org.ftrma.Request;

/** Requests of one window, reused once complete, so that steady use allocates nothing. Data thread only. */
final class RequestPool {
    private static final Request COMPLETE = new Request() {
        @Override
        public boolean test() {
            return true;
        }

        @Override
        public void await() {
            // nothing to wait for
        }
    };

    private final Session session;
    private Pooled free;

    RequestPool(Session session) {
        this.session = session;
    }

    /** The request of a fabric's handle; 0 is complete already. */
    Request of(long handle, int target) {
        if (handle == 0) {
            return COMPLETE;
        }
        Pooled request = free;
        if (request == null) {
            request = new Pooled();
        } else {
            free = request.next;
        }
        request.handle = handle;
        request.target = target;
        request.view = session.inbox.view();
        return request;
    }

    private final class Pooled implements Request {
        private long handle;
        private int target;
        private int view;
        private Pooled next;

        @Override
        public boolean test() {
            session.inbox.drain();
            if (handle == 0 || view != session.inbox.view()) {
                return true;
            }
            session.fabric.progress();
            if (!session.fabric.test(handle)) {
                return false;
            }
            handle = 0;
            next = free;
            free = this;
            return true;
        }

        @Override
        public void await() {
            session.waiter.begin("request", target);
            while (!test()) {
                session.waiter.turn();
            }
        }
    }
}
