package org.ftrma;

/**
 * Keeps a program from reading a protected value before it is there: the memory of a process that takes a lost rank's
 * place, or begins from disk, is restored when the first step begins. Any thread that may read the value; allocates
 * nothing.
 */
final class CellGate {
    private final Job job;
    private final String what;
    private final String name;

    /** Of the value of that name. */
    CellGate(Job job, String what, String name) {
        this.job = job;
        this.what = what;
        this.name = name;
    }

    void requireState() {
        if (!job.hasState()) {
            throw new MisuseException(what + " " + name + ": is read before the first step, outside of initialize: a "
                + "process that takes a lost rank's place has nothing there yet; read it in the loop over job.steps() "
                + "or by job.nextStep(), after it, or in what is handed to job.initialize()");
        }
    }
}
