package org.ftrma;

/**
 * The counters that order a rank's accesses (ftRMA, section 4.1), and what its logs hold. Only the program's own
 * actions advance them. A live view: values change with every access. Data thread only.
 */
public interface Counters {
    /**
     * EC: epochs that this rank has closed towards the target, by flush, unlock or gsync, since it first accessed it.
     */
    long epochs(int target);

    /** GC: flushes, unlocks and gsyncs that this rank has issued, to whatever target. */
    long flushes();

    /** GNC: the number of the last barrier, of a gsync or another collective, that this rank has completed. */
    long gsyncs();

    /** SC: number of the acquisition of the window's lock at the target that this rank holds; 0 if it holds none. */
    long lockSequence(int window, int target);

    /** Bytes of records that this process has written to the logs of its puts. */
    long putLogBytes();

    /** Bytes of records that this process has written to the logs of what it read, at other ranks. */
    long getLogBytes();

    /** Records of both. */
    long records();

    /** How often a log was dropped for want of room. */
    long droppedLogs();
}
