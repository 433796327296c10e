package org.ftrma.options;

/** Every option of a job: name, form, default, unit and meaning in one place. Any thread. */
public enum JobOption implements CommandOption {
    RANKS("ranks", OptionForm.count(1, 1024), "2", "computing ranks (1 to 1024)"),
    CHECKSUMS("checksums", OptionForm.count(0, 4096), "0",
        "checksum ranks of all groups together; each group has as many as --losses says; with --protocol alone, those "
        + "of one group"),
    LOSSES("losses", OptionForm.count(1, 4), "1", "losses that each group survives at once, and its checksum ranks (1 "
        + "to 4)"),
    NODES("nodes", OptionForm.count(0, 1024), "0",
        "simulated nodes that members are spread over, and groups are placed on: for --kill nodeX@K (0: none)"),
    /** A file; among processes the machine that it describes, as one line of text. */
    TOPOLOGY("topology", OptionForm.name("FILE"), JobOption.NOTHING,
        "in place of --nodes: a machine from a file, with failure domains of several levels"),
    AWARE("aware", OptionForm.name("LEVEL"), JobOption.NOTHING,
        "with --nodes or --topology: the level at and below which at most --losses members of a group share an "
        + "element, such as node; or "
        + JobOption.NOTHING + " (wherever they are)"),
    SPARES("spares", OptionForm.count(0, 1024), "0", "processes started ahead to replace dead ones"),
    PROTOCOL("protocol", OptionForm.oneOf(Protocol.values()), Protocol.COORDINATED.word(),
        OptionText.WORDS + "; without checksum ranks always " + Protocol.NONE),
    INTERVAL("interval", OptionForm.interval(), "daly", "when to checkpoint: daly, N (steps), T with a unit (2.7s), "
        + "or none"),
    MTBF("mtbf", OptionForm.duration(1, 36_500 * Limits.DAY), "24h", "mean time between failures, for Daly's formula"),
    DEADLINE("deadline", Limits.deadline(1), "60s", "longest wait for a peer that is alive and not recovering"),
    CUT_DEADLINE("cut-deadline", Limits.deadline(1), "10s",
        "longest wait for all ranks at a checkpoint, and (a second more for each 32 MiB) for copies and for parity; "
        + "then it is abandoned"),
    START_TIMEOUT("start-timeout", Limits.deadline(1), "60s", "processes that have not joined are given up when none "
        + "has joined for so long, "
        + "times the number of those that are missing for each core"),
    HEARTBEAT_TIMEOUT("heartbeat-timeout", Limits.deadline(Limits.SHORTEST_SILENCE), "5s",
        "a process that is silent and uses no processor time for so long is killed and replaced"),
    STALL_TIMEOUT("stall-timeout", Limits.deadline(Limits.SHORTEST_SILENCE), "45s",
        "a process that is silent for so long is killed and replaced although it uses the processor (all its threads "
        + "may have to wait for "
        + "one long operation on memory); less than --deadline, so that the others do not give up first"),
    RECOVERY_DEADLINE("recovery-deadline", Limits.deadline(1), "120s",
        "longest time in which a recovery gets no further; then the job ends, or, if it is a checksum rank's, that is "
        + "replaced once more"),
    LOG_BUDGET("log-budget", OptionForm.size(1L << 20, 1L << 40).or(JobOption.AUTOMATIC), JobOption.AUTOMATIC,
        "memory of each rank for access logs (protocols " + Protocol.that(Protocol::hasLogs)
        + "), taken as it is used; " + JobOption.AUTOMATIC
        + ": a quarter of what the machine has free, shared by the ranks, 64MiB to 4GiB"),
    LOG_LOW("log-low", OptionForm.count(0, 100), "75", "percent of the log budget in use from which on a rank asks "
        + "for a demand checkpoint; "
        + "two thirds of that where six steps more would not fit"),
    LOG_OVERFLOW("log-overflow", OptionForm.oneOf(LogOverflow.values()), LogOverflow.WARN.word(),
        "where logs do not fit the budget: " + OptionText.WORDS),
    DEMAND("demand", OptionForm.oneOf(DemandForm.values()), DemandForm.BULK.word(),
        "demand checkpoints of single ranks (protocol "
        + Protocol.that(Protocol::recoversLocally) + "): " + OptionText.WORDS),
    INDEPENDENT("independent", OptionForm.interval(), JobOption.NOTHING, "when each rank takes a demand checkpoint "
        + "that nobody needs, one rank after the other (protocol " + Protocol.that(Protocol::recoversLocally)
        + "): as --interval"),
    STAGING("staging", OptionForm.oneOf(Staging.values()), Staging.CACHE.word(),
        "where Window.stage lets a put of 4 KiB or more be packed "
        + "(protocols " + Protocol.that(Protocol::logsPuts) + "): " + OptionText.WORDS),
    FLUSH("flush", OptionForm.directory(), JobOption.NOTHING, "directory to write committed generations to, in the "
        + "background, for --restart ("
        + JobOption.NOTHING + ": nothing is written)"),
    FLUSH_EVERY("flush-every", OptionForm.count(1, 1_000_000), "1", "with --flush: every so many generations"),
    KEEP("keep", OptionForm.count(1, 1_000_000), "10", "with --flush: so many of this job are kept, and of the branch "
        + "that it writes; older ones are removed"),
    EAGER("eager", OptionForm.size(8, 1 << 20), "4KiB",
        "messages of up to so many bytes are copied into the memory of their receivers, longer ones are fetched by "
        + "them (8B to 1MiB)"),
    LANE("lane", OptionForm.size(4 << 10, 64 << 20), "64KiB",
        "memory of a rank for messages of each rank that sends to it (4KiB to 64MiB); at least four times --eager"),
    OUTBOX("outbox", OptionForm.size(128 << 10, 1L << 30), "16MiB",
        "memory of a rank for long messages that their receivers have not fetched yet (128KiB to 1GiB)"),
    UNEXPECTED("unexpected", OptionForm.size(64 << 10, 1L << 30), "16MiB",
        "memory of a rank for messages that came before their receives (64KiB to 1GiB)"),
    MESSAGE_LOG("message-log", OptionForm.size(1 << 20, 1L << 30), "64MiB",
        "memory of a rank for messages that it has sent and that images of their receivers do not cover yet; each "
        + "must fit into it as a whole (protocol "
        + Protocol.that(Protocol::logsMessages) + "; 1MiB to 1GiB)"),
    EVENT_LOGGER("event-logger", OptionForm.oneOf(EventLoggerForm.values()), EventLoggerForm.ONESIDED.word(),
        "how events come to the event loggers of a rank, the checksum ranks of its group (protocol "
        + Protocol.that(Protocol::logsMessages) + "): " + OptionText.WORDS),
    DIRECT_COLLECTIVES("direct-collectives", OptionForm.count(1, 65_535), "8",
        "up to so many ranks, each reads what every other one contributes to allReduce and allGather; in a larger "
        + "job from log2 of the ranks, along a tree"),
    PATH("path", OptionForm.oneOf(AccessPath.values()), AccessPath.AUTO.word(), OptionText.WORDS);

    /** All job options. */
    public static final OptionTable<JobOption> TABLE = OptionTable.of(JobOption.class);
    /** The value of options that name something, where there is nothing. */
    static final String NOTHING = "none";
    /** The value of options that are left to the machine. */
    static final String AUTOMATIC = "auto";

    /** Constants of an enum are not there yet when its values are made. */
    private static final class Limits {
        static final long DAY = 86_400_000_000_000L;
        static final long SHORTEST_SILENCE = 100_000_000L;

        static OptionForm deadline(long minNanos) {
            return OptionForm.duration(minNanos, 365 * DAY);
        }
    }

    private final OptionText text;

    JobOption(String key, OptionForm form, String defaultText, String meaning) {
        this.text = new OptionText(key, form, defaultText, meaning);
    }

    @Override
    public OptionText text() {
        return text;
    }
}
