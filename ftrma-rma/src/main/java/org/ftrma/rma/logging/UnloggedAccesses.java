package org.ftrma.rma.logging;

/** Accesses of a job that logs none: its windows are accessed directly from the start. Data thread only. */
public final class UnloggedAccesses implements AccessProtocol {
    @Override
    public void enterView() {
        // windows are accessed directly as they are made
    }

    @Override
    public void start(long step) {
        // nothing is logged
    }

    @Override
    public boolean mayNeedCut() {
        return false;
    }

    @Override
    public boolean needsCut() {
        return false;
    }

    @Override
    public void beforeCopy() {
        // all accesses are complete
    }

    @Override
    public void copied(long generation) {
        // no log depends on it
    }

    @Override
    public boolean replaying() {
        return false;
    }
}
