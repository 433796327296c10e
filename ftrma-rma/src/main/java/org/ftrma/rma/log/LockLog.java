package org.ftrma.rma.log;

import java.util.Arrays;
import org.ftrma.LockType;

/**
 * Part of an {@link AccessLog} for locks. The result of a lock is logged at its home, as all results, for the recovery
 * of this rank. For the recovery of others each lock taken and given back is an event in a log at this rank itself, and
 * what is put carries the number of events before it: what a rank did before it gave a lock back comes before what the
 * next holder does, wherever. Data thread only; nothing is allocated once a window's lock was taken at a peer.
 */
final class LockLog {
    private final RankLogs logs;
    private final Epochs epochs;
    private final InFlight inFlight;
    private final ResultRecorder recorder;
    private final boolean logsEvents;
    private final Determinant next = new Determinant();
    private LogWriter events;

    LockLog(RankLogs logs, Epochs epochs, InFlight inFlight, ResultRecorder recorder, boolean logsEvents) {
        this.logs = logs;
        this.epochs = epochs;
        this.inFlight = inFlight;
        this.recorder = recorder;
        this.logsEvents = logsEvents;
    }

    void holds(int window, int target, LockType type, long acquisition) {
        Peer peer = logs.peer(target);
        if (window >= peer.locks.length) {
            peer.locks = Arrays.copyOf(peer.locks, window + 1);
        }
        peer.locks[window] = acquisition | (type == LockType.SHARED ? LogDescriptor.SHARED : 0); // L16
    }

    void locked(int window, int target, LockType type, long acquisition, boolean known) {
        holds(window, target, type, acquisition);
        event(LogDescriptor.LOCK, window, target);
        if (!known) {
            logResult(LogDescriptor.LOCK, window, target, type, acquisition);
        }
    }

    void leaving(int window, int target) {
        event(LogDescriptor.UNLOCK, window, target);
    }

    void unlocked(int window, int target, LockType type, boolean known) {
        Peer peer = logs.peer(target);
        long acquisition = peer.sc(window) & ~LogDescriptor.SHARED;
        if (acquisition != 0) {
            peer.locks[window] = 0;
        }
        if (type == LockType.SHARED && !known) {
            logResult(LogDescriptor.UNLOCK, window, target, type, acquisition);
        }
    }

    /** For the own recovery. */
    private void logResult(int kind, int window, int target, LockType type, long acquisition) {
        LogWriter results = logs.results(target);
        if (results != null) {
            recorder.forget(); // L13
            Determinant access = logs.outcome(next.access(kind, window, 0, 0), target).sc(acquisition);
            logs.note(results.appendLong(access, type == LockType.EXCLUSIVE ? 1 : 0));
            if (type == LockType.SHARED) {
                inFlight.end(target);
            }
        }
    }

    /** For the recovery of others: the place of the event is the lock's home. */
    private void event(int kind, int window, int target) {
        epochs.lockEvents++;
        Determinant access = epochs.issued(next.access(kind, window, 0, target), logs.peer(target)).ec(0);
        if (logsEvents) {
            note(writer().appendLong(access, 0)); // L14
        }
    }

    private void note(boolean appended) {
        if (!appended) {
            logs.note(false);
            lackAll(epochs.gnc, Long.MAX_VALUE); // L14
        }
    }

    /** For the recovery of others: what this rank does next, comes after this signal. */
    void signalled(int window, int target) {
        event(LogDescriptor.SIGNAL, window, target);
    }

    /** For the recovery of others: what this rank does next comes after the signals that it has seen. */
    void waited(int window, long offset, SeenSignals seen) {
        epochs.lockEvents++;
        Determinant access = epochs.issued(next.access(LogDescriptor.WAIT, window, 0, offset),
            logs.peer(logs.self)).ec(0);
        if (logsEvents) {
            note(writer().append(access, seen.words(), 0, seen.bytes()));
        }
    }

    private LogWriter writer() {
        if (events == null) {
            events = new LogWriter(logs.own, logs.layout.lockLog(), null);
        }
        return events;
    }

    /**
     * Events before a barrier are missing, since a recovery; what is missing since no recovery matters whatever image a
     * replacement begins with.
     */
    void lackAll(long gnc, long sinceRecovery) {
        writer().drop(0, gnc, sinceRecovery);
    }

    long mark() {
        return events == null ? 0 : events.mark();
    }

    void trim(long mark) {
        LogEnds.trim(events, mark);
    }
}
