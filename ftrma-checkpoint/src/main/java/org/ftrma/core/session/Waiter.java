package org.ftrma.core.session;

import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.ftrma.DeadlineException;
import org.ftrma.FtrmaException;
import org.ftrma.core.control.ControlMessage;
import org.ftrma.core.control.FallbackReason;
import org.ftrma.options.JobOptions;
import org.ftrma.spi.Clock;
import org.ftrma.spi.Fabric;

/**
 * Waits of the data thread: handles control frames, relaxes the processor, and ends at the deadline with the name of
 * what it waited for.
 */
public final class Waiter {
    /** A turn at which every clock sleeps. */
    static final int ASLEEP = 1 << 15;
    private static final int TURNS_BETWEEN_CLOCK_READS = 64;
    private static final int SOON_TURNS = 64;
    private static final long SHORTEST_PAUSE_NANOS = 1000;
    private static final int LONGEST_PAUSE_SHIFT = 9;

    private final Clock clock;
    private final Inbox inbox;
    private final Fabric fabric;
    private final int ranks;
    private final long ordinaryNanos;
    private long timeoutNanos;
    private long deadline;
    private String what = "";
    private int peer;
    private int turns;
    /** For whoever looks from outside whether the data thread gets on: waits that have begun, and turns of all. */
    private long waits;
    private long turned;
    /** The same of waits whose rounds contain waits; each has a deadline of its own. */
    private long outerWaits;
    private long outerTurned;
    private long lastOuterDeadline;
    private Supplier<String> describer;
    private boolean isPatient;
    /** When the present wait was told of last; 0: it was not. */
    private long toldNanos;
    /** The same of a wait whose rounds contain waits. */
    private long outerToldNanos;
    private long outerToldDeadline;
    private BooleanSupplier suspended = () -> false;
    private Runnable meanwhile = () -> { };
    private Runnable untold = () -> { };
    /** No wait whose rounds contain waits ends before: a rank was away when this was set. */
    private long notBefore = Long.MIN_VALUE;

    Waiter(Clock clock, Inbox inbox, Fabric fabric, JobOptions options) {
        this.clock = clock;
        this.inbox = inbox;
        this.fabric = fabric;
        this.ranks = options.ranks();
        this.ordinaryNanos = options.deadlineNanos();
        this.timeoutNanos = ordinaryNanos;
    }

    /** Deadlines do not run while this is true. */
    public void suspendWhile(BooleanSupplier condition) {
        suspended = condition;
    }

    /** What is done in every turn of every wait, also inside of the fabric: it may access no memory of others. */
    public void meanwhile(Runnable work) {
        meanwhile = work;
    }

    /** Who keeps that a replay cannot know what happened here: see {@link #untold}. */
    public void whenUntold(Runnable action) {
        untold = action;
    }

    /**
     * The program is about to be told, by an exception, what depends on the moment and is in no log, such as that a
     * wait ended at the deadline. Not within a call of the fabric.
     */
    public void untold() {
        Runnable action = untold;
        untold = () -> { }; // it may wait, too, and that may end at the deadline
        try {
            action.run();
        } catch (FtrmaException e) {
            inbox.endsWith(e); // the program is told what it was to be told, and nothing after that
        } finally {
            untold = action;
        }
    }

    /** Calls that, whose waits have no deadline. */
    public void withoutDeadline(Runnable call) {
        timeoutNanos = Long.MAX_VALUE;
        call.run();
        timeoutNanos = ordinaryNanos;
    }

    /** Waits for the coordinator, without a deadline of its own (the coordinator has one), until that is so. */
    void await(String newWhat, BooleanSupplier isOver) {
        await(Long.MAX_VALUE, newWhat, isOver, () -> false);
    }

