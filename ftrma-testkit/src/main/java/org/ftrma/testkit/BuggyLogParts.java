package org.ftrma.testkit;

import java.util.Set;
import org.ftrma.rma.log.AccessLog;
import org.ftrma.rma.log.DemandLog;
import org.ftrma.rma.log.Epochs;
import org.ftrma.rma.log.LogDescriptor;
import org.ftrma.rma.log.LogHome;
import org.ftrma.rma.log.LogParts;
import org.ftrma.rma.log.LostPeers;

/** Access logs with bugs, to show that they are found; without any, logs as they are right. Immutable; any thread. */
final class BuggyLogParts extends LogParts {
    private final Set<ProtocolBug> faults;

    BuggyLogParts(Set<ProtocolBug> faults) {
        this.faults = faults;
    }

    @Override
    public AccessLog accessLog(int self, LogDescriptor layout, LogHome home, long collectivesEntered,
        boolean logsResults) {
        return faults.isEmpty() ? super.accessLog(self, layout, home, collectivesEntered, logsResults)
            : new BuggyAccessLog(self, layout, home, collectivesEntered, logsResults, this);
    }

    boolean has(ProtocolBug fault) {
        return faults.contains(fault);
    }

    @Override
    public Epochs epochs(AccessLog log) {
        return !has(ProtocolBug.EPOCH_NOT_COUNTED) ? super.epochs(log) : new Epochs(log) {
            @Override
            protected long next(long present, long flushes) {
                return present;
            }
        };
    }

    @Override
    public LostPeers lostPeers(AccessLog log) {
        return !has(ProtocolBug.GAP_FORGOTTEN) && !has(ProtocolBug.NOT_SENT_AGAIN) ? super.lostPeers(log)
            : new LostPeers(log) {
                @Override
            protected long told(long lost) {
                    return has(ProtocolBug.GAP_FORGOTTEN) ? 0 : super.told(lost);
                }

                @Override
            protected boolean sendsAgain() {
                    return !has(ProtocolBug.NOT_SENT_AGAIN) && super.sendsAgain();
                }
            };
    }

    @Override
    public DemandLog demandLog(AccessLog log) {
        return !has(ProtocolBug.F_READ_ONCE) ? super.demandLog(log) : new DemandLog(log) {
            @Override
            protected boolean hasChanged(long now, long before) {
                return false;
            }
        };
    }
}
