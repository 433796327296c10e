package org.ftrma.core.session;

/**
 * A member that is to be recovered would have to wait for a rank that is being recovered, too, while it agrees with the
 * others where their logs end: it does so again, without that one. Never leaves for the program. Immutable.
 */
public final class PeerAwayException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    PeerAwayException(int peer) {
        super("rank " + peer + " is away", null, false, false);
    }
}
