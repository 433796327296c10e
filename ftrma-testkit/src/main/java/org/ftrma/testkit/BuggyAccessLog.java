package org.ftrma.testkit;

import org.ftrma.AtomicOp;
import org.ftrma.DataType;
import org.ftrma.rma.log.AccessLog;
import org.ftrma.rma.log.LogDescriptor;
import org.ftrma.rma.log.LogHome;
import org.ftrma.rma.log.SeenSignals;
import org.ftrma.rma.log.SignalObserver;

/** An access log with bugs. The data thread of its rank only. */
final class BuggyAccessLog extends AccessLog {
    private final int self;
    private final LogHome home;
    private final BuggyLogParts bugs;

    BuggyAccessLog(int self, LogDescriptor layout, LogHome home, long collectivesEntered, boolean logsResults,
        BuggyLogParts bugs) {
        super(self, layout, home, collectivesEntered, logsResults, bugs);
        this.self = self;
        this.home = home;
        this.bugs = bugs;
    }

    @Override
    public boolean putLong(int window, int target, long value, long offset) {
        boolean isDropped = bugs.has(ProtocolBug.RECORD_DROPPED) && target != self && (value & 3) == 0;
        return isDropped ? putUnlogged(target) : super.putLong(window, target, value, offset);
    }

    @Override
    protected void note(boolean appended) {
        super.note(appended);
        while (bugs.has(ProtocolBug.WAITS_FOR_LOG) && drops() > 0) {
            home.flush(self);
        }
    }

    @Override
    public void settle() {
        if (!bugs.has(ProtocolBug.LATE_DATA_FORGOTTEN)) {
            super.settle();
        }
    }

    @Override
    public void updating(int window, int target, DataType type, long offset, long old, long updated) {
        if (!bugs.has(ProtocolBug.N_NEVER_SET)) {
            super.updating(window, target, type, offset, old, updated);
        }
    }

    @Override
    public void changing(int window, int target, long word, long changed) {
        if (!bugs.has(ProtocolBug.N_NEVER_SET)) {
            super.changing(window, target, word, changed);
        }
    }

    @Override
    public SignalObserver signals() {
        SignalObserver all = super.signals();
        return !bugs.has(ProtocolBug.SIGNAL_NOT_OVER) ? all : new SignalObserver() {
            @Override
            public void signalling(int target) {
                all.signalling(target);
            }

            @Override
            public void signalled(int window, int target) {
                all.signalled(window, target);
            }

            @Override
            public int updater(int window, long offset) {
                return -1;
            }

            @Override
            public void waited(int window, long offset, long value) {
                all.waited(window, offset, value);
            }

            @Override
            public void waitedBefore(int window, long offset, SeenSignals seen) {
                all.waitedBefore(window, offset, seen);
            }
        };
    }

    private boolean forgets(int target) {
        return target == self && bugs.has(ProtocolBug.OWN_NOT_LOGGED);
    }

    @Override
    public void gotLong(int window, int target, long value, long offset) {
        if (!forgets(target)) {
            super.gotLong(window, target, value, offset);
        }
    }

    @Override
    public void atomic(int window, int target, AtomicOp op, DataType type, long offset, long operand, long old) {
        if (!forgets(target)) {
            super.atomic(window, target, op, type, offset, operand, old);
        }
    }

    @Override
    public void compareAndSwap(int window, int target, long offset, DataType type, long expected, long desired,
        long old) {
        if (!forgets(target)) {
            super.compareAndSwap(window, target, offset, type, expected, desired, old);
        }
    }

    @Override
    public void nondeterministic(long value) {
        if (!forgets(self)) {
            super.nondeterministic(value);
        }
    }
}
