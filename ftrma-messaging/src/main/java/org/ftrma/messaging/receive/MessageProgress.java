package org.ftrma.messaging.receive;

import org.ftrma.core.session.Inbox;
import org.ftrma.core.session.PeerPaths;
import org.ftrma.core.session.Waiter;
import org.ftrma.messaging.match.ReceiveRequest;
import org.ftrma.messaging.send.Sender;
import org.ftrma.spi.Fabric;

/**
 * Moves messages within calls of the program: takes out what has come, and goes on with what waits. It does nothing
 * while the program has no channel, or is left. Data thread only; allocates nothing.
 */
public final class MessageProgress {
    private final Inbox inbox;
    private final Waiter waiter;
    private final Fabric fabric;
    private final PeerPaths paths;
    private final MessageRecovery recovery;
    private final Sender sender;
    private final Receiver receiver;
    private final PendingWork collectives;
    private boolean isOpen;
    /** Whether messages are being handled: a wait in there handles none. */
    private boolean isInside;

    /** Of a program that has no channel yet. */
    public MessageProgress(Inbox inbox, Waiter waiter, Fabric fabric, PeerPaths paths, MessageRecovery recovery,
        Sender sender, Receiver receiver, PendingWork collectives) {
        this.inbox = inbox;
        this.waiter = waiter;
        this.fabric = fabric;
        this.paths = paths;
        this.recovery = recovery;
        this.sender = sender;
        this.receiver = receiver;
        this.collectives = collectives;
    }

    /** The program has a channel. */
    public void open() {
        isOpen = true;
    }

    /** The program was left: what comes from now on stays in the lanes. */
    public void close() {
        isOpen = false;
    }

    /** The program is entered anew, out of whatever call it was in. */
    public void enterView() {
        isOpen = false;
        isInside = false;
    }

    /** Whether the program has a channel. */
    public boolean isOpen() {
        return isOpen;
    }

    /** A call of the program begins. */
    public void enter() {
        inbox.drainIfReady();
    }

    /** Takes out what has come, and goes on with what waits. */
    public void run() {
        if (!isOpen || isInside) {
            return;
        }
        isInside = true;
        boolean wasPatient = waiter.patient(true);
        try {
            recovery.settle();
            takeOut(true);
            sender.progress();
            collectives.advance();
            recovery.goLiveIfCaughtUp(); // a long computation follows, perhaps
            if (!paths.areImmediate()) {
                fabric.progress();
            }
        } finally {
            isInside = false;
            waiter.patient(wasPatient);
        }
    }

    /** Takes out what has come, also while this rank waits for room: others may wait for room here. */
    private void takeOut(boolean mayAccess) {
        receiver.poll(mayAccess, false);
    }

    /**
     * This rank waits for the coordinator, or has returned: what others need of it goes on its way. Returns whether
     * there is more to do.
     */
    public boolean serve() {
        if (!recovery.servesOthers() || !isOpen || isInside) {
            return false;
        }
        run();
        return recovery.hasUnpushed();
    }

    /** This rank waits for something else, perhaps in the fabric: so that nobody waits for room in its lanes. */
    public void drain() {
        if (isOpen && !isInside) {
            takeOut(false);
        }
    }

    /** A receive is posted. */
    public void post(ReceiveRequest receive) {
        if (receive.isInert()) {
            return;
        }
        isInside = true;
        boolean wasPatient = waiter.patient(true);
        try {
            receiver.post(receive);
        } finally {
            isInside = false;
            waiter.patient(wasPatient);
        }
    }
}
