package org.ftrma.rma.log;

import java.util.Arrays;

/**
 * Part of an {@link AccessLog} for lost ranks: it tells a replacement what it must know of this rank; and a replacement
 * takes over what survivors know of its predecessor. Part of an {@link AccessLog}; data thread only.
 */
public final class LostPeers {
    /** In the entry of LP: results that the lost target held for this rank are gone. */
    static final long LOST_RESULTS = 1;
    /** In the entry of LP: the buddy was lost, and results that it held for this rank are gone. */
    static final long LOST_BUDDY = 2;

    private final RankLogs logs;
    private final StagedPuts staged;
    private final InFlight inFlight;
    private final ResultRecorder recorder;
    private boolean lostAtBuddy;
    /** What was written to logs whose keepers are lost, or left alone. */
    private long lostBytes;
    private long lostRecords;

    /** Nobody is lost yet. */
    LostPeers(RankLogs logs, StagedPuts staged, InFlight inFlight, ResultRecorder recorder) {
        this.logs = logs;
        this.staged = staged;
        this.inFlight = inFlight;
        this.recorder = recorder;
    }

    /** A rank was lost with all it held: its replacement finds here what it must know of this rank. */
    public void lost(int rank) {
        staged.settle();
        if (logs.peers[rank] == null && !(rank == logs.buddy && lostAtBuddy)) {
            return; // it never held anything of this rank
        }
        Peer peer = logs.peer(rank);
        peer.staged.forget();
        if (isBehind(peer)) { // R10
            // What the predecessor put there is lost with it, and in no log: it is to be sent when it is done again.
            peer.closed = peer.epoch() - 1;
            peer.suppressed = 0;
        }
        // N that said so is lost too, and what is under way may have happened, or may happen at the replacement, before
        // it is logged there.
        boolean inTheMiddle = inFlight.endsAt(peer);
        peer.lostResults |= inTheMiddle || holdsAny(peer.results);
        if (rank == logs.buddy && logs.ownResults != null) {
            lostAtBuddy |= inTheMiddle || holdsAny(logs.ownResults);
            countLost(logs.ownResults);
            logs.ownResults = null;
        }
        if (logs.home.wasCutOff(rank)) {
            peer.pending.cutOff();
        }
        long lost = (peer.lostResults ? LOST_RESULTS : 0) | (rank == logs.buddy && lostAtBuddy ? LOST_BUDDY : 0);
        long entry = peer.puts.entry();
        logs.own.word(entry + LogDescriptor.ENTRY_F, peer.closed << 1);
        logs.own.word(entry + LogDescriptor.ENTRY_N, lost); // L22, R8
        logs.own.word(entry + LogDescriptor.ENTRY_UPDATES, peer.updates);
        logs.own.word(entry + LogDescriptor.ENTRY_SIGNALS, peer.signals);
        close(peer);
        peer.noted.clearing = false;
    }

    /** Whether a log has records, or says that it lacks some. */
    private static boolean holdsAny(LogWriter results) {
        return results != null && (!results.isEmpty() || results.gap().isOpen());
    }

    /** The logs there are opened anew when they are needed again. */
    void close(Peer peer) {
        countLost(peer.results);
        peer.region = null;
        peer.results = null;
        peer.cuts.forget();
    }

    /** Whether this rank is a replacement that has yet to do again what its predecessor had done at that target. */
    private static boolean isBehind(Peer peer) {
        return peer.suppressed >= peer.epoch();
    }

    /**
     * Whether what this rank's predecessor had put there, and this rank has not yet, may be older than what others put
     * there since: that is so where it holds an exclusive lock, which its predecessor may have released. (The release
     * of a shared one is logged.)
     */
    public boolean isBehindUnderLock(int rank) {
        return logs.peers[rank] != null && isBehind(logs.peers[rank])
            && Arrays.stream(logs.peers).anyMatch(peer -> peer != null && Arrays.stream(peer.locks)
                .anyMatch(lock -> lock != 0 && (lock & LogDescriptor.SHARED) == 0));
    }

    private void countLost(LogWriter writer) {
        lostBytes += writer == null ? 0 : writer.bytes();
        lostRecords += writer == null ? 0 : writer.records();
    }

    /**
     * A replacement takes over what a survivor knows of its predecessor: what was closed here, and what was lost here.
     */
    public void inherit(int survivor) {
        LogRegion region = logs.home.region(survivor);
        int puts = logs.layout.putLog(logs.self);
        logs.own.inherit(survivor, region.entryWord(puts, LogDescriptor.ENTRY_F),
            region.entryWord(puts, LogDescriptor.ENTRY_UPDATES),
            region.entryWord(puts, LogDescriptor.ENTRY_SIGNALS));
        long lost = region.entryWord(puts, LogDescriptor.ENTRY_N);
        if ((lost & LOST_RESULTS) != 0) {
            new LogWriter(logs.own, logs.layout.getLog(survivor), null).drop(0, 0, 0);
        }
        if ((lost & LOST_BUDDY) != 0) {
            new LogWriter(logs.own, logs.layout.buddyLog(), null).drop(0, 0, 0); // this rank is the survivor's buddy
        }
    }

    /**
     * A replacement goes on with the logs that its predecessor kept at a survivor; what had closed there is not sent
     * again.
     *
     * @return whether its predecessor had left anything there
     */
    public boolean resume(int survivor, long closedEpoch) {
        LogRegion region = logs.home.region(survivor);
        region.adopt();
        if (closedEpoch == 0 && survivor != logs.buddy && region.entry(logs.layout.getLog(logs.self)) == 0) {
            return false; // this rank comes to know it when it talks to it
        }
        Peer peer = logs.peer(survivor);
        peer.suppressed = closedEpoch;
        peer.closed = closedEpoch;
        peer.signals = region.signals(logs.self);
        peer.noted.happened = region.n(logs.self) != 0;
        logs.results(survivor);
        if (survivor == logs.buddy) {
            logs.ownResults();
        }
        return true;
    }

    /** The program was told what depends on the moment and is no result: a replay of this rank lacks that (R38). */
    public void untold() {
        LogWriter results = logs.ownResults();
        if (results != null) {
            recorder.forget();
            results.drop(0, 0, LogDescriptor.UNTOLD);
            logs.lacks();
        }
    }

    /** Whether results are lost that only the buddy had, and no image includes. */
    boolean isBuddyLacking() {
        return lostAtBuddy;
    }

    /** An image includes what the buddy lost. */
    void buddyKeepsAll() {
        lostAtBuddy = false;
    }

    long bytes() {
        return lostBytes;
    }

    long records() {
        return lostRecords;
    }
}
