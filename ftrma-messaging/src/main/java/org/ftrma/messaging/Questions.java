package org.ftrma.messaging;

import java.util.function.LongSupplier;
import org.ftrma.Channel;
import org.ftrma.core.control.FallbackReason;

/**
 * Calls of a program whose answer may be different when it is run again: what is known of them is told again, and what
 * they tell is noted. Data thread only; allocates nothing.
 */
final class Questions {
    /** Who asks again later than that does something else meanwhile. */
    private static final long LONGEST_PAUSE_NANOS = 100_000_000;
    private final Messages messages;
    /** Since when, and when last, nothing was asked for but what cannot come any more; 0: it is not so. */
    private long inVainSince;
    private long inVainLast;

    Questions(Messages messages) {
        this.messages = messages;
    }

    /** A test of a request. */
    boolean test(MessageRequestImpl request) {
        long known = messages.outcomes().next(Outcomes.Call.TEST);
        if (known == Outcomes.FREE) {
            messages.progress();
            messages.outcomes().was(Outcomes.Call.TEST, request.isComplete ? 0 : Outcomes.NOTHING);
            relaxUnless(request.isComplete);
            inVain(!request.isComplete && isHopeless(request), request);
        } else if (known == Outcomes.NOTHING) {
            nothingYet();
            return false;
        } else {
            messages.await(request);
        }
        return request.isComplete;
    }

    /** A call tells that there is nothing, whatever there is: nobody has to be let go on before it tells more. */
    void nothingYet() {
        messages.progress();
    }

    /** A program that asks again and again lets others go on. */
    void relaxUnless(boolean isThere) {
        if (!isThere) {
            messages.session.fabric.progress();
            messages.session.clock.relax(0);
        }
    }

    /** Whether nothing will come for it: whoever could send that has finished. */
    boolean isHopeless(MessageRequestImpl request) {
        return !request.isSend && messages.session.inbox.hasAnyReturned() && messages.waits().isHopeless(request.peer);
    }

    /**
     * A program has asked, and was told of nothing. That is right where it asks once, or goes on with something else.
     * One that asks for what cannot come any more, and does nothing else until the deadline, is told as one that waits.
     *
     * @param request what was asked for; null: a probe
     */
    void inVain(boolean isHopeless, MessageRequestImpl request) {
        if (!isHopeless) {
            inVainSince = 0;
            return;
        }
        long now = messages.session.clock.nanoTime();
        if (inVainSince == 0 || now - inVainLast > LONGEST_PAUSE_NANOS) {
            inVainSince = now;
        }
        inVainLast = now;
        if (now - inVainSince > messages.session.options.deadlineNanos()) {
            inVainSince = 0;
            throw messages.waits().abandoned(request == null ? "a probe" : request.toString());
        }
    }

    /** Whether there is a message that a probe finds. */
    boolean iprobe(MessageRequestImpl probe) {
        long known = messages.outcomes().next(Outcomes.Call.PROBE);
        if (known == Outcomes.FREE) {
            messages.progress();
            boolean isFound = messages.find(probe);
            messages.outcomes().was(Outcomes.Call.PROBE, isFound ? probe.peer : Outcomes.NOTHING);
            relaxUnless(isFound);
            inVain(!isFound && isHopeless(probe), null);
            return isFound;
        }
        if (known == Outcomes.NOTHING) {
            nothingYet();
            return false;
        }
        probe.peer = (int) known;
        messages.waits().awaitCome(probe);
        return true;
    }

    /** Waits for a message that a probe finds: where it names the source, the program decides which one that is. */
    void probe(MessageRequestImpl probe) {
        if (probe.peer != Channel.ANY_SOURCE) {
            messages.waits().awaitCome(probe);
            return;
        }
        long known = messages.outcomes().next(Outcomes.Call.PROBE);
        if (known == Outcomes.NOTHING) {
            throw mismatch("a probe that waits found nothing before");
        }
        if (known != Outcomes.FREE) {
            probe.peer = (int) known;
        }
        messages.waits().awaitCome(probe);
        if (known == Outcomes.FREE) {
            messages.outcomes().was(Outcomes.Call.PROBE, probe.peer);
        }
    }

    /** The program does something else than it did before. */
    RuntimeException mismatch(String what) {
        return messages.session.fallBack(FallbackReason.DETERMINANT_MISMATCH, "rank " + messages.session.member + ": "
            + what);
    }

    /** A receive is to be ended; whether it had not matched anything yet. */
    boolean isTakenBack(MessageRequestImpl receive) {
        long known = messages.outcomes().next(Outcomes.Call.CANCEL);
        boolean isEnded;
        if (known == Outcomes.FREE) {
            messages.progress(); // who posts and cancels in a loop gets what has come
            isEnded = !receive.isComplete && (receive.isInert
                || messages.receiver().context(receive.context).takeBack(receive));
            messages.outcomes().was(Outcomes.Call.CANCEL, receive.clock << 1 | (isEnded ? 1 : 0));
            relaxUnless(!isEnded);
        } else {
            isEnded = known != Outcomes.NOTHING && (known & 1) != 0;
            if (!isEnded) {
                messages.await(receive);
            }
        }
        return isEnded;
    }

    /** A value that the program cannot determine again. */
    long nondeterministic(LongSupplier supplier) {
        long known = messages.outcomes().next(Outcomes.Call.VALUE);
        if (known != Outcomes.FREE) {
            return messages.outcomes().value(known);
        }
        long value = supplier.getAsLong();
        messages.outcomes().wasValue(value);
        return value;
    }
}
