package org.ftrma.rma.log;

/**
 * Makes the parts of which a rank's access log consists, as they are right. A test hands in one that makes others, to
 * show what goes wrong then; in production there are no subclasses of this and of the parts. What this makes belongs to
 * one rank's data thread; the calling thread may be any.
 */
public class LogParts {
    /** The parts as they are right. */
    public LogParts() {
        // nothing to choose
    }

    /**
     * The log itself; as {@link AccessLog#AccessLog(int, LogDescriptor, LogHome, long, boolean, LogParts)},
     * with this.
     */
    public AccessLog accessLog(int self, LogDescriptor layout, LogHome home, long collectivesEntered,
        boolean logsResults) {
        return new AccessLog(self, layout, home, collectivesEntered, logsResults, this);
    }

    /** Its counters. */
    public Epochs epochs(AccessLog log) {
        return new Epochs(log);
    }

    /** What it does about lost ranks. */
    public LostPeers lostPeers(AccessLog log) {
        return new LostPeers(log);
    }

    /** What demand checkpoints need of it. */
    public DemandLog demandLog(AccessLog log) {
        return new DemandLog(log);
    }
}
