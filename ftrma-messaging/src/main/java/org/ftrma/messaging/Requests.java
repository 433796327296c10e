package org.ftrma.messaging;

import org.ftrma.MisuseException;

/** The requests of a rank: those that are free to be used again, and those that its program holds. Data thread only. */
final class Requests {
    private final Messages messages;
    private MessageRequestImpl free;
    /** How many of the program no call has told to be complete. */
    private int open;
    private MessageRequestImpl newest;

    Requests(Messages messages) {
        this.messages = messages;
    }

    /** The program is entered anew. */
    void clear() {
        free = null;
        newest = null;
        open = 0;
    }

    MessageRequestImpl fresh() {
        MessageRequestImpl request = free;
        if (request == null) {
            return new MessageRequestImpl(messages);
        }
        free = request.next;
        return request;
    }

    /** A request that the program holds. */
    MessageRequestImpl ofProgram(MessageRequestImpl request) {
        open++;
        request.isOfProgram = true;
        request.newer = null;
        request.older = newest;
        if (newest != null) {
            newest.newer = request;
        }
        newest = request;
        return request;
    }

    /** A call tells that it is complete; what it says stays readable until it is used again. */
    void over(MessageRequestImpl request) {
        if (request.isSend) {
            messages.sender().over(request);
        }
        request.isOver = true;
        request.segment = null;
        request.next = free;
        free = request;
        if (request.isOfProgram) {
            request.isOfProgram = false;
            open--;
            if (request.newer == null) {
                newest = request.older;
            } else {
                request.newer.older = request.older;
            }
            if (request.older != null) {
                request.older.newer = request.newer;
            }
        }
    }

    /**
     * Nobody waits any longer for what is not complete: a receive is withdrawn, and a send goes on from memory of its
     * own, since its receiver may have seen it.
     */
    void endEarly(MessageRequestImpl request) {
        if (request.isComplete) {
            over(request);
        } else if (request.isSend) {
            request.detach();
        } else {
            messages.receiver().withdraw(request);
            over(request);
        }
    }

    /** The end of a step, or of the program: no request may be open. */
    void checkNoneOpen(String where) {
        if (open > 0) {
            throw new MisuseException(where + ": " + open + (open == 1 ? " request is" : " requests are")
                + " open, such as " + newest + "; wait for each (await, waitAll) before that");
        }
    }
}
