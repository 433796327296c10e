package org.ftrma.core.session;

import java.util.BitSet;
import org.ftrma.core.control.ControlMessage;

/**
 * Blobs that the members contributed to an exchange. The coordinator has them; a member keeps only its own one, and
 * asks for that of another member when it needs it. So what a rank keeps does not grow with the job. Data thread only.
 */
public final class Contributions {
    private final Inbox inbox;
    private final Waiter waiter;
    private final RecoveringRanks away;
    private final OpenedPeers opened;
    private final ControlMessage.Exchange own;
    private final int place;
    /** By member: what was asked for ahead. */
    private byte[][] fetched = {};
    /** How many losses were known then. */
    private int known;

    /** @param place of this member, among those that take part; its number where all do */
    Contributions(Inbox inbox, Waiter waiter, RecoveringRanks away, OpenedPeers opened, ControlMessage.Exchange own,
        int place) {
        this.inbox = inbox;
        this.waiter = waiter;
        this.away = away;
        this.opened = opened;
        this.own = own;
        this.place = place;
    }

    /**
     * What this member, or the process that plays it now, contributed: asks the coordinator, and waits. A loss may be
     * heard of meanwhile, and then the answer may be what a lost process contributed; a new view unwinds.
     */
    public byte[] of(int member) {
        if (member == place) {
            return own.blob();
        }
        boolean isFetched = member < fetched.length && known == away.losses() && fetched[member] != null;
        return isFetched ? fetched[member] : ask(member, 1)[0];
    }

    /**
     * Asks ahead for those of the first members: they come together. {@link #of} has them then, until a loss is heard
     * of, or {@link #forget}; but not that of a rank that is being recovered, which contributes anew.
     */
    public void fetch(int members) {
        int before = away.losses();
        BitSet absent = away.all();
        byte[][] all = new byte[members][];
        for (int count = 0; count < members;) {
            byte[][] some = ask(count, members - count);
            System.arraycopy(some, 0, all, count, some.length);
            count += some.length;
        }
        absent.or(away.all());
        if (own.scope() < ControlMessage.Scope.AMONG) { // else what they contribute anew is the same
            absent.stream().filter(member -> member < members).forEach(member -> all[member] = null);
        }
        fetched = all;
        known = before;
    }

    /** Whether what was asked for ahead still counts. */
    public boolean areFetched() {
        return fetched.length > 0 && known == away.losses();
    }

    /** What was asked for ahead is not needed any more. */
    public void forget() {
        fetched = new byte[0][];
    }

    private byte[][] ask(int member, int count) {
        opened.asks(own.scope(), member, count);
        ControlMessage.Ask question = new ControlMessage.Ask(inbox.view(), own.scope(), own.sequence(), member, count);
        inbox.exchanges().asked(question);
        inbox.send(question);
        waiter.await("the coordinator's word on the address and keys", member, Waiter.ASLEEP, waiter.deadlineFromNow(),
            () -> inbox.exchanges().hasAnswer());
        return inbox.exchanges().takeAnswer();
    }
}
