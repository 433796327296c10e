package org.ftrma.core.session;

import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Queue;
import java.util.function.Consumer;
import org.ftrma.DeadlineException;
import org.ftrma.FtrmaException;
import org.ftrma.PeerLostException;
import org.ftrma.core.control.ControlMessage;
import org.ftrma.options.JobOptions;
import org.ftrma.spi.Fabric;
import org.ftrma.spi.Wait;

/**
 * Waits of the fabric, and the gate between two accesses. Where accesses take effect when they are issued, the fabric
 * never waits, so that a loss is heard of between two accesses. Where they do not, a loss that the coordinator tells of
 * within a wait of the fabric is kept until that access is over: the lost peer is cut off at once, which ends a wait
 * for it, and everything else comes after. Who is found lost before that is awaited here until the coordinator has
 * spoken. Data thread only.
 */
final class AccessGate implements Wait {
    /** That of a process without a role. */
    static final AccessGate NONE = new AccessGate();
    private final Waiter waiter;
    private final Inbox inbox;
    private final Fabric fabric;
    private final boolean isOpen;
    private final boolean revokes;
    private final RecoveringRanks away;
    private final Queue<Kept> kept = new ArrayDeque<>();
    /** Above 0: within waits of the fabric. */
    private int inside;
    /** Why every call of the program is refused until that was left, or null. */
    private Throwable end;
    /** What the fabric waits for, if it waits. */
    private String awaited = "";
    /** Whether a flush is waited for that whoever called it may call again. */
    private boolean isRepeatable;
    /** Those whose last loss ended what was under way to them. */
    private final BitSet cutOff = new BitSet();
    /** Those that were lost, and not connected to since: a connection that there is leads to a process that is dead. */
    private final BitSet stale = new BitSet();
    /** The recovery in which all members have cut off the process that this one replaces; 0: none yet. */
    private int leftAlone;

    /**
     * A loss that is heard of later.
     *
     * @param cutsThen whether the peer is cut off then, too: memory of a dead process may be in use until the loss
     *     before is heard of
     */
    private record Kept(ControlMessage.Lost loss, boolean cutsThen) {
    }

    private AccessGate() {
        this.waiter = null;
        this.inbox = null;
        this.fabric = null;
        this.isOpen = false;
        this.revokes = false;
        this.away = null;
    }

    AccessGate(Waiter waiter, Inbox inbox, Fabric fabric, JobOptions options, RecoveringRanks away) {
        this.waiter = waiter;
        this.inbox = inbox;
        this.fabric = fabric;
        this.revokes = fabric.revokes();
        this.isOpen = options.protocol().recoversLocally() && revokes;
        this.away = away;
    }

    /** Whether an access to a lost peer ends with an exception, and this member goes on when that is recovered. */
    boolean isOpen() {
        return isOpen;
    }

    @Override
    public void begin(String what, int peer) {
        awaited = what;
        waiter.begin(what, peer);
    }

    @Override
    public void turn() {
        inside++;
        try {
            waiter.turnInFabric();
        } catch (DeadlineException e) {
            throw goesOnAfter() ? e : cannotGoOn(e);
        } finally {
            inside--;
        }
    }

    /**
     * Whether this member goes on after a wait of the fabric that ended at the deadline: a flush is repeated, and where
     * nothing is logged, reads are, too, and writes go on by themselves. Nobody knows whether an atomic access took
     * effect, nor which words of a log are there.
     */
    private boolean goesOnAfter() {
        return isRepeatable || !isOpen && !ATOMIC.equals(awaited);
    }

    /** A flush begins that can be repeated when it ends at the deadline, or has ended. */
    void repeatable(boolean is) {
        isRepeatable = is;
    }

    /**
     * A wait ended at the deadline, and nobody knows what of it took effect: so this rank may do nothing more.
     *
     * @return what tells the program
     */
    DeadlineException cannotGoOn(DeadlineException why) {
        DeadlineException told = new DeadlineException(why.getMessage()
            + ": nobody knows what of that took effect, and this rank cannot go on");
        endsWith(told);
        return told;
    }

