package org.ftrma.ucx;

import java.util.concurrent.TimeUnit;
import org.ftrma.DeadlineException;
import org.ftrma.spi.Wait;

/** What waits until the protocol has said how to wait: yields, and gives up after a minute. */
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
