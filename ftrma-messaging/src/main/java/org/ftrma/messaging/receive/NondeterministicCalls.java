package org.ftrma.messaging.receive;

import java.util.function.LongSupplier;
import org.ftrma.Channel;
import org.ftrma.core.control.FallbackReason;
import org.ftrma.core.session.Waiter;
import org.ftrma.messaging.match.PendingRequest;
import org.ftrma.messaging.match.ReceiveRequest;
import org.ftrma.spi.Clock;
import org.ftrma.spi.Fabric;

/**
 * Calls of a program whose answer may be different when it is run again: repeats logged answers, and logs new ones.
 * Data thread only; allocates nothing.
 */
public final class NondeterministicCalls {
    /** Who asks again later than that does something else meanwhile. */
    private static final long LONGEST_PAUSE_NANOS = 100_000_000;
    private final Waiter turns;
    private final Fabric fabric;
    private final Clock clock;
    private final long deadlineNanos;
    private final int member;
    private final MessageDeterminants determinants;
    private final Receiver receiver;
    private final MessageProgress progress;
    private final MessageWaiter waiter;
    /** Since when, and when last, nothing was asked for but what cannot come any more; 0: it is not so. */
    private long inVainSince;
    private long inVainLast;

    /** Calls of a rank's program. */
    public NondeterministicCalls(Waiter turns, Fabric fabric, Clock clock, long deadlineNanos, int member,
        MessageDeterminants determinants, Receiver receiver, MessageProgress progress, MessageWaiter waiter) {
        this.turns = turns;
        this.fabric = fabric;
        this.clock = clock;
        this.deadlineNanos = deadlineNanos;
        this.member = member;
        this.determinants = determinants;
        this.receiver = receiver;
        this.progress = progress;
        this.waiter = waiter;
    }

    /** A test of a request. */
    boolean test(PendingRequest request) {
        long known = determinants.next(MessageDeterminants.Call.TEST);
        if (known == MessageDeterminants.FREE) {
            progress.run();
            determinants.was(MessageDeterminants.Call.TEST, request.isComplete() ? 0 : MessageDeterminants.NOTHING);
            relaxUnless(request.isComplete());
            inVain(!request.isComplete() && isHopeless(request), request);
        } else if (known == MessageDeterminants.NOTHING) {
            nothingYet();
            return false;
        } else {
            waiter.await(request);
        }
        return request.isComplete();
    }

    /** A call tells that there is nothing, whatever there is: nobody has to be let go on before it tells more. */
    void nothingYet() {
        progress.run();
    }

    /** A program that asks again and again lets others go on. */
    void relaxUnless(boolean isThere) {
        if (!isThere) {
            fabric.progress();
            clock.relax(0);
        }
    }

    /** Whether nothing will come for it: whoever could send that has finished. */
    boolean isHopeless(PendingRequest request) {
        return waiter.isHopeless(request.expectedSource());
    }

    /**
     * A program has asked, and was told of nothing. That is right where it asks once, or goes on with something else.
     * One that asks for what cannot come any more, and does nothing else until the deadline, is told as one that waits.
     *
     * @param request what was asked for; null: a probe
     */
    void inVain(boolean isHopeless, PendingRequest request) {
        if (!isHopeless) {
            inVainSince = 0;
            return;
        }
        long now = clock.nanoTime();
        if (inVainSince == 0 || now - inVainLast > LONGEST_PAUSE_NANOS) {
            inVainSince = now;
        }
        inVainLast = now;
        if (now - inVainSince > deadlineNanos) {
            inVainSince = 0;
            throw waiter.abandoned(request == null ? "a probe" : request.toString());
        }
    }

    /** Whether there is a message that a probe finds. */
    public boolean iprobe(ReceiveRequest probe) {
        long known = determinants.next(MessageDeterminants.Call.PROBE);
        if (known == MessageDeterminants.FREE) {
            progress.run();
            boolean isFound = receiver.find(probe);
            determinants.was(MessageDeterminants.Call.PROBE, isFound ? probe.peer() : MessageDeterminants.NOTHING);
            relaxUnless(isFound);
            inVain(!isFound && isHopeless(probe), null);
            return isFound;
        }
        if (known == MessageDeterminants.NOTHING) {
            nothingYet();
            return false;
        }
        probe.forcedTo((int) known);
        waiter.awaitCome(probe);
        return true;
    }

    /** Waits for a message that a probe finds: where it names the source, the program decides which one that is. */
    public void probe(ReceiveRequest probe) {
        if (probe.peer() != Channel.ANY_SOURCE) {
            waiter.awaitCome(probe);
            return;
        }
        long known = determinants.next(MessageDeterminants.Call.PROBE);
        if (known == MessageDeterminants.NOTHING) {
            throw mismatch("a probe that waits found nothing before");
        }
        if (known != MessageDeterminants.FREE) {
            probe.forcedTo((int) known);
        }
        waiter.awaitCome(probe);
        if (known == MessageDeterminants.FREE) {
            determinants.was(MessageDeterminants.Call.PROBE, probe.peer());
        }
    }

    /** The program does something else than it did before. */
    RuntimeException mismatch(String what) {
        return turns.fallBack(FallbackReason.DETERMINANT_MISMATCH, "rank " + member + ": " + what);
    }

    /** A receive is to be ended; whether it had not matched anything yet. */
    boolean isTakenBack(ReceiveRequest receive) {
        long known = determinants.next(MessageDeterminants.Call.CANCEL);
        boolean isEnded;
        if (known == MessageDeterminants.FREE) {
            progress.run(); // who posts and cancels in a loop gets what has come
            isEnded = !receive.isComplete() && (receive.isInert()
                || receiver.takeBack(receive));
            determinants.was(MessageDeterminants.Call.CANCEL, receive.clock() << 1 | (isEnded ? 1 : 0));
            relaxUnless(!isEnded);
        } else {
            isEnded = known != MessageDeterminants.NOTHING && (known & 1) != 0;
            if (!isEnded) {
                waiter.await(receive);
            }
        }
        return isEnded;
    }

    /** A value that the program cannot determine again. */
    public long nondeterministic(LongSupplier supplier) {
        long known = determinants.next(MessageDeterminants.Call.VALUE);
        if (known != MessageDeterminants.FREE) {
            return determinants.value(known);
        }
        long value = supplier.getAsLong();
        determinants.wasValue(value);
        return value;
    }
}