    /**
     * Waits for the coordinator until that is so, for so long.
     *
     * @param work in each turn; whether it took the place of that, and may have waited for something else
     */
    void await(long nanos, String newWhat, BooleanSupplier isOver, BooleanSupplier work) {
        timeoutNanos = nanos;
        beginAsleep(newWhat);
        while (!isOver.getAsBoolean()) {
            fabric.progress();
            if (work.getAsBoolean()) {
                inbox.drainIfReady();
                timeoutNanos = nanos;
                beginAsleep(newWhat);
            } else {
                turn();
            }
        }
        timeoutNanos = ordinaryNanos;
    }

    /**
     * Waits until that is so; a look at it may wait, too.
     *
     * @param firstTurn {@link #ASLEEP}: sleeps from the start
     */
    public void await(String outerWhat, int outerPeer, int firstTurn, long outerDeadline, BooleanSupplier isOver) {
        for (int turn = firstTurn; !isOver.getAsBoolean(); turn++) {
            fabric.progress();
            outerTurn(outerWhat, outerPeer, turn, outerDeadline);
        }
    }

    /**
     * Lets time pass before a peer's memory is looked at again, the longer the more often it was: who waits for it to
     * change may wait until a rank that hangs is found out.
     */
    public void backOff(String outerWhat, int outerPeer, int turn, long outerDeadline) {
        long until = turn < SOON_TURNS ? 0 : clock.nanoTime()
            + (SHORTEST_PAUSE_NANOS << Math.min(turn - SOON_TURNS, LONGEST_PAUSE_SHIFT));
        int round = turn;
        do {
            fabric.progress();
            outerTurn(outerWhat, outerPeer, round++, outerDeadline);
        } while (until != 0 && clock.nanoTime() < until);
    }

    /**
     * Waits until the coordinator's word on something that went wrong has come; throws Unwind when the view changes.
     */
    public void awaitWord(FtrmaException why, BooleanSupplier hasCome) {
        inbox.awaitingWord(() -> {
            timeoutNanos = ordinaryNanos;
            beginAsleep("the coordinator's word on: " + why.getMessage());
            while (!hasCome.getAsBoolean()) {
                fabric.progress();
                inbox.drain();
                turn();
            }
        });
    }

    /** Waits for the view to change after a peer was found lost; throws Unwind when it does. Never returns. */
    public RuntimeException awaitNewView(FtrmaException why) {
        awaitWord(why, () -> false);
        return why;
    }

    /** Replay is impossible: tells the coordinator so, and waits for the view in which all go back. Never returns. */
    public RuntimeException fallBack(FallbackReason reason, String text) {
        inbox.send(new ControlMessage.Fallback(inbox.view(), reason.name(), text));
        throw awaitNewView(new FtrmaException(FtrmaException.Category.FATAL, reason.meaning() + ": " + text));
    }

    public void begin(String newWhat, int newPeer) {
        what = newWhat;
        peer = newPeer;
        describer = null;
        waits++;
        turns = 0;
        deadline = 0;
        toldNanos = 0;
    }

    /**
     * Begins a wait for the coordinator: control frames wake a sleeper, so it sleeps from the start and leaves the core
     * to whoever is late.
     */
    public void beginAsleep(String newWhat) {
        begin(newWhat, -1);
        turns = ASLEEP;
    }

    /** The present wait does not sleep yet: there is something to do. */
    void stayAwake() {
        turns = 0;
    }

    /** How many waits have begun, and their turns; and the same of those whose rounds contain waits. Any thread. */
    long[] waits() {
        return new long[] {waits, turned, outerWaits, outerTurned};
    }

    /** What is, or was last, waited for. Any thread. */
    String what() {
        Supplier<String> known = describer;
        return known != null ? known.get() : peer < 0 ? what : what + " of " + whose(peer);
    }

    public void turn() {
        try {
            turnInFabric();
        } catch (DeadlineException e) {
            untold();
            throw e;
        }
    }

    /** A turn within a call of the fabric: whoever made the call says what a replay cannot know. */
    void turnInFabric() {
        turned++;
        boolean told = inbox.drainIfReady(); // it may be what is waited for, and is not to be slept over
        if ((turns & (TURNS_BETWEEN_CLOCK_READS - 1)) == TURNS_BETWEEN_CLOCK_READS - 1) {
            checkDeadline();
        }
        meanwhile.run();
        if (!told) {
            clock.relax(turns);
        }
        turns++;
    }

