package org.ftrma.ucx;

import java.util.Arrays;
import org.ftrma.MisuseException;

/**
 * UCX requests that the caller will ask about. A handle names a slot and its use, not an address, so a stale one is an
 * exception and not a crash. Data thread only; allocates only while more requests are open than ever before.
 *
 * <pre>
 *  handle: use of the slot (bits 32 to 62), slot + 1 (bits 0 to 31)
 * </pre>
 */
final class RequestTable {
    /** In place of a request that ended with its connection: its slot is free again once that was told. */
    static final long GIVEN_UP = -1;
    private static final int USE_SHIFT = 32;
    private static final int USE_MASK = 0x7fff_ffff;

    private long[] requests = new long[64];
    private NetworkPeer[] peers = new NetworkPeer[64];
    private int[] uses = new int[64];
    private int[] free = new int[64];
    private int freeCount;

    RequestTable() {
        addFree(0, requests.length);
    }

    private void addFree(int from, int to) {
        for (int slot = to - 1; slot >= from; slot--) {
            free[freeCount++] = slot;
        }
    }

    long add(long request, NetworkPeer peer) {
        if (freeCount == 0) {
            grow();
        }
        int slot = free[--freeCount];
        requests[slot] = request;
        peers[slot] = peer;
        return (long) uses[slot] << USE_SHIFT | slot + 1L;
    }

    private void grow() {
        int size = requests.length;
        requests = Arrays.copyOf(requests, 2 * size);
        peers = Arrays.copyOf(peers, 2 * size);
        uses = Arrays.copyOf(uses, 2 * size);
        free = Arrays.copyOf(free, 2 * size);
        addFree(size, 2 * size);
    }

    int slot(long handle) {
        int slot = (int) handle - 1;
        if (slot < 0 || slot >= requests.length || requests[slot] == 0 || uses[slot] != (int) (handle >>> USE_SHIFT)) {
            throw new MisuseException("request=" + handle + " is complete, or of a connection that was renewed");
        }
        return slot;
    }

    long request(int slot) {
        return requests[slot];
    }

    NetworkPeer peer(int slot) {
        return peers[slot];
    }

    void giveUp(int slot) {
        requests[slot] = GIVEN_UP;
    }

    void remove(int slot) {
        requests[slot] = 0;
        peers[slot] = null;
        uses[slot] = uses[slot] + 1 & USE_MASK;
        free[freeCount++] = slot;
    }

    /** Number of slots, used or not: for going over all of them. */
    int slots() {
        return requests.length;
    }
}
