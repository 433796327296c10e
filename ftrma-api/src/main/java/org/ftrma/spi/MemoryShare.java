package org.ftrma.spi;

import org.ftrma.MisuseException;

/**
 * Processes of a job that take memory of one host when the job begins. Immutable; any thread.
 *
 * @param host as its user calls it; empty: all processes of the job are on one host
 * @param ranks computing ranks there
 * @param checksums checksum ranks there
 * @param spares processes there that wait
 */
public record MemoryShare(String host, int ranks, int checksums, int spares) {
    /** All processes are on one host. */
    public static final MemoryShare ALL = new MemoryShare("", 0, 0, 0);

    /** Refuses what cannot be. */
    public MemoryShare {
        if (ranks < 0 || checksums < 0 || spares < 0) {
            throw new MisuseException("host=" + host + " ranks=" + ranks + " checksums=" + checksums + " spares="
                + spares + ": must be 0 or more");
        }
    }

    /** Whether it is the whole job. */
    public boolean isAll() {
        return host.isEmpty();
    }
}
