package org.ftrma.messaging.send;

import java.lang.foreign.MemorySegment;

/**
 * The sending half of a rank: messages to a target go one after the other, in the order in which they were begun. Data
 * thread only; allocates nothing.
 */
public interface Sender {
    /**
     * Sends a message at once, if nothing is before it and there is room; false: nothing was done.
     *
     * @param call which call of a collective it belongs to, 0: none
     */
    boolean sendNow(MemorySegment source, long offset, long length, int context, int target, int tag, long call);

    /** Sends one value at once, as a message is sent. */
    boolean sendNow(long value, int context, int target, int tag);

    /** A send begins: it goes as far as there is room, and further in {@link #progress}. */
    void begin(SendRequest send);

    /** What waits for room goes on. */
    void progress();

    /** A call has reported that the send is complete. */
    void over(SendRequest send);

    /** Nothing was ever sent. */
    void clear();

    /** Bytes of the longest message that there is ever room for. */
    long mostBytes();

    /** Whether something waits for room. */
    boolean lacksRoom();

    /** What waits to be sent, for error messages. */
    String describe();
}
