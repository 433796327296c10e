package org.ftrma.core.image;

/**
 * Part of the library's own state that would be lost if a job of another shape went on from an image without it. Parts
 * add to it while an image is taken. Messages are counted at both ends: those of all ranks together are under way where
 * more were sent than received. Data thread only.
 */
public final class ResidualState {
    private long locks;
    private long sent;
    private long received;

    /** So many locks are held. */
    public void locks(long held) {
        locks += held;
    }

    /** So many messages were sent that count, and so many received. */
    public void messages(long sentSoFar, long receivedSoFar) {
        sent += sentSoFar;
        received += receivedSoFar;
    }

    public long locks() {
        return locks;
    }

    /** Messages that this rank sent, and that nobody was told to have received, less those it received itself. */
    public long underWay() {
        return sent - received;
    }
}
