package org.ftrma.checkpoint.log;

import org.ftrma.Counters;

/** The counters of one rank, as its {@link AccessLog} has them: a live view. Data thread only. */
final class LogCounters implements Counters {
    private final AccessLog log;

    LogCounters(AccessLog log) {
        this.log = log;
    }

    @Override
    public long epochs(int target) {
        return log.peers[target] == null ? log.flushesOfAll : log.peers[target].epoch - 1;
    }

    @Override
    public long flushes() {
        return log.gc;
    }

    @Override
    public long gsyncs() {
        return log.gnc;
    }

    @Override
    public long lockSequence(int window, int target) {
        return AccessLog.sc(log.peers[target], window) & ~LogDescriptor.SHARED;
    }

    @Override
    public long putLogBytes() {
        long sum = 0;
        for (Peer peer : log.peers) {
            sum += peer == null ? 0 : peer.puts.bytes();
        }
        return sum;
    }

    @Override
    public long getLogBytes() {
        long sum = log.lostBytes + (log.ownResults == null ? 0 : log.ownResults.bytes());
        for (Peer peer : log.peers) {
            sum += peer == null || peer.results == null ? 0 : peer.results.bytes();
        }
        return sum;
    }

    @Override
    public long records() {
        long sum = log.lostRecords + (log.ownResults == null ? 0 : log.ownResults.records());
        for (Peer peer : log.peers) {
            sum += peer == null ? 0 : peer.puts.records() + (peer.results == null ? 0 : peer.results.records());
        }
        return sum;
    }

    @Override
    public long droppedLogs() {
        return log.droppedEver;
    }
}
