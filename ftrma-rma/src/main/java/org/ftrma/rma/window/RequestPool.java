package org.ftrma.rma.window;

import java.util.Arrays;
import org.ftrma.PeerLostException;
import org.ftrma.Request;
import org.ftrma.core.session.Inbox;
import org.ftrma.core.session.PeerFailureHandling;
import org.ftrma.core.session.Waiter;
import org.ftrma.spi.Fabric;

/** Requests of one window, reused once complete, so that steady use allocates nothing. Data thread only. */
final class RequestPool {
    /** Most accesses of one request that are under way at once. */
    private static final int MOST_OPEN = 1024;

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

    private final Fabric fabric;
    private final Inbox inbox;
    private final Waiter waiter;
    private final PeerFailureHandling survivor;
    private Pooled free;

    RequestPool(Fabric fabric, Inbox inbox, Waiter waiter, PeerFailureHandling survivor) {
        this.fabric = fabric;
        this.inbox = inbox;
        this.waiter = waiter;
        this.survivor = survivor;
    }

    /** The request of a fabric's handle; 0 is complete already. */
    Request of(long handle, int target) {
        if (handle == 0) {
            return COMPLETE;
        }
        Pooled request = several(target);
        request.add(handle);
        return request;
    }

    /**
     * A request of several accesses to one target: each is {@link Pooled#add added}, and then it is
     * {@link Pooled#issued}.
     */
    Pooled several(int target) {
        Pooled request = free;
        if (request == null) {
            request = new Pooled();
        } else {
            free = request.next;
        }
        request.target = target;
        request.view = inbox.view();
        return request;
    }

    final class Pooled implements Request {
        private long[] handles = new long[1];
        /** Handles before this one are complete. */
        private int first;
        private int count;
        private int target;
        private int view;
        private Pooled next;

        /** One access more, by its handle. Waits for the earlier ones where there are very many. */
        void add(long handle) {
            if (handle == 0) {
                return;
            }
            if (count == MOST_OPEN) {
                waiter.begin("request", target);
                while (!arrived()) {
                    waiter.turn();
                }
                first = 0;
                count = 0;
            } else if (count == handles.length) {
                handles = Arrays.copyOf(handles, 2 * count);
            }
            handles[count++] = handle;
        }

        /** All were added. */
        Request issued() {
            if (first < count) {
                return this;
            }
            release();
            return COMPLETE;
        }

        private boolean arrived() {
            inbox.drain();
            if (first == count || view != inbox.view()) {
                return true;
            }
            fabric.progress();
            try {
                while (first < count && fabric.test(handles[first])) {
                    first++;
                }
            } catch (PeerLostException e) {
                if (!survivor.isPossible()) {
                    throw e;
                }
                first = count; // where accesses are logged these are puts, which the target's recovery does again
            }
            return first == count;
        }

        private void release() {
            first = 0;
            count = 0;
            next = free;
            free = this;
        }

        @Override
        public boolean test() {
            boolean open = first < count;
            if (!arrived()) {
                return false;
            }
            if (open && first == count) {
                release();
            }
            return true;
        }

        @Override
        public void await() {
            waiter.begin("request", target);
            while (!test()) {
                waiter.turn();
            }
        }
    }
}
