package org.ftrma.messaging;

import java.util.Arrays;

/**
 * What receives had matched of a source when it was lost: that comes again, for these receives. Data thread only;
 * allocates nothing.
 */
final class BoundMessages {
    private final Incoming[] bound;

    BoundMessages(int ranks) {
        this.bound = new Incoming[ranks];
    }

    void clear() {
        Arrays.fill(bound, null);
    }

    /** All pieces of the message come again. */
    void add(Incoming message) {
        message.again();
        message.next = bound[message.source];
        bound[message.source] = message;
    }

    boolean isAny() {
        boolean isAny = false;
        for (Incoming one : bound) {
            isAny |= one != null;
        }
        return isAny;
    }

    boolean has(Incoming message) {
        Incoming one = bound[message.source];
        while (one != null && one != message) {
            one = one.next;
        }
        return one != null;
    }

    /** That which a receive had matched; null: none. */
    Incoming of(MessageRequestImpl request) {
        Incoming one = bound[request.peer];
        while (one != null && one.request != request) {
            one = one.next;
        }
        return one;
    }

    /** The message of that number, when it comes again: it is taken out. Null: none. */
    Incoming take(int source, long number) {
        Incoming before = null;
        for (Incoming one = bound[source]; one != null; one = one.next) {
            if (one.number == number) {
                if (before == null) {
                    bound[source] = one.next;
                } else {
                    before.next = one.next;
                }
                one.next = null;
                return one;
            }
            before = one;
        }
        return null;
    }
}
