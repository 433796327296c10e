package org.ftrma.messaging.receive;

/** Messages of each source in their order, as far as a receiver remembers them. Data thread only. */
public interface ReceiveSequence {
    /**
     * The first frame of a message is about to be taken out of a lane.
     *
     * @param tag the tag and context
     * @return whether the message is still to be received; else it was before, and is told to be received again when
     *     all of it has come
     */
    boolean begins(int source, long number, long tag, long total);

    /** A message was received: all of it is where the program wants it, and nothing more of it is accessed. */
    void received(int source, long number);

    /** Nothing was ever sent. */
    void clear();

    /** Remembers nothing: each message comes once. */
    final class EachOnce implements ReceiveSequence {
        @Override
        public boolean begins(int source, long number, long tag, long total) {
            return true;
        }

        @Override
        public void received(int source, long number) {
            // it does not come again
        }

        @Override
        public void clear() {
            // nothing is remembered
        }
    }
}
