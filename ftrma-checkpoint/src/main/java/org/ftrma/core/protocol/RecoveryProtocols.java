package org.ftrma.core.protocol;

import java.util.ArrayList;
import java.util.List;
import org.ftrma.core.image.CheckpointedState;

/**
 * All protocols of a job, told in the order in which they were given: none has to know of another one, and none
 * displaces another. Data thread only.
 */
public final class RecoveryProtocols implements RecoveryProtocol {
    private final RecoveryProtocol[] all;

    /** These, of which the order is the same at all ranks. */
    public RecoveryProtocols(List<RecoveryProtocol> protocols) {
        this.all = protocols.toArray(RecoveryProtocol[]::new);
    }

    @Override
    public List<CheckpointedState> imageParts() {
        List<CheckpointedState> parts = new ArrayList<>();
        for (RecoveryProtocol one : all) {
            parts.addAll(one.imageParts());
        }
        return parts;
    }

    @Override
    public void enterView() {
        for (RecoveryProtocol one : all) {
            one.enterView();
        }
    }

    @Override
    public void expect(long protectedBytes) {
        for (RecoveryProtocol one : all) {
            one.expect(protectedBytes);
        }
    }

    @Override
    public void initialized() {
        for (RecoveryProtocol one : all) {
            one.initialized();
        }
    }

    @Override
    public void restored() {
        for (RecoveryProtocol one : all) {
            one.restored();
        }
    }

    @Override
    public void start(long step) {
        for (RecoveryProtocol one : all) {
            one.start(step);
        }
    }

    @Override
    public void gsyncBegins() {
        for (RecoveryProtocol one : all) {
            one.gsyncBegins();
        }
    }

    @Override
    public void gsyncFlushed() {
        for (RecoveryProtocol one : all) {
            one.gsyncFlushed();
        }
    }

    @Override
    public void collectiveOver(boolean isGsync) {
        for (RecoveryProtocol one : all) {
            one.collectiveOver(isGsync);
        }
    }

    @Override
    public void progress() {
        for (RecoveryProtocol one : all) {
            one.progress();
        }
    }

    @Override
    public void finish() {
        for (RecoveryProtocol one : all) {
            one.finish();
        }
    }

    @Override
    public void report(Reports reports) {
        for (RecoveryProtocol one : all) {
            one.report(reports);
        }
    }

    @Override
    public boolean mayNeedCut() {
        for (RecoveryProtocol one : all) {
            if (one.mayNeedCut()) {
                return true;
            }
        }
        return false;
    }

    /** Whether any of them does. */
    @Override
    public boolean needsCut() {
        for (RecoveryProtocol one : all) {
            if (one.needsCut()) {
                return true;
            }
        }
        return false;
    }

    @Override
    public void beforeCopy() {
        for (RecoveryProtocol one : all) {
            one.beforeCopy();
        }
    }

    @Override
    public void beforeDemandCopy() {
        for (RecoveryProtocol one : all) {
            one.beforeDemandCopy();
        }
    }

    @Override
    public void copied(long generation) {
        for (RecoveryProtocol one : all) {
            one.copied(generation);
        }
    }

    /** Whether any of them does: others do not count on this rank then. */
    @Override
    public boolean replaying() {
        for (RecoveryProtocol one : all) {
            if (one.replaying()) {
                return true;
            }
        }
        return false;
    }
}
