package org.ftrma.launch.agent;

import java.util.concurrent.locks.LockSupport;
import org.ftrma.ucp.CFunction;

/** Makes a private segment of shared memory, never attaches it nor marks it for removal, tells its id and waits. */
public final class Segment {
    private static final long BYTES = 4096;
    private static final long OWNER_ONLY = 0600;

    private Segment() {
    }

    public static void main(String[] args) {
        System.out.println("segment " + (int) CFunction.ofLibc("shmget").call(0, BYTES, OWNER_ONLY));
        while (true) {
            LockSupport.park();
        }
    }
}
