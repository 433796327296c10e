package org.ftrma.messaging.match;

import java.util.Arrays;

/**
 * Messages already matched when their source was lost: they come again, for the same receives. Data thread only;
 * allocates nothing.
 */
public final class BoundMessages {
    private final Incoming[] bound;

    /** None yet. */
    public BoundMessages(int ranks) {
        this.bound = new Incoming[ranks];
    }

    /** None comes again. */
    public void clear() {
        Arrays.fill(bound, null);
    }

    /** All pieces of the message come again. */
    public void add(Incoming message) {
        message.again();
        message.next = bound[message.source()];
        bound[message.source()] = message;
    }

    /** Whether there are any. */
    public boolean isAny() {
        boolean isAny = false;
        for (Incoming one : bound) {
            isAny |= one != null;
        }
        return isAny;
    }

    /** Whether this one is among them. */
    public boolean has(Incoming message) {
        Incoming one = bound[message.source()];
        while (one != null && one != message) {
            one = one.next;
        }
        return one != null;
    }

    /** The message that a receive had matched; null: none. */
    public Incoming of(ReceiveRequest request) {
        Incoming one = bound[request.peer()];
        while (one != null && one.request() != request) {
            one = one.next;
        }
        return one;
    }

    /** The message of that number, when it comes again: it is taken out. Null: none. */
    public Incoming take(int source, long number) {
        Incoming before = null;
        for (Incoming one = bound[source]; one != null; one = one.next) {
            if (one.number() == number) {
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
