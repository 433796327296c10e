package org.ftrma.core.coordinator;

import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.ftrma.core.control.ControlMessage;

/**
 * Recoveries of computing ranks while the others run on: one, or several of ranks that do not need each other's logs;
 * and a loss that waits until it is decided how it is recovered. Coordinator's thread.
 */
final class LocalRecoveries {
    private final MemberTable members;
    private final JobState job;
    private final Outbox out;
    private final JobTally tally;
    private final Contacts contacts;
    /** Those that are under way, by the lost rank. */
    private final Map<Integer, LocalRecovery> present = new TreeMap<>();
    /**
     * A member whose recovery begins when the parity of its group, which is being changed in place, is whole; or
     * null.
     */
    private Member waiting;
    private int count;
    /** The rank that was recovered last, and the generation that was committed then; -1: none was. */
    private int recovered = -1;
    private long recoveredAt;
    /** When any has last got further. */
    private long progressNanos;

    LocalRecoveries(MemberTable members, JobState job, Outbox out, JobTally tally, Contacts contacts) {
        this.contacts = contacts;
        this.members = members;
        this.job = job;
        this.out = out;
        this.tally = tally;
    }

    /**
     * One that is under way, where none has got further for so long: they may wait for each other. A step that is
     * repeated is such progress, however many there are. Null: none is late.
     */
    LocalRecovery late(long limitNanos, long now) {
        return present.isEmpty() || now - progressNanos <= limitNanos ? null : present.values().iterator().next();
    }

    /** A rank begins a step, perhaps once more. */
    void stepBegun(Member member, long step, long now) {
        if (isOf(member) && present.get(member.number).reaches(step)) {
            progressNanos = now;
        }
    }

    boolean isOf(Member member) {
        return present.containsKey(member.number);
    }

    /** Whether any is under way. */
    boolean isAny() {
        return !present.isEmpty();
    }

    /** The ranks that are being recovered. */
    BitSet ranks() {
        BitSet ranks = new BitSet();
        present.keySet().forEach(ranks::set);
        return ranks;
    }

    /** The number of the recovery that a process takes part in which plays this member from now on; 0: none. */
    int numberFor(Member member) {
        return isOf(member) ? present.get(member.number).number : 0;
    }

    /**
     * Which computing ranks are being recovered, as seen by a lost member.
     *
     * @param besides others that were lost with it, and are to be recovered
     */
    LossSnapshot.Recovery besides(Member lost, BitSet besides) {
        BitSet others = ranks();
        others.or(besides);
        others.clear(lost.number);
        if (others.isEmpty()) {
            return isOf(lost) ? LossSnapshot.Recovery.OF_THE_LOST : LossSnapshot.Recovery.NONE;
        }
        boolean areApart = !members.isChecksum(lost) && others.cardinality() < ControlMessage.Lost.MOST_AT_A_TIME
            && others.stream().allMatch(other -> isApart(lost, members.get(other)));
        return areApart ? LossSnapshot.Recovery.OF_STRANGERS : LossSnapshot.Recovery.OF_ANOTHER;
    }

    /** Why a lost rank is not recovered beside those that {@link #besides} looks at, in words. */
    String obstacle(Member lost, BitSet besides) {
        BitSet others = ranks();
        others.or(besides);
        others.clear(lost.number);
        if (others.cardinality() >= ControlMessage.Lost.MOST_AT_A_TIME) {
            return 1 + others.cardinality() + " ranks are lost at a time, and " + ControlMessage.Lost.MOST_AT_A_TIME
                + " can be recovered side by side";
        }
        String group = "";
        for (int other = others.nextSetBit(0); other >= 0; other = others.nextSetBit(other + 1)) {
            String between = contacts.between(lost.number, other);
            if (between != null) {
                return between;
            }
            group = members.isMate(lost, members.get(other)) ? "ranks " + lost.number + " and " + other
                + " are of one group, and the image of each would be made anew with that of the other" : group;
        }
        return group;
    }

    /** What would keep logs from lacking what a replay needs: who was recovered since all had an image kept none. */
    String adviceOnGaps() {
        return recovered >= 0 && recoveredAt == job.committed() ? "rank " + recovered + " was recovered since the last "
            + "checkpoint, and what it had kept of others died with it; with checkpoints more often (--interval) that "
            + "time is shorter" : "a larger --log-budget, or checkpoints more often (--interval)";
    }