    /** Each later call of the program is refused, until that was left. */
    void endsWith(Throwable why) {
        if (end == null) {
            end = why;
            inbox.isMoreToTell = true;
        }
    }

    /** Throws where this member may do nothing more. */
    void requireGoingOn() {
        if (end != null) {
            throw new FtrmaException(FtrmaException.Category.FATAL, "this rank cannot go on after an earlier call: "
                + end, end);
        }
    }

    /** The program was left. */
    void mayGoOn() {
        end = null;
        inbox.isMoreToTell = !kept.isEmpty();
    }

    @Override
    public void lost(PeerLostException loss) {
        if (!isOpen) {
            inbox.lost(loss);
            return;
        }
        waiter.begin("the coordinator's word on the loss", loss.peer());
        while (!isDecided(loss.peer())) {
            fabric.progress();
            turn();
        }
    }

    private boolean isDecided(int peer) {
        return away.isMissing(peer) || kept.stream().anyMatch(one -> one.loss.member() == peer);
    }

    /** The coordinator says that a peer is lost: nothing that it sent may land here after this. */
    private void cutOff(int peer) {
        if (!revokes) {
            return;
        }
        boolean isMapped = fabric.isImmediate(peer);
        cutOff.set(peer, !isMapped);
        if (!isMapped || stale.get(peer)) { // R6
            fabric.revoke(peer); // the next process, on another host, may have been let in
        }
        stale.set(peer);
    }

    /** Whether the loss, which is told now, is kept for later. The peer is cut off in any case. */
    boolean keeps(ControlMessage.Lost loss) {
        if (isOpen && inside > 0) { // R7
            boolean isDead = stale.get(loss.member()) && fabric.isImmediate(loss.member());
            kept.add(new Kept(loss, isDead));
            inbox.isMoreToTell = true;
            if (!isDead) {
                cutOff(loss.member());
            }
            return true;
        }
        cutOff(loss.member());
        return false;
    }

    /** A checksum rank is lost: nobody accesses it but who makes or reads parities, and nothing of it can land. */
    void lost(ControlMessage.ChecksumLost loss) {
        cutOff(loss.member());
    }

    /**
     * Another process has taken the place of a checksum rank, whose losses only those are told of who make parities.
     * Should this member have connected to one when it was rebuilt itself, then that one is dead, too.
     */
    void replaced(int peer) {
        stale.set(peer);
        cutOff(peer);
        fabric.forget(peer);
    }

    void told(ControlMessage.LeftAlone m) {
        leftAlone = m.recovery();
    }

    /** Whether that was said of this recovery. */
    boolean isLeftAlone(int recovery) {
        return leftAlone == recovery;
    }

    /** This member has connected to the process that plays a peer now. */
    void connected(int peer) {
        stale.clear(peer);
    }

    /** All connections of the view before are closed. */
    void enterView() {
        mayGoOn();
        isRepeatable = false;
        stale.clear();
    }

    /** Whether the last loss of a peer ended what was under way to it; where its memory was mapped nothing was. */
    boolean wasCutOff(int peer) {
        return cutOff.get(peer);
    }

    /** Whether there is anything to be told now. */
    boolean hasMoreToTell() {
        return end != null || hasKept();
    }

    /** Whether there is a loss that can be heard of now. */
    boolean hasKept() {
        return isOpen && inside == 0 && !kept.isEmpty();
    }

    /** Losses that were kept are heard of now, between two accesses; those of earlier views count for nothing. */
    void hear(int view, Consumer<ControlMessage.Lost> listener) {
        while (hasKept()) {
            Kept one = kept.remove();
            inbox.isMoreToTell = end != null || !kept.isEmpty();
            if (one.loss.view() == view) {
                if (one.cutsThen) {
                    cutOff(one.loss.member());
                }
                listener.accept(one.loss);
            }
        }
    }
}
