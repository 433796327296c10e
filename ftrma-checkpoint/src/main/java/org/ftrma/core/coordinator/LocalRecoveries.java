package org.ftrma.core.coordinator;

import java.util.BitSet;
import java.util.List;
import org.ftrma.core.control.ControlMessage;

/**
 * Recoveries of computing ranks while the others run on: one at a time, and a loss that waits until it is decided how
 * it is recovered. Coordinator's thread.
 */
final class LocalRecoveries {
    private final MemberTable members;
    private final JobState job;
    private final Outbox out;
    private final JobTally tally;
    private final CoordinatorRules rules;
    /** The one that is under way, or null. */
    private LocalRecovery present;
    /**
     * A member whose recovery begins when the parity of its group, which is being changed in place, is whole; or
     * null.
     */
    private Member waiting;
    private int count;

    LocalRecoveries(MemberTable members, JobState job, Outbox out, JobTally tally, CoordinatorRules rules) {
        this.members = members;
        this.job = job;
        this.out = out;
        this.tally = tally;
        this.rules = rules;
    }

    /** The recovery that is under way, or null. */
    LocalRecovery present() {
        return present;
    }

    boolean isOf(Member member) {
        return present != null && present.member == member.number;
    }

    /** The number of the recovery that a process takes part in which plays this member from now on; 0: none. */
    int numberFor(Member member) {
        return isOf(member) ? present.number : 0;
    }

    /** The member whose loss waits, or null. */
    Member waiting() {
        return waiting;
    }

    void defer(Member lost) {
        waiting = lost;
    }

    /** It waits no longer. */
    Member takeWaiting() {
        Member member = waiting;
        waiting = null;
        return member;
    }

    /** Whether none is under way, and none waits. */
    boolean isQuiet() {
        return present == null && waiting == null;
    }

    /** All survivors are told to leave the lost rank alone. */
    void begin(Member lost, long now) {
        BitSet survivors = new BitSet();
        members.computing().stream().filter(rank -> rank.isPlayed() && rules.mustConfirmLoss(rank.number))
            .forEach(rank -> survivors.set(rank.number));
        BitSet connected = new BitSet();
        members.all().stream().filter(member -> member.isPlayed() && !member.is(MemberState.JOINING)
            && rules.mustConfirmLoss(member.number)).forEach(member -> connected.set(member.number));
        present = new LocalRecovery(++count, lost.number, survivors, connected, now);
        out.send(members.all(), new ControlMessage.Lost(job.view(), lost.number, count));
        out.event(new JobEvent.RecoveryBegun(job.view(), false, job.committed(), job.committedStep()));
    }

    /** All go back, and there is nothing to recover locally. */
    void end() {
        present = null;
    }

    /** A survivor confirms the loss. */
    void seen(Member survivor, ControlMessage.LostSeen m) {
        if (present != null && m.recovery() == present.number) {
            present.cutOffBy(survivor.number);
            leaveAlone();
        }
        if (present != null && present.seen(survivor.number, m.recovery())) {
            replay(members.get(present.member));
        }
    }

    /** The replacement connects to nobody before all members have cut off its predecessor. */
    void asksToBeAlone(Member member, ControlMessage.AskAlone m) {
        if (isOf(member) && m.recovery() == present.number) {
            present.asks();
            leaveAlone();
        }
    }

    /** A member is lost that might have been connected to the lost rank. */
    void gone(Member member) {
        if (present != null) {
            present.cutOffBy(member.number);
            leaveAlone();
        }
    }

    private void leaveAlone() {
        if (present.takeLeftAlone()) {
            out.send(members.get(present.member), new ControlMessage.LeftAlone(job.view(), present.number));
        }
    }

    /** A member holds its state in the running view. */
    void restored(Member member) {
        if (isOf(member) && present.restored()) {
            replay(member);
        }
    }

    private void replay(Member member) {
        out.send(member, new ControlMessage.Go(job.view()));
        member.become(MemberState.REPLAYING);
    }

    /** The replacement goes on with the others. Returns whether that ends the recovery. */
    boolean opened(Member member, ControlMessage.WentLive m) {
        if (!isOf(member) || m.recovery() != present.number || !member.is(MemberState.REPLAYING)) {
            return false;
        }
        present = null;
        member.become(MemberState.RUNNING);
        tally.recoveredLocally();
        members.all().forEach(other -> other.lacking.clear(member.number));
        List<Member> others = members.all().stream().filter(other -> other != member).toList();
        out.send(others, new ControlMessage.PeerLive(job.view(), member.number));
        out.event(new JobEvent.Replayed(member.number, member.incarnation(), m.step(), m.figures()));
        return true;
    }
}
