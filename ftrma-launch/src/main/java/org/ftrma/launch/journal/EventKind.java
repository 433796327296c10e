package org.ftrma.launch.journal;

import java.util.List;

/** A kind of event in the event log of a job: a word, and the names of the numbers that go with it. Any thread. */
public enum EventKind {
    /** The job begins; the text is its program. */
    STARTED("started", "pid", "ranks", "checksums", "spares"),
    /** A process plays a member from now on; the text is its host. */
    ASSIGNED("assigned", "member", "process", "incarnation"),
    /** All members run. */
    RUNNING("running", "view", "fromStep"),
    /** How far the ranks are, now and then. */
    PROGRESS("progress", "leastStep", "greatestStep", "iterations", "averageStepNanos"),
    /** A generation is committed. */
    CUT("cut", "generation", "step", "blockedNanos", "parityNanos"),
    /** A checkpoint that was asked for is there. */
    CUT_SERVED("cut-served", "request", "generation", "step"),
    /** A cut was given up or put off, or a generation was given up; the text says why. */
    CUT_ABANDONED("cut-abandoned", "generation", "times", "waitedNanos"),
    /** A demand checkpoint is committed. */
    DEMAND("demand-checkpoint", "member", "checkpoint", "parity", "bytes"),
    /** A demand checkpoint was given up; the text says why. */
    DEMAND_ABANDONED("demand-abandoned", "member"),
    /** The coordinator sees a member in another state; the text is the old one and the new one. */
    MEMBER("member", "member", "view", "incarnation"),
    /** A member is lost; the text says how. */
    LOST("lost", "member", "view", "incarnation", "step"),
    /** All ranks go back although accesses are logged; the text says why. */
    FALLBACK("fallback", "member"),
    /** A recovery began. */
    RECOVERY("recovery", "view", "rolledBack", "generation", "toStep"),
    /** A lost rank has replayed. */
    REPLAYED("replayed", "member", "incarnation", "step", "stepsRepeated", "putsApplied", "resultsReplayed",
        "putsSuppressed", "joinNanos", "rebuildNanos", "agreeNanos", "replayNanos"),
    /** A lost member has its state again, and the job runs; the text says which way. */
    RECOVERED("recovered", "member", "incarnation"),
    /** A group has its redundancy, or lacks it. */
    REDUNDANCY("redundancy", "group", "whole"),
    /** Members go to other processes; the text names them. */
    MOVING("moving", "view", "generation", "step"),
    /** They run there; the text names them. */
    MOVED("moved", "view"),
    /** A host has come; the text is its name. */
    HOST_JOINED("host-joined", "slots"),
    /** A host is lost; the text is its name, and why. */
    HOST_LOST("host-lost"),
    /** A host is left; the text is its name, and why. */
    HOST_DRAINED("host-drained"),
    /** The memory that the job needs: a table. */
    MEMORY("memory"),
    /** The job starts from disk; the text is the place. */
    RESTARTED("restarted", "generation", "step"),
    /** A generation is on disk; the text is its name there. */
    FLUSHED("flushed", "generation", "step", "bytes", "nanos"),
    /** A generation does not go to disk; the text says why. */
    FLUSH_SKIPPED("flush-skipped", "generation"),
    /** A generation could not be written; the text says why. */
    FLUSH_FAILED("flush-failed", "generation"),
    /** A text. */
    NOTE("note"),
    /** The job is over; the text is the outcome, and what there is to say of it. */
    ENDED("ended", "exitCode", "checkpoints", "rollbacks", "localRecoveries");

    private final String word;
    private final List<String> numbers;

    EventKind(String word, String... numbers) {
        this.word = word;
        this.numbers = List.of(numbers);
    }

    /** The kind that is called so. */
    static EventKind of(String word) {
        for (EventKind kind : values()) {
            if (kind.word.equals(word)) {
                return kind;
            }
        }
        throw new IllegalArgumentException("event=" + word + ": no kind of event that this version knows");
    }

    /** What it is called. */
    public String word() {
        return word;
    }

    /** The names of its numbers, in their order. */
    public List<String> numbers() {
        return numbers;
    }
}
