package org.ftrma.apps.samples;

import org.ftrma.options.CommandOption;
import org.ftrma.options.OptionForm;
import org.ftrma.options.OptionTable;
import org.ftrma.options.OptionText;

/** The arguments of the atomics sample: name, form, default and meaning in one place. Any thread. */
enum AtomicsOption implements CommandOption {
    STEPS("steps", OptionForm.count(1, 1_000_000), "60", "steps, 1 to 1000000"),
    SLOTS("slots", OptionForm.count(2, 1_000_000), "256",
        "slots of the hash table at each rank, 2 to 1000000; half of them are filled in the end"),
    OPERATIONS("operations", OptionForm.count(1, 100_000), "16",
        "tickets drawn, and words counted, by each rank in each step, 1 to 100000");

    static final OptionTable<AtomicsOption> TABLE = OptionTable.of(AtomicsOption.class);

    private final OptionText text;

    AtomicsOption(String key, OptionForm form, String defaultText, String meaning) {
        text = new OptionText(key, form, defaultText, meaning);
    }

    @Override
    public OptionText text() {
        return text;
    }
}
