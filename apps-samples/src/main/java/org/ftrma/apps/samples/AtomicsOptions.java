package org.ftrma.apps.samples;

import org.ftrma.options.OptionValues;

/**
 * The atomics sample's arguments. Immutable; any thread.
 *
 * @param steps steps of the loop
 * @param slots slots of the hash table at each rank
 * @param operations tickets drawn and words counted by each rank in each step
 */
record AtomicsOptions(int steps, int slots, int operations) {
    static AtomicsOptions parse(String[] args) {
        OptionValues<AtomicsOption> values = AtomicsOption.TABLE.parse(args);
        return new AtomicsOptions(values.count(AtomicsOption.STEPS), values.count(AtomicsOption.SLOTS),
            values.count(AtomicsOption.OPERATIONS));
    }
}
