package org.ftrma.mutations;

import java.util.Locale;

/**
 * Result of trying a mutation.
 *
 * @param end how it ended
 * @param test what found it; empty if nothing did
 * @param detail why that test failed, or what is wrong with the mutation
 * @param seconds that it took
 */
record Trial(Mutation mutation, End end, String test, String detail, double seconds) {
    /** How a mutation ends. */
    enum End {
        /** A test failed. */
        FOUND("found"),
        /** A test did not end in time. */
        HANG("found, by a hang"),
        /** No test noticed. */
        ALIVE("ALIVE"),
        /** No test noticed, and the file says why none can. */
        HARMLESS("alive, explained"),
        /** The changed source is not Java. */
        NOT_COMPILED("does not compile"),
        /** The source does not have the text. */
        STALE("stale");

        private final String text;

        End(String text) {
            this.text = text;
        }

        /** In words. */
        String text() {
            return text;
        }

        /** Whether that is how it should be. */
        boolean isGood() {
            return this == FOUND || this == HANG || this == HARMLESS;
        }
    }

    /** In a line, without the name. */
    String line() {
        String by = test.isEmpty() ? "" : " by " + test;
        String in = String.format(Locale.ROOT, " in %.1f s", seconds);
        return switch (end) {
            case FOUND -> "found" + by + in + (mutation.isHarmless() ? ", though said to be harmless" : "");
            case HANG -> "found" + by + ", which did not end," + in;
            case ALIVE -> "ALIVE after " + String.join(", ", mutation.tests());
            case HARMLESS -> "alive: " + mutation.harmless();
            case NOT_COMPILED, STALE -> end.text + ": " + detail;
        };
    }

    /** The same in a word, for the JSON result. */
    String word() {
        return end.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
