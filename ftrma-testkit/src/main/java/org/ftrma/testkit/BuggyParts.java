package org.ftrma.testkit;

import java.util.Set;
import java.util.function.BooleanSupplier;
import org.ftrma.checkpoint.CheckpointRules;
import org.ftrma.checkpoint.Fault;
import org.ftrma.checkpoint.LockRules;
import org.ftrma.checkpoint.ProtocolParts;
import org.ftrma.checkpoint.log.LogParts;
import org.ftrma.spi.Fabric;

/** The parts of the protocol at a rank with some bugs in them. Immutable; any thread. */
final class BuggyParts extends ProtocolParts {
    private final Set<Fault> bugs;

    BuggyParts(Set<Fault> bugs) {
        this.bugs = bugs;
    }

    @Override
    public CheckpointRules checkpointRules() {
        return new CheckpointRules() {
            @Override
            public void completeAccesses(Fabric fabric) {
                if (!bugs.contains(Fault.FORGET_FLUSH)) {
                    super.completeAccesses(fabric);
                }
            }

            @Override
            public boolean othersHaveCopied(BooleanSupplier awaitResume) {
                return bugs.contains(Fault.SKIP_SECOND_BARRIER) || super.othersHaveCopied(awaitResume);
            }

            @Override
            public boolean agreesOnCuts() {
                return !bugs.contains(Fault.DECIDES_ALONE);
            }

            @Override
            public boolean keepsSlotOfWrittenImage() {
                return !bugs.contains(Fault.FLUSH_SLOT_NOT_KEPT);
            }
        };
    }

    @Override
    public LockRules lockRules() {
        return new LockRules() {
            @Override
            public boolean releases(boolean isNamed) {
                return bugs.contains(Fault.LOCK_RELEASED_BLINDLY) || super.releases(isNamed);
            }
        };
    }

    @Override
    public LogParts logParts() {
        return new BuggyLogParts(bugs);
    }

    @Override
    public Set<Fault> faults() {
        return bugs;
    }
}
