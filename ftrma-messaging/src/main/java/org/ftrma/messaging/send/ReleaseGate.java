package org.ftrma.messaging.send;

/**
 * Makes stable what a message, an answer or a report may depend on, before it leaves the rank. Data thread only;
 * allocates nothing.
 */
public interface ReleaseGate {
    /** A message is about to leave for that target. */
    void beforeMessage(int target);

    /** A synchronous sender is about to learn that its message was received. */
    void beforeAnswer(int source);

    /** Something that is no message is about to leave, such as a report. */
    void beforeReport();

    /** Lets all pass: what a rank receives is not done again while others keep what they have seen of it. */
    final class Open implements ReleaseGate {
        @Override
        public void beforeMessage(int target) {
            // nothing is to be stable
        }

        @Override
        public void beforeAnswer(int source) {
            // nothing is to be stable
        }

        @Override
        public void beforeReport() {
            // nothing is to be stable
        }
    }
}
