package org.ftrma.apps.samples;

import org.ftrma.options.OptionValues;

/**
 * The lock sample's arguments. Immutable; any thread.
 *
 * @param steps steps of the loop
 * @param accounts accounts at each rank
 * @param transfers transfers by each rank in each step
 */
record LocksOptions(int steps, int accounts, int transfers) {
    static LocksOptions parse(String[] args) {
        OptionValues<LocksOption> values = LocksOption.TABLE.parse(args);
        return new LocksOptions(values.count(LocksOption.STEPS), values.count(LocksOption.ACCOUNTS),
            values.count(LocksOption.TRANSFERS));
    }
}
