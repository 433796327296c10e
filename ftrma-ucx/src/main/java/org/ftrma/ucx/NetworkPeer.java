package org.ftrma.ucx;

import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import org.ftrma.FtrmaException;
import org.ftrma.MisuseException;
import org.ftrma.PeerLostException;
import org.ftrma.ucp.UcsStatus;
import org.openucx.jucx.ucp.UcpEndpoint;
import org.openucx.jucx.ucp.UcpRemoteKey;

/**
 * An endpoint to a peer's service worker, and whether it may still be used: UCX can crash on an endpoint that has
 * failed, so every call passes {@link #endpoint}. Data thread only (UCX reports failures from within calls of that
 * thread).
 */
final class NetworkPeer {
    private final int number;
    private final Operations operations;
    private UcpEndpoint endpoint;
    private long handle;
    private final List<UcpRemoteKey> keys = new ArrayList<>();
    /** Memory of accesses that nobody waits for any more. */
    private final List<Arena> kept = new ArrayList<>();
    private byte failure;
    private boolean closed;
    private boolean revoked;

    /** Whether something but signals was started since the last flush. */
    boolean dirty;
    /** Whether a signal was started since then. */
    boolean signalled;
    /** Whether a source or destination may still be in use since the last flush. */
    boolean busyLocally;
    /** What starting a flush returned, while one of all peers is under way. */
    long flushing;

    NetworkPeer(int number, Operations operations) {
        this.number = number;
        this.operations = operations;
    }

    /** The endpoint exists now; it may have failed already. */
    void opened(UcpEndpoint newEndpoint) {
        endpoint = newEndpoint;
        handle = newEndpoint.getNativeId();
    }

    int number() {
        return number;
    }

    /** The endpoint's handle, if it may be used. */
    long endpoint() {
        if (failure != 0 || closed) {
            throw unusable();
        }
        return handle;
    }

    /** The endpoint's handle, for closing it. */
    long rawEndpoint() {
        return handle;
    }

    boolean usable() {
        return failure == 0 && !closed;
    }

    /** The handle of a peer's key, unpacked. */
    long unpack(byte[] packed) {
        endpoint();
        UcpRemoteKey key = UcxKeys.unpack(endpoint, packed, status -> check(status, "attach"));
        keys.add(key);
        return key.getNativeId();
    }

    /** All that was started is complete. */
    void flushed() {
        dirty = false;
        signalled = false;
        busyLocally = false;
        free();
    }

    /** Memory that an access under way uses, which nobody waits for any more. */
    void keeps(Arena memory) {
        kept.add(memory);
    }

    private void free() {
        kept.forEach(Arena::close);
        kept.clear();
    }

    /** Accesses that use the keys must have ended: the endpoint is closed. */
    void destroyKeys() {
        keys.forEach(UcpRemoteKey::close);
        keys.clear();
        free();
    }

    /** Called by UCX's error handler, and when an operation returns an error. */
    void fail(int status) {
        if (failure == 0) {
            failure = (byte) status;
        }
    }

    void markClosed() {
        closed = true;
    }

    /** It was cut off: whoever waits for it, or accesses it, meets a loss that nobody needs to be told of. */
    void markRevoked() {
        revoked = true;
    }

    boolean isRevoked() {
        return revoked;
    }

    /** The exception for a peer that was cut off. */
    static PeerLostException revocation(int peer) {
        return new PeerLostException(peer, "peer=" + peer + " was revoked");
    }

    /** Turns the status of an operation into an exception if it is an error. */
    void check(byte status, String what) {
        if (status < 0) {
            throw revoked ? revocation(number) : failed(status, what);
        }
    }

    /** As {@link #check}, but a loss is only noted: {@link #endpoint} will throw it. */
    void note(byte status, String what) {
        if (isLoss(status) && !revoked) {
            fail(status);
        } else if (!revoked) {
            check(status, what);
        }
    }

    private FtrmaException failed(byte status, String what) {
        if (isLoss(status)) {
            fail(status);
            return operations.lost(number, what + ": peer=" + number + " is gone: " + UcxRuntime.describe(status));
        }
        return new FtrmaException(FtrmaException.Category.FATAL,
            what + ": peer=" + number + ": " + UcxRuntime.describe(status));
    }

    private FtrmaException unusable() {
        if (revoked) {
            return revocation(number);
        }
        if (failure != 0) {
            return operations.lost(number, "peer=" + number + " is gone: " + UcxRuntime.describe(failure));
        }
        return new MisuseException("peer=" + number + ": this connection was closed or renewed");
    }

    static boolean isLoss(byte status) {
        return switch (status) {
            case UcsStatus.UCS_ERR_IO_ERROR, UcsStatus.UCS_ERR_UNREACHABLE, UcsStatus.UCS_ERR_CANCELED,
                UcsStatus.UCS_ERR_TIMED_OUT,
                 UcsStatus.UCS_ERR_REJECTED, UcsStatus.UCS_ERR_NOT_CONNECTED,
                 UcsStatus.UCS_ERR_CONNECTION_RESET -> true;
            default -> status <= -40 && status > UcsStatus.UCS_ERR_LAST; // link and endpoint failures
        };
    }

    @Override
    public String toString() {
        return "peer " + number + " endpoint 0x" + Long.toHexString(handle);
    }
}
