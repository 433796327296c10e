package org.ftrma.apps.samples;

import java.util.List;
import java.util.Map;

/**
 * The lock sample's arguments. Immutable; any thread.
 *
 * @param steps steps of the loop
 * @param accounts accounts at each rank
 * @param transfers transfers by each rank in each step
 */
record LocksOptions(int steps, int accounts, int transfers) {
    static final List<SampleOption> TABLE = List.of(
        new SampleOption("steps", "N", "60", "steps, 1 to 1000000"),
        new SampleOption("accounts", "N", "64", "accounts at each rank, 1 to 1000000"),
        new SampleOption("transfers", "N", "16", "transfers by each rank in each step, 1 to 100000"));

    static LocksOptions parse(String[] args) {
        Map<String, String> values = SampleOption.parse(TABLE, args);
        return new LocksOptions(SampleOption.count(values, "steps", 1, 1_000_000), SampleOption.count(values, "accounts", 1, 1_000_000),
            SampleOption.count(values, "transfers", 1, 100_000));
    }
}
