package org.ftrma.messaging;

import org.ftrma.DeadlineException;
import org.ftrma.MisuseException;
import org.ftrma.core.control.ControlMessage;

/** How a rank waits for messages, and for room for its own. Data thread only. */
final class Waits {
    private static final int SOON_TURNS = 16;
    private final Messages messages;
    /** What the present wait is for. */
    private String awaited = "";
    private int awaitedPeer;
    private int turns;
    private long deadline;
    private boolean isTold;

    Waits(Messages messages) {
        this.messages = messages;
    }

    /** Waits until a message has come that a probe finds. */
    void awaitCome(MessageRequestImpl probe) {
        messages.progress();
        if (messages.find(probe)) {
            return;
        }
        beginWait("a message, to be found by a probe", probe.peer);
        boolean hasCome = false;
        while (!hasCome) {
            boolean isHopeless = isHopeless(probe.peer);
            messages.progress();
            hasCome = messages.find(probe);
            if (!hasCome && isHopeless) {
                throw abandoned("a probe");
            }
            if (!hasCome) {
                turn();
            }
        }
    }

    /** As {@link #await}, for the program, which is told at the deadline which request that was. */
    void awaitNamed(MessageRequestImpl request) {
        try {
            messages.await(request);
        } catch (DeadlineException e) {
            throw new DeadlineException(e.getMessage() + "; " + request.describe());
        }
    }

    /** As {@link #awaitNamed}, for a call that gives the program no request: nothing is left when it has ended. */
    void awaitAlone(MessageRequestImpl request) {
        try {
            awaitNamed(request);
        } catch (DeadlineException e) {
            boolean isTooLong = !request.isSend && request.bytes > request.length;
            if (isTooLong) {
                messages.receiver().withdraw(request);
                return; // nothing can come of it but that it does not fit
            }
            String rest = request.isSend ? "; the message counts as sent: it goes when there is room, and is not to be "
                + "sent again" : "";
            messages.requests().endEarly(request);
            throw new DeadlineException(e.getMessage() + rest);
        } catch (MisuseException e) {
            messages.requests().endEarly(request);
            throw e;
        }
    }

    void await(MessageRequestImpl request) {
        messages.progress();
        if (request.isComplete) {
            return;
        }
        beginWait(request.isSend ? "room for a message, or its receive," : "a message", request.peer);
        while (!request.isComplete) {
            int peer = request.isSend ? -2 : request.peer;
            boolean isHopeless = isHopeless(peer);
            messages.progress();
            if (!request.isComplete && isHopeless && (request.collective == null || request.peer == peer)) {
                throw abandoned(request.toString());
            }
            if (!request.isComplete && request.trees != null) {
                request.trees.requirePossible(request);
            }
            if (!request.isComplete) {
                turn();
            }
        }
    }

    /** A wait begins: what for, and of which rank, -1: any. */
    void beginWait(String what, int peer) {
        awaited = what;
        awaitedPeer = peer;
        isTold = false;
        turns = 0;
        messages.session.waiter.begin(what, peer);
    }

    /**
     * A round without progress. A wait that has become long looks at the clock each time: its rounds may contain waits
     * of their own, which begin anew. Where it ends at the deadline it is told what memory is used up.
     */
    void turn() {
        messages.protocol().goLiveIfCaughtUp();
        try {
            if (turns < SOON_TURNS) {
                messages.session.waiter.turn();
            } else {
                if (turns == SOON_TURNS) {
                    deadline = messages.session.waiter.deadlineFromNow();
                }
                messages.session.waiter.outerTurn(awaited, awaitedPeer, turns, deadline);
                tellLackOfRoom();
            }
            turns++;
        } catch (DeadlineException e) {
            messages.outcomes().gaveUp();
            throw new DeadlineException(e.getMessage() + "; " + messages.sender().describe() + "; "
                + messages.receiver().describe());
        }
    }

    /**
     * Once for each wait, long before its deadline: others wait for what this rank cannot send, and one of them may be
     * the first to give up, which does not know why.
     */
    private void tellLackOfRoom() {
        if (!isTold && messages.sender().lacksRoom()
            && deadline - messages.session.clock.nanoTime() < messages.session.options.deadlineNanos() / 2) {
            isTold = true;
            messages.session.inbox.send(new ControlMessage.Note("has waited long for " + awaited + ": "
                + messages.sender().describe() + "; " + messages.receiver().describe()));
        }
    }

    /**
     * Whether nobody will send what is waited for: whoever could has finished, and what they sent has landed.
     *
     * @param source the rank that is waited for, -1: any, -2: none
     */
    boolean isHopeless(int source) {
        if (source == -2 || messages.protocol().mayStillSend()) {
            return false;
        }
        if (source >= 0) {
            return source != messages.session.member && messages.session.inbox.returnedAfter(source) >= 0;
        }
        for (int rank = 0; rank < messages.session.ranks; rank++) {
            if (rank != messages.session.member && messages.session.inbox.returnedAfter(rank) < 0) {
                return false;
            }
        }
        return messages.session.ranks > 1;
    }

    MisuseException abandoned(String what) {
        messages.outcomes().gaveUp();
        return new MisuseException(what + " waits for a rank that has finished: its program returned, and sent no such "
            + "message; " + messages.receiver().describe());
    }

    /**
     * The program has returned: what counts as sent is with its targets, but for those that are away; and what has come
     * that nobody has received is told.
     *
     * @param logged null: what is in the lanes is
     */
    void awaitSent(LoggedMessages logged) {
        messages.progress();
        if (isUnsent(logged)) {
            beginWait("room for messages that were sent", -1);
        }
        while (isUnsent(logged)) {
            turn();
            messages.progress();
        }
        if (messages.receiver().contexts().messages() > 0) {
            messages.session.inbox.send(new ControlMessage.Note("the program has returned, and "
                + messages.receiver().describe()));
        }
    }

    private boolean isUnsent(LoggedMessages logged) {
        return messages.sender().lacksRoom() || logged != null && logged.hasUnpushed();
    }
}
