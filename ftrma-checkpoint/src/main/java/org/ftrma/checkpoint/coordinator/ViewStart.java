package org.ftrma.checkpoint.coordinator;

import java.util.List;
import org.ftrma.checkpoint.control.Message;
import org.ftrma.checkpoint.coordinator.MemberTable.Member;

/**
 * How the present view gets under way, and when that is given up: when nothing has come of it for the time that a recovery may take. Where all wait for
 * the program (it initializes, or a rank computes on until its next library call) nobody can know how long that is. Coordinator's thread.
 */
final class ViewStart {
    private static final long NOT_BEGUN = Long.MIN_VALUE;
    /** The program may be so many times slower than it was. */
    private static final int SLOWER = 2;

    private final MemberTable members;
    private final Patience patience;
    private long progressNanos = NOT_BEGUN;
    private long enteredNanos = NOT_BEGUN;
    /** The longest step, or time from the entry of the program to its first step, so far. */
    private long programNanos;

    ViewStart(MemberTable members, Patience patience) {
        this.members = members;
        this.patience = patience;
    }

    /** A new view: all but those that were lost leave the program at their next library call. */
    void begin(long now) {
        progressNanos = now;
        enteredNanos = NOT_BEGUN;
        for (Member member : members.all()) {
            member.leaving = member.process >= 0 && member.number < members.computing().size() && (member.entered || member.leaving);
            member.entered = false;
        }
    }

    /** Something came of it: a process joined, an exchange has one contribution more, a member has restored its state. */
    void progress(long now) {
        progressNanos = now;
    }

    void contributed(Member member, Message.Exchange exchange, long now) {
        progress(now);
        if (exchange.scope() == Message.Scope.ALL.ordinal() && exchange.sequence() == 0) {
            member.entered = true;
            if (members.all().stream().allMatch(each -> each.entered)) {
                enteredNanos = now;
            }
        }
    }

    /** All run. */
    void running(long now) {
        if (enteredNanos != NOT_BEGUN) {
            programTook(now - enteredNanos);
        }
    }

    /** A rank's steps take so long. */
    void programTook(long nanos) {
        programNanos = Math.max(programNanos, nanos);
    }

    /**
     * Says that it is given up, and why; or null.
     *
     * @param initial whether the program initializes: there is no generation to go back to
     * @param missing who is missing in exchanges, or empty
     */
    String givenUp(int view, boolean initial, String missing, long now) {
        boolean programsTime = initial && members.all().stream().allMatch(member -> member.entered || member.leaving)
            && members.computing().stream().anyMatch(member -> !member.restored);
        long limit = patience.rebuildNanos() + SLOWER * Math.min(programNanos, Long.MAX_VALUE / 8);
        if (progressNanos == NOT_BEGUN || programsTime || now - progressNanos <= limit) {
            return null;
        }
        List<Integer> waiting = members.all().stream().filter(member -> !member.restored).map(member -> member.number).toList();
        return "view " + view + " did not start: nothing came of it for " + limit / 1_000_000 + " ms (--recovery-deadline, and more for large images "
            + "and long steps); not ready: " + members.names(waiting) + (missing.isEmpty() ? "" : "; not heard of: " + missing);
    }
}
