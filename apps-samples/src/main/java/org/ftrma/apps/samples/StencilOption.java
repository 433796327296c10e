package org.ftrma.apps.samples;

import org.ftrma.options.CommandOption;
import org.ftrma.options.OptionForm;
import org.ftrma.options.OptionTable;
import org.ftrma.options.OptionText;
import org.ftrma.options.OptionValues;

/** The arguments of the stencil: name, form, default and meaning in one place. Any thread. */
enum StencilOption implements CommandOption {
    STEPS("steps", OptionForm.count(1, 1_000_000), "60", "iterations, 1 to 1000000"),
    SIZE("size", Sides.form(1 << 15), "192x160", "rows and columns of the whole field, 1 to 32768 each"),
    GRID("grid", Sides.form(1024).or(StencilOption.CHOOSE), StencilOption.CHOOSE,
        "ranks as R rows and C columns; 1xN and Nx1 cut the field in one direction only; auto: as square as can be"),
    RESIDUAL_EVERY("residual-every", OptionForm.count(1, 1_000_000), "5",
        "reduce the largest change over all ranks in every so many steps"),
    VERIFY("verify", OptionForm.yesNo(), OptionValues.YES,
        "every rank compares its part with a serial run of the whole field, bit for bit");

    static final OptionTable<StencilOption> TABLE = OptionTable.of(StencilOption.class);
    /** The grid of ranks is chosen. */
    static final String CHOOSE = "auto";

    private final OptionText text;

    StencilOption(String key, OptionForm form, String defaultText, String meaning) {
        text = new OptionText(key, form, defaultText, meaning);
    }

    @Override
    public OptionText text() {
        return text;
    }
}
