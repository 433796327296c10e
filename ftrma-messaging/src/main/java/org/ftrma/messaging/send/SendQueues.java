package org.ftrma.messaging.send;

import java.util.Arrays;

/** Sends that wait for room, by target, in the order in which they were begun. Data thread only; allocates nothing. */
final class SendQueues {
    private final SendRequest[] firstOf;
    private final SendRequest[] lastOf;
    private int targets;

    SendQueues(int ranks) {
        this.firstOf = new SendRequest[ranks];
        this.lastOf = new SendRequest[ranks];
    }

    void clear() {
        Arrays.fill(firstOf, null);
        Arrays.fill(lastOf, null);
        targets = 0;
    }

    /** How many targets something waits for. */
    int targets() {
        return targets;
    }

    boolean isEmpty(int target) {
        return firstOf[target] == null;
    }

    /** The send to a target that goes next; null: none waits. */
    SendRequest first(int target) {
        return firstOf[target];
    }

    void add(SendRequest send) {
        int target = send.peer();
        send.next = null;
        if (firstOf[target] == null) {
            firstOf[target] = send;
            targets++;
        } else {
            lastOf[target].next = send;
        }
        lastOf[target] = send;
    }

    void removeFirst(int target) {
        SendRequest send = firstOf[target];
        firstOf[target] = send.next;
        send.next = null;
        if (firstOf[target] == null) {
            targets--;
        }
    }
}
