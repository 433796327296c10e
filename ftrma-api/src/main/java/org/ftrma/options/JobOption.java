package org.ftrma.options;

/** Every option of a job: name, kind, default, unit and meaning in one place. */
public enum JobOption implements CommandOption {
    RANKS("ranks", Kind.COUNT, "2", "computing ranks (1 to 1024)", 1, 1024),
    CHECKSUMS("checksums", Kind.COUNT, "0", "checksum ranks of all groups together; each group has as many as --losses says; with --protocol alone, "
        + "those of one group", 0, 4096),
    LOSSES("losses", Kind.COUNT, "1", "losses that each group survives at once, and its checksum ranks (1 to 4)", 1, 4),
    NODES("nodes", Kind.COUNT, "0", "simulated nodes that members are spread over, and groups are placed on: for --kill nodeX@K (0: none)", 0, 1024),
    TOPOLOGY("topology", Kind.FILE, "none", "in place of --nodes: a machine from a file, with failure domains of several levels", 0, 0),
    AWARE("aware", Kind.AWARE, "none",
        "with --nodes or --topology: the level at and below which at most --losses members of a group share an element, such as node; or none "
            + "(groups are of neighbours)", 0, 0),
    SPARES("spares", Kind.COUNT, "0", "processes started ahead to replace dead ones", 0, 1024),
    PROTOCOL("protocol", Kind.PROTOCOL, "coordinated",
        "none (no protection), coordinated (diskless coordinated checkpoints), full (accesses are logged too: only a lost rank goes back); or, to "
            + "compare with, puts (as coordinated, and puts are logged) or ml (as coordinated, and accesses are logged at the checksum ranks); "
            + "without checksum ranks always none", 0, 0),
    INTERVAL("interval", Kind.INTERVAL, "daly", "when to checkpoint: daly, N (steps), T with a unit (2.7s), or none", 0, 0),
    MTBF("mtbf", Kind.DURATION, "24h", "mean time between failures, for Daly's formula", 1, 36_500 * Limits.DAY),
    DEADLINE("deadline", Kind.DURATION, "60s", "longest wait for a peer that is alive and not recovering", 1, 365 * Limits.DAY),
    CUT_DEADLINE("cut-deadline", Kind.DURATION, "10s",
        "longest wait for all ranks at a checkpoint, and (a second more for each 32 MiB) for copies and for parity; then it is abandoned", 1,
        365 * Limits.DAY),
    START_TIMEOUT("start-timeout", Kind.DURATION, "60s",
        "processes that have not joined are given up when none has joined for so long, times the number of those that are missing for each core", 1,
        365 * Limits.DAY),
    HEARTBEAT_TIMEOUT("heartbeat-timeout", Kind.DURATION, "5s",
        "a process that is silent and uses no processor time for so long is killed and replaced", 100_000_000L, 365 * Limits.DAY),
    STALL_TIMEOUT("stall-timeout", Kind.DURATION, "45s",
        "a process that is silent for so long is killed and replaced although it uses the processor (all its threads may have to wait for one long "
            + "operation on memory); less than --deadline, so that the others do not give up first", 100_000_000L, 365 * Limits.DAY),
    RECOVERY_DEADLINE("recovery-deadline", Kind.DURATION, "120s",
        "longest time in which a recovery gets no further; then the job ends, or, if it is a checksum rank's, that is "
            + "replaced once more", 1, 365 * Limits.DAY),
    LOG_BUDGET("log-budget", Kind.SIZE, "auto",
        "memory of each rank for access logs (protocols full, puts and ml), taken as it is used; auto: a quarter of what the machine has free, shared "
        + "by the ranks, 64MiB to 4GiB", 1L << 20, 1L << 40),
    LOG_LOW("log-low", Kind.COUNT, "75",
        "percent of the log budget in use from which on a rank asks for a demand checkpoint; two thirds of that where six steps more would not fit",
        0, 100),
    LOG_OVERFLOW("log-overflow", Kind.OVERFLOW, "warn",
        "where logs do not fit the budget: warn (a loss is then a fallback until the next checkpoint), or error "
        + "(the job ends)", 0, 0),
    DEMAND("demand", Kind.DEMAND, "bulk",
        "demand checkpoints of single ranks (protocol full): bulk (a new parity beside the old one), streaming (the "
        + "parity is changed in place), or off", 0, 0),
    STAGING("staging", Kind.STAGING, "cache",
        "where Window.stage lets a put of 4 KiB or more be packed (protocols full and puts): cache (a buffer that stays in the processor's caches; the "
        + "put streams it past them to the log, if that is larger than they are) or log (memory of the log: logged without a copy)", 0, 0),
    FLUSH("flush", Kind.DIRECTORY, "none", "directory to write committed generations to, in the background, for --restart (none: nothing is written)",
        0, 0),
    FLUSH_EVERY("flush-every", Kind.COUNT, "1", "with --flush: every so many generations", 1, 1_000_000),
    KEEP("keep", Kind.COUNT, "2", "with --flush: so many of this job are kept, older ones are removed", 1, 1_000_000),
    PATH("path", Kind.PATH, "auto", "auto (mapped memory where possible) or network (always through UCX, over tcp loopback)", 0, 0);

    /** The form of an option's value. */
    public enum Kind {
        /** A whole number. */
        COUNT("N"),
        /** A time with a unit: ns, us, ms, s, m, h, d. */
        DURATION("TIME"),
        /** A number of bytes with a unit: B, KiB, MiB, GiB; or auto, where that is the default. */
        SIZE("BYTES"),
        /** A file; among processes the machine that it describes, as one line of text. */
        FILE("FILE"),
        /** A level of the machine, or none. */
        AWARE("LEVEL"),
        /** none, coordinated, full, puts or ml. */
        PROTOCOL("NAME"),
        /** daly, steps, a duration, or none. */
        INTERVAL("WHEN"),
        /** warn or error. */
        OVERFLOW("NAME"),
        /** bulk, streaming or off. */
        DEMAND("NAME"),
        /** cache or log. */
        STAGING("NAME"),
        /** A directory, or none. */
        DIRECTORY("DIR"),
        /** auto or network. */
        PATH("NAME");

        private final String label;

        Kind(String label) {
            this.label = label;
        }

        /** What stands for the value in a help text. */
        public String label() {
            return label;
        }
    }

    /** Constants of an enum are not there yet when its values are made. */
    private static final class Limits {
        static final long DAY = 86_400_000_000_000L;
    }

    private final OptionText text;
    private final Kind kind;
    private final long min;
    private final long max;

    JobOption(String key, Kind kind, String defaultValue, String meaning, long min, long max) {
        this.text = new OptionText(key, kind.label, defaultValue, meaning);
        this.kind = kind;
        this.min = min;
        this.max = max;
    }

    @Override
    public OptionText text() {
        return text;
    }

    /** The form of the value. */
    public Kind kind() {
        return kind;
    }

    /** The value where none is given. */
    public String defaultValue() {
        return defaultText();
    }

    long min() {
        return min;
    }

    /** The largest number that is allowed. */
    public long max() {
        return max;
    }

    /** The option of that name, or null. */
    public static JobOption byKey(String key) {
        return CommandOption.byKey(values(), key);
    }
}
