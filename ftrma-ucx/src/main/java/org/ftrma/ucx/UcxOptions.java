package org.ftrma.ucx;

import java.util.Locale;
import java.util.Objects;
import org.ftrma.FtrmaException;

/**
 * Options of a {@link UcxFabric}: its path to peers. Immutable; any thread.
 *
 * @param path which accesses may be made
 * @param mappedTransports UCX transports for memory shared on one host: {@code sysv} or {@code posix} ({@code UCX_TLS}
 *     of that context)
 * @param networkTransports UCX transports for everybody else ({@code UCX_TLS} of that context)
 * @param networkDevices UCX network devices; the loopback device keeps a job on one host unreachable from outside
 *     ({@code UCX_NET_DEVICES})
 * @param host processes with another such number share no memory, whatever else they have in common; 0 among processes
 *     of one host
 */
public record UcxOptions(Path path, String mappedTransports, String networkTransports, String networkDevices,
    long host) {
    private static final String LOOPBACK = "lo";

    /** Which way accesses go. */
    public enum Path {
        /**
         * Mapped memory for peers on this host, UCX operations for others. With no network device but the loopback
         * there are no others: then no socket is opened, on which any user of this machine could reach the memory of
         * this process. Where memory cannot be mapped (tried when the fabric is opened) all accesses are UCX
         * operations: {@link UcxFabric#notMapped} says why.
         */
        AUTO,
        /** Mapped memory only: no socket, no service thread. A peer that cannot be mapped is an error. */
        MAPPED,
        /** UCX operations only, also to this host and to the member itself. */
        NETWORK
    }

    /** Checks that nothing is missing. */
    public UcxOptions {
        Objects.requireNonNull(path, "path");
        Objects.requireNonNull(mappedTransports, "mappedTransports");
        Objects.requireNonNull(networkTransports, "networkTransports");
        Objects.requireNonNull(networkDevices, "networkDevices");
    }

    /** As above, among processes of one host. */
    public UcxOptions(Path path, String mappedTransports, String networkTransports, String networkDevices) {
        this(path, mappedTransports, networkTransports, networkDevices, 0);
    }

    /** The same among processes of several hosts, which are reached by a network device. */
    public UcxOptions among(String device, long identity) {
        return new UcxOptions(path, mappedTransports, networkTransports, device, identity);
    }

    /** The defaults: System V shared memory, and tcp over the loopback device. */
    public static UcxOptions of(Path path) {
        return new UcxOptions(path, "sysv", "tcp", LOOPBACK);
    }

    /**
     * The defaults, but for the network device: over another one than the loopback device peers on other hosts are
     * reached, and each who reaches that device reaches the memory of this process.
     *
     * @param device its name, or an address of it in figures; an FtrmaException of category SETUP names those that
     * there are, if it is none of them
     */
    public static UcxOptions over(Path path, String device) {
        return new UcxOptions(path, "sysv", "tcp", NetworkDevices.find(device));
    }

    /** The path by its name, in lower case. */
    public static Path parsePath(String name) {
        for (Path path : Path.values()) {
            if (path.name().toLowerCase(Locale.ROOT).equals(name)) {
                return path;
            }
        }
        throw new FtrmaException(FtrmaException.Category.MISUSE, "path=" + name + ": must be auto, mapped or network");
    }

    boolean mapped() {
        return path != Path.NETWORK;
    }

    boolean network() {
        return path == Path.NETWORK || path == Path.AUTO && (host != 0 || !networkDevices.equals(LOOPBACK));
    }
}
