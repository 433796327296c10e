package org.ftrma.apps.samples;

import org.ftrma.options.CommandOption;
import org.ftrma.options.OptionForm;
import org.ftrma.options.OptionTable;
import org.ftrma.options.OptionText;

/** The arguments of the task sample: name, form, default and meaning in one place. Any thread. */
enum TasksOption implements CommandOption {
    STEPS("steps", OptionForm.count(1, 1_000_000), "1000000", "steps at most, 1 to 1000000"),
    ROOTS("roots", OptionForm.count(1, 100_000), "64", "tasks that rank 0 begins with, 1 to 100000"),
    DEPTH("depth", OptionForm.count(1, 30), "12",
        "generations of tasks: each makes up to three further ones, but for the last, 1 to 30"),
    BATCH("batch", OptionForm.count(1, 100_000), "64", "tasks that a rank does in a step at most, 1 to 100000"),
    CAPACITY("capacity", OptionForm.count(16, 10_000_000), "4096",
        "tasks that a rank's queue has room for, 16 to 10000000");

    static final OptionTable<TasksOption> TABLE = OptionTable.of(TasksOption.class);

    private final OptionText text;

    TasksOption(String key, OptionForm form, String defaultText, String meaning) {
        text = new OptionText(key, form, defaultText, meaning);
    }

    @Override
    public OptionText text() {
        return text;
    }
}
