package org.ftrma.messaging.match;

/**
 * Queues of one context: receives in the order in which they were posted, and unmatched messages in the order in which
 * they came. Data thread only; allocates nothing.
 */
public final class Matching {
    private ReceiveRequest firstPosted;
    private ReceiveRequest lastPosted;
    private Incoming firstCome;
    private Incoming lastCome;

    /** A receive waits for its message from now on. */
    public void post(ReceiveRequest request) {
        request.next = null;
        if (lastPosted == null) {
            firstPosted = request;
        } else {
            lastPosted.next = request;
        }
        lastPosted = request;
    }

    /** The receive that was posted first among those that match a message; it is taken out. Null: none. */
    public ReceiveRequest take(int source, int tag) {
        ReceiveRequest before = null;
        for (ReceiveRequest one = firstPosted; one != null; one = one.next) {
            if (one.matches(source, tag)) {
                remove(before, one);
                return one;
            }
            before = one;
        }
        return null;
    }

    /** Whether a receive was posted that matches a message. */
    public boolean isAwaited(int source, int tag) {
        ReceiveRequest one = firstPosted;
        while (one != null && !one.matches(source, tag)) {
            one = one.next;
        }
        return one != null;
    }

    private void remove(ReceiveRequest before, ReceiveRequest one) {
        if (before == null) {
            firstPosted = one.next;
        } else {
            before.next = one.next;
        }
        if (lastPosted == one) {
            lastPosted = before;
        }
        one.next = null;
    }

    /** Takes a receive out, if it is there. */
    public boolean takeBack(ReceiveRequest request) {
        ReceiveRequest before = null;
        for (ReceiveRequest one = firstPosted; one != null; one = one.next) {
            if (one == request) {
                remove(before, one);
                return true;
            }
            before = one;
        }
        return false;
    }

    /** A message has come that no receive matches. */
    public void come(Incoming message) {
        message.next = null;
        if (lastCome == null) {
            firstCome = message;
        } else {
            lastCome.next = message;
        }
        lastCome = message;
    }

    /** A message comes back that a receive had taken: to where it was among the others. */
    public void comeBack(Incoming message) {
        Incoming before = null;
        Incoming after = firstCome;
        while (after != null && after.order < message.order) {
            before = after;
            after = after.next;
        }
        message.next = after;
        if (before == null) {
            firstCome = message;
        } else {
            before.next = message;
        }
        if (after == null) {
            lastCome = message;
        }
    }

    /** The message that came first among those that match a receive; null: none. */
    public Incoming find(ReceiveRequest request) {
        Incoming one = firstCome;
        while (one != null && !request.matches(one.source(), one.tag())) {
            one = one.next;
        }
        return one;
    }

    /** A message of a source whose tag is a number before that one (of 31 bits); null: there is none. */
    public Incoming before(int source, int number) {
        Incoming one = firstCome;
        while (one != null && (one.source() != source || one.tag() - number << 1 >= 0)) {
            one = one.next;
        }
        return one;
    }

    /** A message of a source whose tag is a number after that one (of 31 bits); null: there is none. */
    public Incoming after(int source, int number) {
        Incoming one = firstCome;
        while (one != null && (one.source() != source || number - one.tag() << 1 >= 0)) {
            one = one.next;
        }
        return one;
    }

    /** Takes a message out. */
    public void remove(Incoming message) {
        Incoming before = null;
        Incoming one = firstCome;
        while (one != message) {
            before = one;
            one = one.next;
        }
        if (before == null) {
            firstCome = message.next;
        } else {
            before.next = message.next;
        }
        if (lastCome == message) {
            lastCome = before;
        }
        message.next = null;
    }

    /** The first message; the others follow it. */
    public Incoming firstCome() {
        return firstCome;
    }

    /** Nothing waits any more. */
    public void clear() {
        firstPosted = null;
        lastPosted = null;
        firstCome = null;
        lastCome = null;
    }
}
