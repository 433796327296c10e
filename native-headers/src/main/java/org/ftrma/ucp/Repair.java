package org.ftrma.ucp;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Run-time patches that let UCX survive dead peers, each with the releases that need it.
 *
 * <p>Tried were 1.13.1 and 1.18.1, each without the one and with the others. For releases between and after them the
 * sources were read, up to 1.22.0: each is installed up to the last release whose sources have what it is for; where
 * that is still so in the newest, it is installed in newer ones too, if they have the function that it replaces.
 */
public enum Repair {
    /**
     * {@link FatalErrorGuard}: up to 1.13. There a worker that ends while its answer to a peer that connects is on its
     * way is a fatal error; in 1.14 that is no longer taken for impossible ({@code ucp_request_send_state_ff}).
     */
    FATAL_ERRORS(13),
    /**
     * {@link BrokenConnections}: all releases. The second answer to a peer that died is a fatal error ({@code
     * ucp_request_try_send}).
     */
    BROKEN_CONNECTIONS(Integer.MAX_VALUE),
    /**
     * {@link ZeroedRequests}: all releases. Answers that UCX gives up are asked for a data type that was never set
     * ({@code ucp_request_send_state_ff}).
     */
    ZEROED_REQUESTS(Integer.MAX_VALUE);

    private final int lastMinor;

    Repair(int lastMinor) {
        this.lastMinor = lastMinor;
    }

    /** Those that a release needs, given as major, minor and more. */
    public static Set<Repair> neededBy(int[] version) {
        return Arrays.stream(values()).filter(repair -> version[0] == 1 && version[1] <= repair.lastMinor)
            .collect(Collectors.toCollection(() -> EnumSet.noneOf(Repair.class)));
    }
}
