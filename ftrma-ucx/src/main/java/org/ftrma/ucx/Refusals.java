package org.ftrma.ucx;

import java.util.HashSet;
import java.util.Set;
import org.ftrma.MisuseException;

/** The processes that were revoked, which are never let in nor connected again. Any thread. */
final class Refusals {
    private final Set<Long> processes = new HashSet<>();

    synchronized void add(long process) {
        processes.add(process);
    }

    synchronized void require(int peer, long process) {
        if (processes.contains(process)) {
            throw new MisuseException("peer=" + peer + ": this process of it was revoked");
        }
    }
}
