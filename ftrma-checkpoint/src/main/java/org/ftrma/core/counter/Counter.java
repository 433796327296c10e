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
    STEP("step", Unit.STEPS),
    /** When the process began to count, by the clock of its host; 0: that has none. */
    STARTED_WALL("started, wall clock", Unit.EPOCH_MILLIS),
    /** When the process last showed its launcher that it lives; a thread of its own does. */
    HEARTBEAT("heartbeat", Unit.NANOS),
    /** When that was, by the clock of its host. */
    HEARTBEAT_WALL("heartbeat, wall clock", Unit.EPOCH_MILLIS),
    /** Accesses that were logged. */
    ACCESSES("logged accesses", Unit.COUNT),
    /** Bytes written to logs of puts. */
    PUT_LOG_BYTES("bytes to logs of puts", Unit.BYTES),
    /** Bytes written to logs of what was read. */
    GET_LOG_BYTES("bytes to logs of results", Unit.BYTES),
    /** Epochs closed, towards whatever rank. */
    EPOCHS("epochs", Unit.COUNT),
    /** Gsyncs and other collectives. */
    COLLECTIVES("collectives", Unit.COUNT),
    /** How often a log was dropped for want of room. */
    DROPPED_LOGS("dropped logs", Unit.COUNT),
    /** Memory that logs take here. */
    LOG_BYTES("log in use", Unit.BYTES),
    /** The most that it was. */
    PEAK_LOG_BYTES("log peak", Unit.BYTES),
    /** Cuts with the others that this member took part in. */
    CHECKPOINTS("checkpoints", Unit.COUNT),
    /** Time that these held it up. */
    BLOCKED("blocked by checkpoints", Unit.NANOS),
    /** Checkpoints of this member alone. */
    DEMAND_CHECKPOINTS("demand checkpoints", Unit.COUNT),
    /** Time that these held it up. */
    DEMAND_BLOCKED("blocked by demand checkpoints", Unit.NANOS),
    /** Parities that a checksum rank made of all its group's images. */
    PARITIES("parities", Unit.COUNT),
    /** Time that these took. */
    PARITY("time of parities", Unit.NANOS),
    /** Whether this process replaced another one and has replayed. */
    RECOVERIES("recoveries", Unit.COUNT),
    /** Its recovery: to the view joined. */
    RECOVERY_JOIN("recovery: join", Unit.NANOS),
    /** Its recovery: its image rebuilt. */
    RECOVERY_REBUILD("recovery: rebuild", Unit.NANOS),
    /** Its recovery: agreement on the logs. */
    RECOVERY_AGREE("recovery: agree", Unit.NANOS),
    /** Its recovery: execution with replay. */
    RECOVERY_REPLAY("recovery: replay", Unit.NANOS),
    /** For whom the process waits, or waited last; -1: for no member in particular. */
    WAIT_PEER("waits for member", Unit.NUMBER),
    /** Which of the kinds of waits that is. */
    WAIT_KIND("kind of wait", Unit.NUMBER),
    /** Since when. */
    WAIT_SINCE("waits since", Unit.NANOS),
    /** When it still did. */
    WAIT_SEEN("waited at", Unit.NANOS);

    /** What a number counts. */
    public enum Unit {
        /** Nothing: it names one of several. */
        NUMBER,
        /** How often something happened. */
        COUNT,
        /** Steps of the program's loop, from 1 on. */
        STEPS,
        /** Bytes. */
        BYTES,
        /** Nanoseconds: a duration, or a moment of the host's clock. */
        NANOS,
        /** Milliseconds since 1970. */
        EPOCH_MILLIS
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
