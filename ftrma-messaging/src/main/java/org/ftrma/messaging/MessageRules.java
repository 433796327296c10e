package org.ftrma.messaging;

/**
 * The rules by which logged messages are recovered, each of which has a method. They are correct here. A simulation
 * that shows what goes wrong without one of them hands in a subclass that breaks it; nothing else overrides them. Data
 * thread only.
 */
public class MessageRules {
    /** Correct rules. */
    public MessageRules() {
        // there is nothing to choose
    }

    /** A message is about to leave the rank: what it may depend on is stable before. */
    public void beforePush(Messages messages) {
        messages.release();
    }

    /** A rank is about to be told that its synchronous message was received: that leaves this one, too. */
    public void beforeAnswer(Messages messages) {
        messages.release();
    }

    /**
     * Whether it is an event which source a receive of any source has taken a message of.
     *
     * @param isComplete whether all of the message is here already
     */
    public boolean isEvent(boolean isComplete) {
        return true;
    }

    /** Whether calls that told of nothing are an event as soon as something leaves the rank. */
    public boolean logsStreaks() {
        return true;
    }

    /** Whether calls of a replay before the next event tell of nothing, whatever has come by now. */
    public boolean forcesNothing() {
        return true;
    }

    /** Whether an event logger that was replaced is given all events again before it counts as whole. */
    public boolean refillsLoggers() {
        return true;
    }

    /**
     * Whether images have the send log: what a rank has sent before its image, and a target has not covered, is nowhere
     * else.
     */
    public boolean logIsInImage() {
        return true;
    }

    /**
     * Whether senders drop what an image has that was only copied: it may be given up.
     *
     * @param isCommitted whether it counts
     */
    public boolean covers(boolean isCommitted) {
        return isCommitted;
    }
}
