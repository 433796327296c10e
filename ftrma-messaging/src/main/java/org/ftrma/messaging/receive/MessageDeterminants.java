package org.ftrma.messaging.receive;

import org.ftrma.messaging.match.ReceiveRequest;

/**
 * Nondeterministic outcomes of a rank: the source of a receive that names none, the result of a test or probe, which of
 * several requests was complete first. Open MPI-V, 2.3 and 3.2: these alone are events. Data thread only.
 */
public interface MessageDeterminants {
    /** The program decides by itself what comes out of the present call. */
    long FREE = Long.MIN_VALUE;
    /** The call told that there is nothing. */
    long NOTHING = -1;

    /** The calls whose outcome may be different when the program is run again. */
    enum Call {
        /** A test of one request: 0 where it is complete. */
        TEST,
        /** A test of all of some requests: 0 where they are complete. */
        TEST_ALL,
        /** A test, or a wait, of any of some requests: the place of that which was complete. */
        ANY,
        /** A probe: the source of the message that it found. */
        PROBE,
        /** The end of a receive before it has matched: 1 where that succeeded, else 0. */
        CANCEL,
        /** A value that the program took from elsewhere. */
        VALUE
    }

    /**
     * The program makes such a call. Returns what it was told when it made it before; {@link #FREE}: it has not made
     * it, or that is not known.
     */
    long next(Call call);

    /** What the call tells that {@link #next} has left free. */
    void was(Call call, long outcome);

    /** The value that {@link #next} told of. */
    long value(long known);

    /** As {@link #was}: the program took that value from elsewhere. */
    void wasValue(long value);

    /** The program is about to be told that a wait ended without what it was for: no replay can know when. */
    void gaveUp();

    /** A receive is posted: it may have a source, or be one that was ended before it had matched. */
    void posted(ReceiveRequest receive);

    /** A receive that names no source has matched a message of that one. */
    void matched(ReceiveRequest receive, int source);

    /** Leaves all to the program: nothing is replayed. */
    final class Free implements MessageDeterminants {
        @Override
        public long next(Call call) {
            return FREE;
        }

        @Override
        public void was(Call call, long outcome) {
            // nobody asks again
        }

        @Override
        public long value(long known) {
            return known;
        }

        @Override
        public void wasValue(long value) {
            // nobody asks again
        }

        @Override
        public void gaveUp() {
            // nobody asks again
        }

        @Override
        public void posted(ReceiveRequest receive) {
            // it takes what comes
        }

        @Override
        public void matched(ReceiveRequest receive, int source) {
            // nobody asks again
        }
    }
}
