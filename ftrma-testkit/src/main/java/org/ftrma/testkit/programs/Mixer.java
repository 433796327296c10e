package org.ftrma.testkit.programs;

import java.lang.foreign.ValueLayout;

/** Values that differ wherever they should. */
final class Mixer {
    static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;

    private Mixer() {
    }

    static long mix(long a, long b) {
        long z = a * 0x9E3779B97F4A7C15L + b + 0x632BE59BD9B4E019L;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        return z ^ (z >>> 27);
    }

    static long mix(long a, long b, long c) {
        return mix(mix(a, b), c);
    }
}
