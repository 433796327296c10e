package org.ftrma.launch.web;

/**
 * Processor time that comes evenly and is kept up to a bound. More may be taken than is there: it is owed then, and
 * whoever wants more waits until it is paid. All of it is one number, the time at which all that was taken is paid.
 * One thread at a time.
 */
final class TokenBucket {
    private final int part;
    private final long keptNanos;
    private long paidAt;

    /**
     * A full one.
     *
     * @param part one nanosecond comes in so many
     * @param mostNanos that are kept
     * @param now the time; what follows tells it by the same clock
     */
    TokenBucket(int part, long mostNanos, long now) {
        if (part < 1 || mostNanos < 1 || mostNanos > Long.MAX_VALUE / 4 / part) {
            throw new IllegalArgumentException("part=" + part + " mostNanos=" + mostNanos);
        }
        this.part = part;
        keptNanos = part * mostNanos;
        paidAt = now - keptNanos;
    }

    /** Takes so much; below 0: gives back what was taken and not used. */
    void take(long nanos, long now) {
        paidAt = Math.max(paidAt - now, -keptNanos) + now + part * nanos;
    }

    /** What is there; below 0: it is owed. */
    long left(long now) {
        return Math.min(keptNanos, now - paidAt) / part;
    }

    /** So long it takes until all that was taken is paid; 0: it is. */
    long untilPaid(long now) {
        return Math.max(0, paidAt - now);
    }
}
