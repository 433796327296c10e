package org.ftrma.messaging;

/** The collectives of a rank that were begun and are not complete, over all channels. Data thread only. */
final class OpenCollectives {
    private final Messages messages;
    private OpenCollective open;
    private OpenCollective free;

    OpenCollectives(Messages messages) {
        this.messages = messages;
    }

    /** The program is entered anew: nothing was begun. */
    void clear() {
        open = null;
    }

    OpenCollective fresh() {
        OpenCollective one = free;
        if (one == null) {
            return new OpenCollective(messages);
        }
        free = one.next;
        return one;
    }

    void free(OpenCollective one) {
        one.next = free;
        free = one;
    }

    /** All its messages are under way. */
    MessageRequestImpl begun(OpenCollective one) {
        if (!one.isDone()) {
            one.next = open;
            open = one;
        }
        return messages.requests().ofProgram(one.request());
    }

    /** Messages may have come. */
    void advance() {
        OpenCollective before = null;
        for (OpenCollective one = open; one != null;) {
            OpenCollective next = one.next;
            if (!one.isDone()) {
                before = one;
            } else if (before == null) {
                open = next;
            } else {
                before.next = next;
            }
            one = next;
        }
    }
}
