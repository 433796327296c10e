package org.ftrma.apps.samples;

import org.ftrma.MisuseException;
import org.ftrma.options.OptionValues;

/**
 * The conjugate gradient sample's arguments. Immutable; any thread.
 *
 * @param steps steps of the loop, at most
 * @param size rows and columns of the grid
 * @param tolerance how many digits the residual is to lose
 */
record CgOptions(int steps, int size, int tolerance) {
    static CgOptions parse(String[] args) {
        OptionValues<CgOption> values = CgOption.TABLE.parse(args);
        return new CgOptions(values.count(CgOption.STEPS),
            values.count(CgOption.SIZE),
            values.count(CgOption.TOLERANCE));
    }

    /** Whether there is a row for each rank. */
    void check(int ranks) {
        if (ranks > size) {
            throw new MisuseException("size=" + size + ": must be at least the number of ranks, " + ranks);
        }
    }
}