    /** Whether neither needs the other one's logs, which are gone on both sides, nor its image. */
    private boolean isApart(Member lost, Member other) {
        return !members.isMate(lost, other) && !contacts.areBetween(lost.number, other.number); // R3
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
        return present.isEmpty() && waiting == null;
    }

    /**
     * All survivors are told to leave the lost rank alone, and confirm that before the replacement reads logs: until a
     * rank has, it may be in the middle of an access. A process that has yet to come to the view hears of the loss
     * before it could access anybody, and confirms nothing.
     */
    void begin(Member lost, long now) {
        BitSet connected = new BitSet();
        members.all().stream().filter(member -> member.isPlayed() && !member.is(MemberState.JOINING))
            .forEach(member -> connected.set(member.number));
        BitSet survivors = new BitSet();
        members.computing().stream().filter(rank -> connected.get(rank.number))
            .forEach(rank -> survivors.set(rank.number));
        present.put(lost.number, new LocalRecovery(++count, lost.number, survivors, connected));
        progressNanos = now;
        out.send(members.all(), new ControlMessage.Lost(job.view(), lost.number, count));
        out.event(new JobEvent.RecoveryBegun(job.view(), false, job.committed(), job.committedStep()));
    }

    /** All go back, and there is nothing to recover locally. */
    void end() {
        present.clear();
    }

    /** A survivor confirms the loss. */
    void seen(Member survivor, ControlMessage.LostSeen m) {
        for (LocalRecovery one : present.values()) {
            if (m.recovery() == one.number) {
                one.cutOffBy(survivor.number);
                leaveAlone(one);
            }
            if (one.seen(survivor.number, m.recovery())) { // R7
                replay(members.get(one.member));
            }
        }
    }

    /** The replacement connects to nobody before all members have cut off its predecessor. */
    void asksToBeAlone(Member member, ControlMessage.AskAlone m) {
        if (isOf(member) && m.recovery() == numberFor(member)) {
            LocalRecovery one = present.get(member.number);
            one.asks();
            leaveAlone(one);
        }
    }

    /** A member is lost that might have been connected to a lost rank: it confirms nothing any more. */
    void gone(Member member) {
        for (LocalRecovery one : present.values()) {
            Member lost = members.get(one.member);
            one.cutOffBy(member.number);
            boolean isReady = one.seen(member.number, one.number);
            if (lost.isPlayed()) {
                leaveAlone(one);
            }
            if (isReady && lost.is(MemberState.READY)) {
                replay(lost);
            }
        }
    }

    private void leaveAlone(LocalRecovery one) {
        if (one.takeLeftAlone()) {
            out.send(members.get(one.member), new ControlMessage.LeftAlone(job.view(), one.number));
        }
    }

    /** A member holds its state in the running view. */
    void restored(Member member, long now) {
        if (!isOf(member)) {
            return;
        }
        progressNanos = now;
        if (present.get(member.number).restored()) {
            replay(member);
        }
    }

    private void replay(Member member) {
        out.send(member, new ControlMessage.Go(job.view()));
        member.become(MemberState.REPLAYING);
    }

    /**
     * The replacement holds its state: the others may access it, and it those that are being recovered, too, and have
     * got as far.
     */
    void resumed(Member member, ControlMessage.Resumed m) {
        if (!isOf(member) || m.recovery() != numberFor(member) || !member.is(MemberState.REPLAYING)) {
            return;
        }
        present.get(member.number).isResumed = true;
        out.send(members.all().stream().filter(other -> other != member).toList(),
            new ControlMessage.PeerResumes(job.view(), member.number));
        for (LocalRecovery one : present.values()) {
            if (one.isResumed && one.member != member.number) {
                out.send(member, new ControlMessage.PeerResumes(job.view(), one.member));
            }
        }
    }

    /** The replacement goes on with the others. Returns whether that ends the recovery. */
    boolean opened(Member member, ControlMessage.WentLive m) {
        if (!isOf(member) || m.recovery() != numberFor(member) || !member.is(MemberState.REPLAYING)) {
            return false;
        }
        present.remove(member.number);
        member.become(MemberState.RUNNING);
        tally.recoveredLocally();
        recovered = member.number;
        recoveredAt = job.committed();
        members.all().forEach(other -> other.lacking.clear(member.number));
        List<Member> others = members.all().stream().filter(other -> other != member).toList();
        out.send(others, new ControlMessage.PeerLive(job.view(), member.number));
        out.event(new JobEvent.Replayed(member.number, member.incarnation(), m.step(), m.figures()));
        return true;
    }
}
