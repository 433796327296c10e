package org.ftrma.apps.kvstore;

import org.ftrma.options.CommandOption;
import org.ftrma.options.OptionText;

/** The benchmark's own arguments: name, value, default and meaning in one place. */
public enum KvOption implements CommandOption {
    /** Length of the run. */
    INSERTS("inserts", "N", "10000", "keys that each rank inserts, 1 to 1000000000"),
    /** Inserts in a step. */
    BATCH("batch", "N", "100", "inserts of each rank in one step of the resilient loop, 1 to 1000000; checkpoints are taken between steps"),
    /** Slots. */
    SLOTS("slots", "N", "2 x inserts", "slots of the table at each rank, 1 to 1000000000"),
    /** Cells for collisions. */
    OVERFLOW("overflow", "N", "enough for random keys", "cells of the overflow heap at each rank, 0 to 1000000000"),
    /** Share of the time. */
    WORK("work", "FRACTION", "0.07", "share of the time that ranks insert, above 0 up to 1: between inserts they wait, for times from an "
        + "exponential distribution; 0: no waiting, and inserts by the batch form"),
    /** Waiting time. */
    WAIT("wait", "TIME", "from --work", "mean of the times between inserts, as 2us, whatever share of the time is left for inserting: so that jobs "
        + "with different protocols wait alike"),
    /** Time to compile. */
    WARM_UP("warm-up", "SECONDS", "1 from 100000 inserts on, else 0", "insert other keys for so long before the measurement, 0 to 60, and take "
        + "them out again"),
    /** Seed of the keys. */
    KEY_SEED("key-seed", "S", "1", "seed of the random keys and waiting times");

    private final OptionText text;

    KvOption(String key, String label, String defaultText, String meaning) {
        text = new OptionText(key, label, defaultText, meaning);
    }

    @Override
    public OptionText text() {
        return text;
    }
}
