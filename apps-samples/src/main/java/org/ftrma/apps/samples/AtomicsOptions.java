package org.ftrma.apps.samples;

import java.util.List;
import java.util.Map;

/**
 * The atomics sample's arguments. Immutable; any thread.
 *
 * @param steps steps of the loop
 * @param slots slots of the hash table at each rank
 * @param operations tickets drawn and words counted by each rank in each step
 */
record AtomicsOptions(int steps, int slots, int operations) {
    static final List<SampleOption> TABLE = List.of(
        new SampleOption("steps", "N", "60", "steps, 1 to 1000000"),
        new SampleOption("slots", "N", "256", "slots of the hash table at each rank, 2 to 1000000; half of them are filled in the end"),
        new SampleOption("operations", "N", "16", "tickets drawn, and words counted, by each rank in each step, 1 to 100000"));

    static AtomicsOptions parse(String[] args) {
        Map<String, String> values = SampleOption.parse(TABLE, args);
        return new AtomicsOptions(SampleOption.count(values, "steps", 1, 1_000_000), SampleOption.count(values, "slots", 2, 1_000_000),
            SampleOption.count(values, "operations", 1, 100_000));
    }
}
