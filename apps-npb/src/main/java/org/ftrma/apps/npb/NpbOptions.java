package org.ftrma.apps.npb;

import org.ftrma.options.OptionValues;

/**
 * The arguments that all benchmarks have. Immutable; any thread.
 *
 * @param problem name of the class
 * @param iterations 0: the class's own number
 * @param warmUpSeconds how long untimed iterations go on
 */
record NpbOptions(String problem, int iterations, double warmUpSeconds) {
    static NpbOptions parse(String[] args) {
        OptionValues<NpbOption> values = NpbOption.TABLE.parse(args);
        return new NpbOptions(values.text(NpbOption.CLASS), (int) values.number(NpbOption.ITERATIONS, 0),
            values.decimal(NpbOption.WARM_UP));
    }

    int iterations(int own) {
        return iterations == 0 ? own : iterations;
    }
}
