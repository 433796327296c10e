package org.ftrma.apps.samples;

import org.ftrma.options.CommandOption;
import org.ftrma.options.OptionForm;
import org.ftrma.options.OptionTable;
import org.ftrma.options.OptionText;

/** The arguments of the search sample: name, form, default and meaning in one place. Any thread. */
enum BfsOption implements CommandOption {
    STEPS("steps", OptionForm.count(1, 1_000_000), "1000000", "steps at most, 1 to 1000000"),
    VERTICES("vertices", OptionForm.count(1, 100_000_000), "100000", "vertices of the graph, 1 to 100000000"),
    DEGREE("degree", OptionForm.count(1, 1000), "4",
        "edges that begin at each vertex, 1 to 1000; they are followed in this direction");

    static final OptionTable<BfsOption> TABLE = OptionTable.of(BfsOption.class);

    private final OptionText text;

    BfsOption(String key, OptionForm form, String defaultText, String meaning) {
        text = new OptionText(key, form, defaultText, meaning);
    }

    @Override
    public OptionText text() {
        return text;
    }
}
