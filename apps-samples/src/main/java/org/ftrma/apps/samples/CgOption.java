package org.ftrma.apps.samples;

import org.ftrma.options.CommandOption;
import org.ftrma.options.OptionForm;
import org.ftrma.options.OptionTable;
import org.ftrma.options.OptionText;

/** The arguments of the conjugate gradient sample: name, form, default and meaning in one place. Any thread. */
enum CgOption implements CommandOption {
    STEPS("steps", OptionForm.count(1, 1_000_000), "10000", "steps at most, 1 to 1000000"),
    SIZE("size", OptionForm.count(1, 10_000), "200",
        "rows and columns of the grid, 1 to 10000; at least one row for each rank"),
    TOLERANCE("tolerance", OptionForm.count(1, 14), "8",
        "steps end when the residual is 10^-N of what it was at first: N, 1 to 14");

    static final OptionTable<CgOption> TABLE = OptionTable.of(CgOption.class);

    private final OptionText text;

    CgOption(String key, OptionForm form, String defaultText, String meaning) {
        text = new OptionText(key, form, defaultText, meaning);
    }

    @Override
    public OptionText text() {
        return text;
    }
}
