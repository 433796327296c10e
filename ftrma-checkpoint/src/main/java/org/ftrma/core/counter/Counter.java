package org.ftrma.core.counter;

/** A number that a process keeps beside its states. The ordinal is its place in {@link CounterDescriptor}. */
public enum Counter {
    /** When the process began to count. */
    STARTED("started", Unit.NANOS),
    /** The newest view that the process was told of; 0: none. */
    VIEW("view", Unit.NUMBER),
    /** The timeline of that view. */
    TIMELINE("timeline", Unit.NUMBER),
    /** The newest generation known to be committed. */
    GENERATION("generation", Unit.NUMBER),
    /** The step after which the generation was taken that the view started from. */
    GENERATION_STEP("view's first generation taken after step", Unit.STEPS),
    /** The step that the program is in, or was in last; 0: it is before its first one. */
    STEP("step", Unit.STEPS);

    /** What a number counts. */
    public enum Unit {
        /** Nothing: it names one of several. */
        NUMBER,
        /** Steps of the program's loop, from 1 on. */
        STEPS,
        /** Nanoseconds of the job's clock. */
        NANOS
    }

    private final String label;
    private final Unit unit;

    Counter(String label, Unit unit) {
        this.label = label;
        this.unit = unit;
    }

    /** What it is called, for people. */
    public String label() {
        return label;
    }

    /** What it counts. */
    public Unit unit() {
        return unit;
    }
}
