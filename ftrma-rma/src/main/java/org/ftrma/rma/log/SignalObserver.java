package org.ftrma.rma.log;

/** Sees the signals that this rank makes, and those that it has waited for. Data thread; allocates nothing. */
public interface SignalObserver {
    /** All accesses to a target are complete, and a signal to it is about to be made by an atomic update. */
    void signalling(int target);

    /** The signal was made: what this rank does next is not ordered by it. */
    void signalled(int window, int target);

    /** Which rank is in the middle of an atomic update of a place in this rank's memory, or of others; -1: none. */
    int updater(int window, long offset);

    /** This rank saw a value that it waited for, in its own memory: it comes after the signals that came so far. */
    void waited(int window, long offset, long value);

    /** As {@link #waited}; the log of this rank's results says so already, and which signals those were. */
    void waitedBefore(int window, long offset, SeenSignals seen);
}
