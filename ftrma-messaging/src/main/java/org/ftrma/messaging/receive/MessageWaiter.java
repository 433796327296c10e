package org.ftrma.messaging.receive;

import org.ftrma.DeadlineException;
import org.ftrma.MisuseException;
import org.ftrma.core.control.ControlMessage;
import org.ftrma.core.session.Inbox;
import org.ftrma.core.session.Waiter;
import org.ftrma.messaging.match.PendingRequest;
import org.ftrma.messaging.match.ReceiveRequest;
import org.ftrma.messaging.send.Sender;

/** Waits for messages, and for room for this rank's own. Data thread only. */
public final class MessageWaiter {
    private static final int SOON_TURNS = 16;
    private final Inbox inbox;
    private final Waiter waiter;
    private final int member;
    private final int ranks;
    private final MessageRecovery recovery;
    private final MessageDeterminants determinants;
    private final Sender sender;
    private final Receiver receiver;
    private final MessageProgress progress;
    /** What the present wait is for. */
    private String awaited = "";
    private int awaitedPeer;
    private int turns;
    private long deadline;
    private boolean isTold;

    /** Waits of a rank, which end at the deadline of its job. */
    public MessageWaiter(Inbox inbox, Waiter waiter, int member, int ranks, MessageRecovery recovery,
        MessageDeterminants determinants, Sender sender, Receiver receiver, MessageProgress progress) {
        this.inbox = inbox;
        this.waiter = waiter;
        this.member = member;
        this.ranks = ranks;
        this.recovery = recovery;
        this.determinants = determinants;
        this.sender = sender;
        this.receiver = receiver;
        this.progress = progress;
    }

    /** Waits until a message has come that a probe finds. */
    public void awaitCome(ReceiveRequest probe) {
        progress.run();
        if (receiver.find(probe)) {
            return;
        }
        beginWait("a message, to be found by a probe", probe.peer());
        boolean hasCome = false;
        while (!hasCome) {
            boolean isHopeless = isHopeless(probe.peer());
            progress.run();
            hasCome = receiver.find(probe);
            if (!hasCome && isHopeless) {
                throw abandoned("a probe");
            }
            if (!hasCome) {
                turn();
            }
        }
    }

    /** As {@link #await}, for the program, which is told at the deadline which request that was. */
    public void awaitNamed(PendingRequest request) {
        try {
            await(request);
        } catch (DeadlineException e) {
            throw new DeadlineException(e.getMessage() + "; " + request.describe());
        }
    }

    /** Waits until a request is complete. */
    public void await(PendingRequest request) {
        if (!request.isComplete()) {
            awaitIncomplete(request);
        }
    }

    private void awaitIncomplete(PendingRequest request) {
        progress.run();
        if (request.isComplete()) {
            return;
        }
        beginWait(request.awaited(), request.peer());
        while (!request.isComplete()) {
            int source = request.expectedSource();
            boolean isHopeless = isHopeless(source);
            progress.run();
            if (!request.isComplete() && isHopeless && request.stillExpects(source)) {
                throw abandoned(request.toString());
            }
            if (!request.isComplete()) {
                request.requirePossible();
                turn();
            }
        }
    }

    /** A wait begins: what for, and of which rank, -1: any. */
    public void beginWait(String what, int peer) {
        awaited = what;
        awaitedPeer = peer;
        isTold = false;
        turns = 0;
        waiter.begin(what, peer);
    }

    /**
     * A round without progress. A wait that has become long looks at the clock each time: its rounds may contain waits
     * of their own, which begin anew. Where it ends at the deadline it is told what memory is used up.
     */
    public void turn() {
        recovery.goLiveIfCaughtUp();
        try {
            if (turns < SOON_TURNS) {
                waiter.turn();
            } else {
                if (turns == SOON_TURNS) {
                    deadline = waiter.deadlineFromNow();
                }
                waiter.outerTurn(awaited, awaitedPeer, turns, deadline);
                tellLackOfRoom();
            }
            turns++;
        } catch (DeadlineException e) {
            determinants.gaveUp();
            throw new DeadlineException(e.getMessage() + "; " + sender.describe() + "; "
                + receiver.describe());
        }
    }

    /**
     * Once for each wait, long before its deadline: others wait for what this rank cannot send, and one of them may be
     * the first to give up, which does not know why.
     */
    private void tellLackOfRoom() {
        if (!isTold && sender.lacksRoom() && waiter.isHalfOver(deadline)) {
            isTold = true;
            inbox.send(new ControlMessage.Note("has waited long for " + awaited + ": "
                + sender.describe() + "; " + receiver.describe()));
        }
    }

    /**
     * Whether nobody will send what is waited for: whoever could has finished, and what they sent has landed.
     *
     * @param source the rank that is waited for, -1: any, -2: none
     */
    public boolean isHopeless(int source) {
        if (source == -2 || !inbox.hasAnyReturned() || recovery.mayStillSend()) {
            return false;
        }
        if (source >= 0) {
            return source != member && inbox.returnedAfter(source) >= 0;
        }
        for (int rank = 0; rank < ranks; rank++) {
            if (rank != member && inbox.returnedAfter(rank) < 0) {
                return false;
            }
        }
        return ranks > 1;
    }

    /** Why a wait ends that nothing can end. */
    public MisuseException abandoned(String what) {
        determinants.gaveUp();
        return new MisuseException(what + " waits for a rank that has finished: its program returned, and sent no such "
            + "message; " + receiver.describe());
    }

    /**
     * The program has returned: what counts as sent is with its targets, but for those that are away; and what has come
     * that nobody has received is reported.
     */
    public void awaitSent() {
        progress.run();
        if (isUnsent()) {
            beginWait("room for messages that were sent", -1);
        }
        while (isUnsent()) {
            turn();
            progress.run();
        }
        if (receiver.hasUnreceived()) {
            inbox.send(new ControlMessage.Note("the program has returned, and " + receiver.describe()));
        }
    }

    private boolean isUnsent() {
        return sender.lacksRoom() || recovery.hasUnpushed();
    }
}
