package org.ftrma.apps.samples;

import org.ftrma.options.CommandOption;
import org.ftrma.options.OptionForm;
import org.ftrma.options.OptionTable;
import org.ftrma.options.OptionText;

/** The arguments of the lock sample: name, form, default and meaning in one place. Any thread. */
enum LocksOption implements CommandOption {
    STEPS("steps", OptionForm.count(1, 1_000_000), "60", "steps, 1 to 1000000"),
    ACCOUNTS("accounts", OptionForm.count(1, 1_000_000), "64", "accounts at each rank, 1 to 1000000"),
    TRANSFERS("transfers", OptionForm.count(1, 100_000), "16", "transfers by each rank in each step, 1 to 100000");

    static final OptionTable<LocksOption> TABLE = OptionTable.of(LocksOption.class);

    private final OptionText text;

    LocksOption(String key, OptionForm form, String defaultText, String meaning) {
        text = new OptionText(key, form, defaultText, meaning);
    }

    @Override
    public OptionText text() {
        return text;
    }
}
