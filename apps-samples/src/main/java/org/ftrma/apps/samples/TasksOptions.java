package org.ftrma.apps.samples;

import org.ftrma.MisuseException;
import org.ftrma.options.OptionValues;

/**
 * The task sample's arguments. Immutable; any thread.
 *
 * @param steps steps of the loop, at most
 * @param roots tasks that rank 0 begins with
 * @param depth generations of tasks
 * @param batch tasks that a rank does in a step, at most
 * @param capacity tasks that a queue has room for
 */
record TasksOptions(int steps, int roots, int depth, int batch, int capacity) {
    static TasksOptions parse(String[] args) {
        OptionValues<TasksOption> values = TasksOption.TABLE.parse(args);
        if (values.count(TasksOption.ROOTS) > values.count(TasksOption.CAPACITY)) {
            throw new MisuseException("roots=" + values.count(TasksOption.ROOTS) + ": must be at most the capacity, "
                + values.count(TasksOption.CAPACITY));
        }
        return new TasksOptions(values.count(TasksOption.STEPS),
            values.count(TasksOption.ROOTS),
            values.count(TasksOption.DEPTH),
            values.count(TasksOption.BATCH),
            values.count(TasksOption.CAPACITY));
    }
}
