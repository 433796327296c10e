package org.ftrma.ucx;

import java.util.concurrent.TimeUnit;
import org.ftrma.DeadlineException;
import org.ftrma.spi.Wait;

/** Waits by yielding, until a deadline. */
final class TestWait implements Wait {
    private final long timeoutNanos;
    private long deadline;
    private String what;
    private int peer;

    TestWait(long seconds) {
        timeoutNanos = TimeUnit.SECONDS.toNanos(seconds);
    }

    @Override
    public void begin(String newWhat, int newPeer) {
        what = newWhat;
        peer = newPeer;
        deadline = System.nanoTime() + timeoutNanos;
    }

    @Override
    public void turn() {
        if (System.nanoTime() > deadline) {
            throw new DeadlineException(what + ": peer=" + peer);
        }
        Thread.yield();
    }
}
