package org.ftrma;

/** An access to a peer failed because the peer is gone. In a protected job the library catches it and recovers. */
public final class PeerLostException extends FtrmaException {
    private static final long serialVersionUID = 1L;
    private final int peer;

    /** The loss of a member of the job. */
    public PeerLostException(int peer, String message) {
        super(Category.PEER_LOST, message);
        this.peer = peer;
    }

    /** The member that is gone. */
    public int peer() {
        return peer;
    }
}
