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
        messages.session.inbox.giveUp();
        return new MisuseException(what + " waits for a rank that has finished: its program returned, and sent no such "
            + "message; " + messages.receiver().describe());
    }

    /** What was sent is with its targets, but for those that are away. */
    void awaitPushed(LoggedMessages logged) {
        messages.progress();
        if (logged.hasUnpushed()) {
            beginWait("room for messages that were sent", -1);
        }
        while (logged.hasUnpushed()) {
            turn();
            messages.progress();
        }
    }
}
