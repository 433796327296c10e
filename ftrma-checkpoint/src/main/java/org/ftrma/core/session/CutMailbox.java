package org.ftrma.core.session;

import org.ftrma.core.control.ControlMessage;

/** Mailbox of what the coordinator has said of coordinated checkpoints in one view. Data thread only. */
public final class CutMailbox {
    private ControlMessage.CutGo go;
    private ControlMessage.CutAbandon abandon;
    private long awaited = -1;
    private long resumed = -1;
    private boolean isWanted;

    /** A cut begins: what was said of earlier ones does not count. */
    public void forget() {
        go = null;
        abandon = null;
        awaited = -1;
    }

    void told(ControlMessage.CutGo m) {
        go = m;
        isWanted = false; // this is the one
    }

    void told(ControlMessage.CutWanted m) {
        isWanted = true;
    }

    /** The parity of an earlier cut may be given up while this rank waits at the next one. */
    void told(ControlMessage.CutAbandon m) {
        abandon = abandon == null || abandon.step() <= m.step() ? m : abandon;
    }

    void told(ControlMessage.CutAwait m) {
        awaited = m.step();
    }

    void told(ControlMessage.Resume m) {
        resumed = m.step();
    }

    /** All copy now; null if that was not said. */
    public ControlMessage.CutGo go() {
        return go;
    }

    /** Whether somebody outside asks for a cut, and rank 0, which is told, is to see that one comes. */
    public boolean isWanted() {
        return isWanted;
    }

    /** The cut is given up; null if that was not said. */
    public ControlMessage.CutAbandon abandon() {
        return abandon;
    }

    /** The step of a cut that others may be waiting at for this recovering rank, or -1. */
    public long awaitedStep() {
        return awaited;
    }

    /** The step of the last cut that all ranks have copied. */
    public long resumedStep() {
        return resumed;
    }
}
