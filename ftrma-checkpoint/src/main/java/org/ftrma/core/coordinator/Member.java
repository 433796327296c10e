package org.ftrma.core.coordinator;

import java.util.BitSet;
import java.util.TreeSet;
import org.ftrma.core.control.ControlMessage;

/**
 * One member of the job as the coordinator knows it: its state, which only {@link #become} changes, the process that
 * plays it, and what it has told. Coordinator's thread.
 */
final class Member {
    /** Who is told of each change of a member's state. */
    interface Listener {
        void changed(Member member, MemberState from, MemberState to);
    }

    final int number;
    private final String name;
    private final Listener listener;
    private MemberState state = MemberState.EXPECTED;
    /** -1 where no process plays the member. */
    private int process = -1;
    /** -1 until a first process was assigned, or was known not to come. */
    private int incarnation = -1;
    /** Whether it holds its image (or parity) of the committed generation, as far as the coordinator knows. */
    private boolean holdsPart = true;
    /** The member was lost, and nobody was told yet that it is back. */
    private boolean isMissed;
    /** Its process is taken for lost and is being killed; what it says counts until it is dead. */
    boolean isBeingKilled;
    /** Since when a checksum rank has been rebuilding what it lost, once that was seen; else 0. */
    long rebuildingSince;
    /** Before all run: the exchange for which it waits, or null; and where in the program, if it was asked. */
    ControlMessage.Exchange exchange;
    String place = "";
    long lastStep;
    /** How long its steps take, as it said last. */
    long stepNanos;
    final TreeSet<Long> watched = new TreeSet<>();
    /**
     * While it makes its part anew in a running view: members of its group that it does not read, for they are lost,
     * or were.
     */
    final BitSet lacking = new BitSet();
    /** Of a checksum rank that has taken another one's place: the ranks that have not given it their events yet. */
    final BitSet unkept = new BitSet();

    Member(int number, String name, Listener listener) {
        this.number = number;
        this.name = name;
        this.listener = listener;
    }

    MemberState state() {
        return state;
    }

    boolean is(MemberState given) {
        return state == given;
    }

    int process() {
        return process;
    }

    boolean isPlayed() {
        return state.isPlayed();
    }

    int incarnation() {
        return incarnation;
    }

    boolean holdsPart() {
        return holdsPart;
    }

    boolean isMissed() {
        return isMissed;
    }

    /** A process plays the member from now on. */
    void assign(int newProcess) {
        process = newProcess;
        incarnation++;
        isBeingKilled = false;
        rebuildingSince = 0;
        become(MemberState.JOINING);
    }

    /** Its first process could not be started, and any other one may take its place: nothing is lost with it. */
    void couldNotStart() {
        incarnation = 0;
        become(MemberState.LOST);
    }

    /** Its process is gone, and what that held. */
    void lost() {
        process = -1;
        holdsPart = false;
        isMissed = true;
        become(MemberState.LOST);
    }

    /** Its process was killed so that another one plays it; what that held is rebuilt, and nobody misses it. */
    void moves() {
        process = -1;
        holdsPart = false;
        become(MemberState.LOST);
    }

    /** It has come to the present view. */
    void enter() {
        become(holdsPart ? MemberState.RESTORING : MemberState.REBUILDING);
    }

    /**
     * It has its state in the present view, and with that its part of the committed generation, which it keeps
     * whatever happens to others.
     */
    void restored() {
        if (!state.isInView()) {
            enter(); // nobody has its state who has not come
        }
        holdsPart = true; // M20
        become(MemberState.READY);
    }

    /** Others were told that it is back. */
    void isBack() {
        isMissed = false;
    }

    boolean mayBecome(MemberState to) {
        return state.next().contains(to);
    }

    /**
     * The one place where the state changes.
     *
     * @throws IllegalStateException if no such change is in the table, or what the new state means does not hold: the
     *     coordinator itself is wrong then
     */
    void become(MemberState to) {
        require(mayBecome(to), to, "there is no such change"); // M2
        require(to.isPlayed() == (process >= 0), to, "process=" + process);
        require(holdsPart || !to.hasRestored() && to != MemberState.RESTORING, to, "it does not hold its part");
        require(!holdsPart || to != MemberState.REBUILDING, to, "it holds its part");
        MemberState from = state;
        state = to;
        listener.changed(this, from, to);
    }

    private void require(boolean holds, MemberState to, String why) {
        if (!holds) {
            throw new IllegalStateException(name + " cannot go from " + state + " to " + to + ": " + why);
        }
    }
}
