package org.ftrma.apps.samples;

import org.ftrma.options.OptionValues;

/**
 * The ping-pong sample's arguments. Immutable; any thread.
 *
 * @param steps steps of the loop
 * @param repetitions round trips in each step
 * @param anySource whether receives name no source
 */
record PingPongOptions(int steps, int repetitions, boolean anySource) {
    /** Sizes of messages: powers of two from 1 byte on. */
    static final int SIZES = 24;
    private static final long MOST_BYTES = 16L << 10;

    static PingPongOptions parse(String[] args) {
        OptionValues<PingPongOption> values = PingPongOption.TABLE.parse(args);
        return new PingPongOptions(values.count(PingPongOption.STEPS), values.count(PingPongOption.REPETITIONS),
            values.has(PingPongOption.ANY_SOURCE));
    }

    /** Bytes of the messages of a step. */
    static long bytes(long step) {
        return 1L << (step - 1) % SIZES;
    }

    /** Round trips of a step. */
    long roundTrips(long step) {
        return Math.max(1, Math.min(repetitions, repetitions * MOST_BYTES / bytes(step)));
    }
}
