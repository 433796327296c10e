package org.ftrma.core.session;

import java.util.ArrayDeque;
import java.util.function.Predicate;
import org.ftrma.core.control.ControlMessage;

/** Queue of what a checksum rank is to take into its parity in one view, in order. Data thread only. */
public final class EncodeQueue {
    private final ArrayDeque<ControlMessage.ToEncode> waiting = new ArrayDeque<>();
    /** What was taken out last, and whether it was given up since. */
    private ControlMessage.ToEncode present;
    private boolean presentGivenUp;

    void add(ControlMessage.ToEncode m) {
        waiting.add(m);
    }

    /** What fits is not wanted any more. */
    void drop(Predicate<ControlMessage.ToEncode> which) {
        waiting.removeIf(which);
        presentGivenUp |= present != null && which.test(present);
    }

    /** All is given up; but what changes a parity in place is not. */
    public void dropAll(boolean isStreaming) {
        drop(one -> !isStreaming || one instanceof ControlMessage.Encode);
    }

    /** What is to be encoded next, or null. */
    public ControlMessage.ToEncode poll() {
        present = waiting.poll();
        presentGivenUp = false;
        return present;
    }

    /** Whether what {@link #poll} returned last is not wanted any more, and may be impossible. */
    public boolean isPresentGivenUp() {
        return presentGivenUp;
    }
}
