package org.ftrma.rma.log;

import org.ftrma.Counters;

/** The counters of one rank, as its {@link AccessLog} has them: a live view. Data thread only. */
public final class LogCounters implements Counters {
    private final RankLogs logs;
    private final Epochs epochs;
    private final LostPeers lostPeers;

    LogCounters(RankLogs logs, Epochs epochs, LostPeers lostPeers) {
        this.logs = logs;
        this.epochs = epochs;
        this.lostPeers = lostPeers;
    }

    @Override
    public long epochs(int target) {
        return logs.peers[target] == null ? epochs.flushesOfAll : logs.peers[target].epoch() - 1;
    }

    @Override
    public long flushes() {
        return epochs.gc;
    }

    @Override
    public long gsyncs() {
        return epochs.gnc;
    }

    @Override
    public long lockSequence(int window, int target) {
        return Peer.sc(logs.peers[target], window) & ~LogDescriptor.SHARED;
    }

    /** How many locks this rank has taken and given back. */
    public long lockEvents() {
        return epochs.lockEvents;
    }

    /** The number of the target's epoch that is not closed yet: EC of a get or a put that is issued now. */
    public long openEpoch(int target) {
        return epochs(target) + 1;
    }

    /** Whether a blocking access of the window at the target would be logged now with the counters of this record. */
    public boolean match(LogRecord record, int window, int target) {
        long sc = Peer.sc(logs.peers[target], window);
        return matchButSc(record, target) && record.sc() == (sc & LogDescriptor.SC_MASK)
            && record.isShared() == ((sc & LogDescriptor.SHARED) != 0);
    }

    /** The same but for SC, which a lock is given only when it is taken. */
    public boolean matchButSc(LogRecord record, int target) {
        return record.ec() == (target == logs.self ? 0 : openEpoch(target)) && record.gc() == epochs.gc
            && record.gnc() == epochs.gnc;
    }

    /** The counters that a blocking access of the window at the target would be logged with now, for messages. */
    public String describe(int window, int target) {
        return "EC=" + (target == logs.self ? 0 : openEpoch(target)) + " GC=" + epochs.gc + " GNC=" + epochs.gnc
            + " SC=" + lockSequence(window, target);
    }

    @Override
    public long putLogBytes() {
        long sum = 0;
        for (Peer peer : logs.peers) {
            sum += peer == null ? 0 : peer.puts.bytes();
        }
        return sum;
    }

    @Override
    public long getLogBytes() {
        long sum = lostPeers.bytes() + (logs.ownResults == null ? 0 : logs.ownResults.bytes());
        for (Peer peer : logs.peers) {
            sum += peer == null || peer.results == null ? 0 : peer.results.bytes();
        }
        return sum;
    }

    @Override
    public long records() {
        long sum = lostPeers.records() + (logs.ownResults == null ? 0 : logs.ownResults.records());
        for (Peer peer : logs.peers) {
            sum += peer == null ? 0 : peer.puts.records() + (peer.results == null ? 0 : peer.results.records());
        }
        return sum;
    }

    @Override
    public long droppedLogs() {
        return logs.droppedEver();
    }
}
