package org.ftrma.apps.npb;

import org.ftrma.MisuseException;
import org.ftrma.options.CommandOption;
import org.ftrma.options.OptionForm;
import org.ftrma.options.OptionTable;
import org.ftrma.options.OptionText;

/** The arguments of CG and IS: name, form, default and meaning in one place. Any thread. */
enum NpbOption implements CommandOption {
    CLASS("class", OptionForm.of("NAME", NpbOption::problem), "S",
        "problem class: " + String.join(", ", ClassTable.NAMES)),
    ITERATIONS("iterations", OptionForm.count(1, 1_000_000), "the class's own number",
        "iterations of the outer loop, 1 to 1000000; CG cannot verify fewer than the class's own"),
    WARM_UP("warm-up", OptionForm.decimal("SECONDS", 60, "in seconds"), "1.5",
        "run untimed iterations this long before the measurement, at least one; 0 to 60");

    static final OptionTable<NpbOption> TABLE = OptionTable.of(NpbOption.class);

    private final OptionText text;

    NpbOption(String key, OptionForm form, String defaultText, String meaning) {
        text = new OptionText(key, form, defaultText, meaning);
    }

    @Override
    public OptionText text() {
        return text;
    }

    static long problem(String key, String value) {
        if (!ClassTable.NAMES.contains(value)) {
            throw new MisuseException("--" + key + "=" + value + ": must be one of "
                + String.join(", ", ClassTable.NAMES));
        }
        return 0;
    }
}
