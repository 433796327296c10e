package org.ftrma.apps.kvstore;

import org.ftrma.options.CommandOption;
import org.ftrma.options.OptionForm;
import org.ftrma.options.OptionTable;
import org.ftrma.options.OptionText;

/** The benchmark's own arguments: name, form, default and meaning in one place. Any thread. */
public enum KvOption implements CommandOption {
    /** Length of the run. */
    INSERTS("inserts", OptionForm.count(1, KvOption.MOST), "10000", "keys that each rank inserts, 1 to 1000000000"),
    /** Inserts in a step. */
    BATCH("batch", OptionForm.count(1, 1_000_000), "100",
        "inserts per rank and step of the resilient loop, 1 to 1000000; checkpoints are taken between steps"),
    /** Slots. */
    SLOTS("slots", OptionForm.count(1, KvOption.MOST), "2 x inserts", "slots of the table per rank, 1 to 1000000000"),
    /** Cells for collisions. */
    OVERFLOW("overflow", OptionForm.count(0, KvOption.MOST), "enough for random keys",
        "cells of the overflow heap per rank, 0 to 1000000000"),
    /** Share of the time. */
    WORK("work", OptionForm.decimal("FRACTION", 1, "as 0.07"), "0.07",
        "share of the time in which ranks insert, above 0 up to 1; between inserts they wait, for exponentially "
        + "distributed times; 0: no waiting, and inserts by the batch form"),
    /** Waiting time. */
    WAIT("wait", OptionForm.duration(1, Long.MAX_VALUE), "from --work",
        "mean of the times between inserts, such as 2us, whatever share of the time remains for inserting, so "
        + "that jobs with different protocols wait alike"),
    /** Time to compile. */
    WARM_UP("warm-up", OptionForm.decimal("SECONDS", 60, "in seconds"), "1 from 100000 inserts on, else 0",
        "insert other keys this long before the measurement, 0 to 60, and delete them again"),
    /** Seed of the keys. */
    KEY_SEED("key-seed", OptionForm.count(Long.MIN_VALUE, Long.MAX_VALUE).as("S"), "1",
        "seed of the random keys and waiting times");

    /** All arguments. */
    public static final OptionTable<KvOption> TABLE = OptionTable.of(KvOption.class);
    static final int MOST = 1_000_000_000;

    private final OptionText text;

    KvOption(String key, OptionForm form, String defaultText, String meaning) {
        text = new OptionText(key, form, defaultText, meaning);
    }

    @Override
    public OptionText text() {
        return text;
    }
}
