package org.ftrma.apps.samples;

import org.ftrma.Ftrma;

/**
 * Tasks that make tasks, taken from others by who has none: {@code ./ftrma sample tasks --ranks 4}, or
 * {@code ./ftrma run … -- org.ftrma.apps.samples.Tasks}.
 */
public final class Tasks {
    private Tasks() {
    }

    /** Runs this process's rank; returns when the job is done. */
    public static void main(String[] args) {
        Ftrma.run(args, new TasksProgram(TasksOptions.parse(args)));
    }
}
