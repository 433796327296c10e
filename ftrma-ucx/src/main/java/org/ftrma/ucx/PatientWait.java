package org.ftrma.ucx;

import java.util.concurrent.TimeUnit;
import org.ftrma.DeadlineException;
import org.ftrma.spi.Wait;

/** Wait until the protocol has provided its own: yields, and times out after a minute. */
final class PatientWait implements Wait {
    private static final long TIMEOUT_SECONDS = 60;
    private String what;
    private int peer;
    private long deadline;

    @Override
    public void begin(String newWhat, int newPeer) {
        what = newWhat;
        peer = newPeer;
        deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(TIMEOUT_SECONDS);
    }

    @Override
    public void turn() {
        if (System.nanoTime() > deadline) {
            throw new DeadlineException(what + ": peer=" + peer + " did not answer within " + TIMEOUT_SECONDS
                + " s");
        }
        Thread.yield();
    }
}
