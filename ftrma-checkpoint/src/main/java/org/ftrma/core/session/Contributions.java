package org.ftrma.core.session;

import java.util.BitSet;
import org.ftrma.core.control.ControlMessage;

/**
 * What the members contributed to an exchange. The coordinator has it; a member keeps only its own part, and asks for
 * that of another one when it needs it. So what a rank keeps does not grow with the job. Data thread only.
 */
public final class Contributions {
    private final Session session;
    private final int scope;
    private final int sequence;
    private final int place;
    private final byte[] own;
    /** By member: what was asked for ahead. */
    private byte[][] fetched = {};
    /** How many losses were known then. */
    private int known;

    /** @param place of this member, among those that take part; its number where all do */
    Contributions(Session session, int scope, int sequence, int place, byte[] own) {
        this.session = session;
        this.scope = scope;
        this.sequence = sequence;
        this.place = place;
        this.own = own;
    }

    /**
     * What this member, or the process that plays it now, contributed: asks the coordinator, and waits. A loss may be
     * heard of meanwhile, and then the answer may be what a lost process contributed; a new view unwinds.
     */
    public byte[] of(int member) {
        if (member == place) {
            return own;
        }
        boolean isFetched = member < fetched.length && known == session.losses() && fetched[member] != null;
        return isFetched ? fetched[member] : ask(member, 1)[0];
    }

    /**
     * Asks ahead for those of the first members: they come together. {@link #of} has them then, until a loss is heard
     * of, or {@link #forget}; but not that of a rank that is being recovered, which contributes anew.
     */
    public void fetch(int members) {
        int before = session.losses();
        BitSet absent = session.away.all();
        byte[][] all = new byte[members][];
        for (int count = 0; count < members;) {
            byte[][] some = ask(count, members - count);
            System.arraycopy(some, 0, all, count, some.length);
            count += some.length;
        }
        absent.or(session.away.all());
        if (scope < ControlMessage.Scope.AMONG) { // else what they contribute anew is the same
            absent.stream().filter(member -> member < members).forEach(member -> all[member] = null);
        }
        fetched = all;
        known = before;
    }

    /** Whether what was asked for ahead still counts. */
    public boolean areFetched() {
        return fetched.length > 0 && known == session.losses();
    }

    /** What was asked for ahead is not needed any more. */
    public void forget() {
        fetched = new byte[0][];
    }

    private byte[][] ask(int member, int count) {
        session.peers.asks(scope, member, count);
        session.inbox.ask(scope, sequence, member, count);
        long deadline = session.waiter.deadlineFromNow();
        byte[][] answer = session.inbox.exchanges().takeAnswer();
        for (int turn = Waiter.ASLEEP; answer == null; turn++) {
            session.fabric.progress();
            session.waiter.outerTurn("the coordinator's word on the address and keys", member, turn, deadline);
            answer = session.inbox.exchanges().takeAnswer();
        }
        return answer;
    }
}