    /**
     * Whether what is waited for from now on comes without its program, or is found lost: such waits have no deadline
     * of their own, and leave nothing half done. Returns what held before.
     */
    public boolean patient(boolean is) {
        boolean before = isPatient;
        isPatient = is;
        return before;
    }

    /** When a wait that begins now must end. */
    public long deadlineFromNow() {
        return isPatient ? Long.MAX_VALUE : timeoutFromNow();
    }

    /** Whether less than half of the job's deadline is left until a wait must end. */
    public boolean isHalfOver(long deadline) {
        return deadline - clock.nanoTime() < ordinaryNanos / 2;
    }

    private long timeoutFromNow() {
        return timeoutNanos > Long.MAX_VALUE / 4 ? Long.MAX_VALUE : clock.nanoTime() + timeoutNanos;
    }

    /**
     * One turn of a wait whose rounds contain waits of their own (which begin anew): the caller counts the turns and
     * keeps the deadline.
     */
    public void outerTurn(String outerWhat, int outerPeer, int turn, long outerDeadline) {
        what = outerWhat;
        peer = outerPeer;
        describer = null;
        if (!turn(turn, outerDeadline)) {
            untold();
            throw expired(outerWhat, outerPeer);
        }
        if ((turn & (TURNS_BETWEEN_CLOCK_READS - 1)) == TURNS_BETWEEN_CLOCK_READS - 1) {
            long now = clock.nanoTime();
            // A caller may begin with a turn that sleeps: that it is another wait its deadline says.
            boolean first = turn == TURNS_BETWEEN_CLOCK_READS - 1 || outerDeadline != outerToldDeadline;
            inbox.states().waits(outerWhat, outerPeer, first ? -1 : now - outerToldNanos, now);
            outerToldNanos = now;
            outerToldDeadline = outerDeadline;
        }
    }

    /** As above, of a wait for no member in particular, whose name is asked for where it is told. */
    public void outerTurn(Supplier<String> outerWhat, int turn, long outerDeadline) {
        describer = outerWhat;
        if (!turn(turn, outerDeadline)) {
            untold();
            throw expired(outerWhat.get(), -1);
        }
    }

    /** One turn; false, and nothing else, where the deadline is over. */
    private boolean turn(int turn, long outerDeadline) {
        outerTurned++;
        outerWaits += outerDeadline == lastOuterDeadline ? 0 : 1;
        lastOuterDeadline = outerDeadline;
        boolean told = inbox.drainIfReady(); // it may be what is waited for, and is not to be slept over
        if (suspended.getAsBoolean()) {
            notBefore = timeoutFromNow(); // others may wait besides a patient one
        } else if (clock.nanoTime() > Math.max(outerDeadline, notBefore)) {
            return false;
        }
        meanwhile.run();
        if (!told) {
            clock.relax(turn);
        }
        return true;
    }

    /** What is under way goes on: the program may catch this, and complete that later. */
    private DeadlineException expired(String expiredWhat, int of) {
        return new DeadlineException("waited " + timeoutNanos / 1_000_000 + " ms for " + expiredWhat
            + (of < 0 ? "" : " of " + whose(of))
            + " (--deadline)"
            + (inbox.returnedAfter(of) < 0 ? ""
                : ": rank " + of + " has finished, its program returned after step " + inbox.returnedAfter(of)));
    }

    private String whose(int member) {
        return member < ranks ? "rank " + member : "checksum rank " + (member - ranks);
    }

    private void checkDeadline() {
        long now = clock.nanoTime();
        inbox.states().waits(what, peer, toldNanos == 0 ? -1 : now - toldNanos, now);
        toldNanos = now;
        if (deadline == 0 || suspended.getAsBoolean()) {
            deadline = deadlineFromNow();
        } else if (now > deadline) {
            throw expired(what, peer);
        }
    }
}
