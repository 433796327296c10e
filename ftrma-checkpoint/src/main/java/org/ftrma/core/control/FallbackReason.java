package org.ftrma.core.control;

import java.util.Arrays;

/** Reasons for which all ranks go back to the last coordinated checkpoint although accesses are logged. */
public enum FallbackReason {
    /** There is no committed checkpoint yet that the replacement could start from. */
    BEFORE_FIRST_CHECKPOINT("no checkpoint was committed yet"),
    /** A rank was lost while the job was starting or going back. */
    WHILE_RESTORING("the ranks were starting or going back when it happened"),
    /** Another rank was lost before the first one's recovery was complete. */
    SECOND_FAILURE("another rank was lost before the first one had recovered"),
    /** A log that replay needs is not complete: it overflowed, or died with a rank that held it. */
    LOG_GAP("a log that replay needs is not complete"),
    /**
     * The rank died between an atomic access and the log of its result (N of the paper), and the memory that was
     * accessed does not tell more.
     */
    ATOMIC_IN_FLIGHT("it died between an atomic access and the log of its result, and memory does not tell whether it "
        + "had happened"),
    /** Accesses of several ranks to the same bytes that nothing orders. */
    UNORDERED_CONFLICT("nothing orders conflicting accesses of several ranks"),
    /** A re-executed access differs from the logged one: the program is not deterministic. */
    DETERMINANT_MISMATCH("a re-executed access differs from the logged one; --verify-restart looks for the reason"),
    /** There are logs, but not of the results that a replay needs (--protocol puts). */
    ONLY_PUTS_LOGGED("only puts are logged (--protocol puts)"),
    /** The rank died while its demand checkpoint changed the parity of its group in place (--demand streaming). */
    DEMAND_INTERRUPTED("it died while its demand checkpoint changed the parity in place"),
    /** No event logger has all events of the lost rank: they were lost, too, or had more than there is room for. */
    EVENTS_LOST("no event logger has all of its events"),
    /** Others waited for the rank in vain, so that their programs have left; it was killed for that. */
    STUCK("its program did not call the library while others waited for it, until --deadline"),
    /** Since the image that a replay would begin from, the program was told what depends on the moment. */
    CAUGHT_EXCEPTION("its program caught an exception that no replay can repeat, such as that of --deadline"),
    /** No recovery got any further for too long. */
    DEADLINE("the recovery got no further for --recovery-deadline");

    private final String meaning;

    FallbackReason(String meaning) {
        this.meaning = meaning;
    }

    /** One clause, for messages. */
    public String meaning() {
        return meaning;
    }

    /** The same with what was found, and what helps; an empty text: nothing. */
    public String told(String found, String advice) {
        return meaning + (found.isEmpty() ? "" : " (" + found + ")") + (advice.isEmpty() ? "" : ": " + advice);
    }

    /** Whether there is a reason of that name. */
    public static boolean isName(String name) {
        return Arrays.stream(values()).anyMatch(reason -> reason.name().equals(name));
    }
}
