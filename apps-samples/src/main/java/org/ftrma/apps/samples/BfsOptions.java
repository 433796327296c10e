package org.ftrma.apps.samples;

import org.ftrma.options.OptionValues;

/**
 * The search sample's arguments. Immutable; any thread.
 *
 * @param steps steps of the loop, at most
 * @param vertices vertices of the graph
 * @param degree edges that begin at each
 */
record BfsOptions(int steps, int vertices, int degree) {
    static BfsOptions parse(String[] args) {
        OptionValues<BfsOption> values = BfsOption.TABLE.parse(args);
        return new BfsOptions(values.count(BfsOption.STEPS),
            values.count(BfsOption.VERTICES),
            values.count(BfsOption.DEGREE));
    }
}
