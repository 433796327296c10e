package org.ftrma.rma.log;

/**
 * Part of an {@link AccessLog} for signals: it orders what ranks do by them as {@link LockLog} does by locks. A signal
 * is a lock event of its sender, which leaves the number of the event at the target before the target can see the
 * signal. A wait is a lock event, too, and its record says which numbers it found there: it came after all that these
 * ranks had done before. Data thread only; allocates nothing once ranks have signalled each other.
 */
final class SignalLog implements SignalObserver {
    private final RankLogs logs;
    private final Epochs epochs;
    private final LockLog locks;
    private final ResultRecorder recorder;
    private final boolean logsEvents;
    /** By rank: the newest of its signals that this one has said to have seen. */
    private final long[] known;
    private final SeenSignals seen = new SeenSignals();
    private final Determinant next = new Determinant();

    SignalLog(RankLogs logs, Epochs epochs, LockLog locks, ResultRecorder recorder, boolean logsEvents) {
        this.logs = logs;
        this.epochs = epochs;
        this.locks = locks;
        this.recorder = recorder;
        this.logsEvents = logsEvents;
        this.known = new long[logs.ranks];
    }

    @Override
    public void signalling(int target) {
        if (logsEvents && target != logs.self) {
            Peer peer = logs.peer(target);
            long number = epochs.lockEvents + 1; // L26
            LogRegion region = logs.region(peer);
            if (number > peer.signals) { // a replacement does again what its predecessor had said
                peer.signals = number;
                region.setSignals(number); // complete with what is noted for the update
            }
        }
    }

    @Override
    public void signalled(int window, int target) {
        if (target != logs.self) {
            locks.signalled(window, target);
        }
    }

    @Override
    public int updater(int window, long offset) {
        return logsEvents ? logs.own.updater(LogDescriptor.updateLock(window, offset)) : -1;
    }

    @Override
    public void waited(int window, long offset, long value) {
        seen.clear();
        seen.add(value);
        for (int rank = 0; logsEvents && rank < logs.ranks; rank++) {
            long number = rank == logs.self ? 0 : logs.own.signals(rank);
            if (number > known[rank]) { // L26
                seen.add(rank);
                seen.add(number);
            }
        }
        LogWriter results = logs.ownResults();
        if (results != null) {
            recorder.forget();
            Determinant access = logs.outcome(next.access(LogDescriptor.WAIT, window, 0, offset), logs.self);
            logs.note(results.append(access, seen.words(), 0, seen.bytes()));
        }
        waitedBefore(window, offset, seen);
    }

    @Override
    public void waitedBefore(int window, long offset, SeenSignals signals) {
        for (int i = 0; i < signals.count(); i++) {
            known[signals.rank(i)] = Math.max(known[signals.rank(i)], signals.event(i));
        }
        locks.waited(window, offset, signals);
    }
}
