package org.ftrma.options;

/** Every option of a job: name, form, default, unit and meaning in one place. Any thread. */
public enum JobOption implements CommandOption {
    RANKS("ranks", OptionForm.count(1, 1024), "2", "computing ranks (1 to 1024)"),
    CHECKSUMS("checksums", OptionForm.count(0, 4096), "0",
        "total checksum ranks, --losses per group; if only --protocol is given: those of one group"),
    LOSSES("losses", OptionForm.count(1, 4), "1",
        "simultaneous losses a group survives, and its number of checksum ranks (1 to 4)"),
    NODES("nodes", OptionForm.count(0, 1024), "0",
        "simulated nodes to place members and groups on, for --kill nodeX@K (0: none)"),
    /** A file; among processes the machine that it describes, as one line of text. */
    TOPOLOGY("topology", OptionForm.name("FILE"), JobOption.NOTHING,
        "instead of --nodes: file that describes a machine with several levels of failure domains"),
    AWARE("aware", OptionForm.name("LEVEL"), JobOption.NOTHING,
        "with --nodes or --topology: up to this level, such as node, at most --losses members of a group share "
        + "an element; " + JobOption.NOTHING + ": no limit"),
    SPARES("spares", OptionForm.count(0, 1024), "0", "standby processes, started in advance to replace dead ones"),
    PROTOCOL("protocol", OptionForm.oneOf(Protocol.values()), Protocol.COORDINATED.word(),
        OptionText.WORDS + "; without checksum ranks always " + Protocol.NONE),
    INTERVAL("interval", OptionForm.interval(), "daly",
        "checkpoint interval: daly, N steps, a time such as 2.7s, or none"),
    MTBF("mtbf", OptionForm.duration(1, 36_500 * Limits.DAY), "24h", "mean time between failures, for Daly's formula"),
    DEADLINE("deadline", Limits.deadline(1), "60s", "maximum wait for a peer that is alive and not recovering"),
    CUT_DEADLINE("cut-deadline", Limits.deadline(1), "10s",
        "abandon a checkpoint if ranks take longer to arrive, or (plus 1 s per 32 MiB) to copy or to make parity"),
    START_TIMEOUT("start-timeout", Limits.deadline(1), "60s",
        "give up unjoined processes after this long without a join, times missing processes per core"),
    HEARTBEAT_TIMEOUT("heartbeat-timeout", Limits.deadline(Limits.SHORTEST_SILENCE), "5s",
        "kill and replace a process that sends no heartbeat and uses no CPU for this long"),
    STALL_TIMEOUT("stall-timeout", Limits.deadline(Limits.SHORTEST_SILENCE), "45s",
        "kill and replace a process silent this long even if it uses CPU (one long memory operation may stop all"
        + " its threads); keep below --deadline"),
    RECOVERY_DEADLINE("recovery-deadline", Limits.deadline(1), "120s",
        "maximum time without recovery progress; then end the job, or replace a checksum rank again"),
    LOG_BUDGET("log-budget", OptionForm.size(1L << 20, 1L << 40).or(JobOption.AUTOMATIC), JobOption.AUTOMATIC,
        "access log memory per rank, allocated on use (protocols " + Protocol.that(Protocol::hasLogs) + "); "
        + JobOption.AUTOMATIC + ": 1/4 of free memory, shared by the ranks, 64MiB to 4GiB"),
    LOG_LOW("log-low", OptionForm.count(0, 100), "75",
        "percentage of log memory in use that triggers a demand checkpoint; 2/3 of it if six more steps would "
        + "not fit"),
    LOG_OVERFLOW("log-overflow", OptionForm.oneOf(LogOverflow.values()), LogOverflow.WARN.word(),
        "if access logs exceed the budget: " + OptionText.WORDS),
    DEMAND("demand", OptionForm.oneOf(DemandForm.values()), DemandForm.BULK.word(),
        "demand checkpoints of single ranks (protocol " + Protocol.that(Protocol::recoversLocally) + "): "
        + OptionText.WORDS),
    INDEPENDENT("independent", OptionForm.interval(), JobOption.NOTHING,
        "interval of periodic single-rank checkpoints, one rank after another (protocol "
        + Protocol.that(Protocol::recoversLocally) + "): as --interval"),
    STAGING("staging", OptionForm.oneOf(Staging.values()), Staging.CACHE.word(),
        "where Window.stage packs puts of 4 KiB or more (protocols " + Protocol.that(Protocol::logsPuts) + "): "
        + OptionText.WORDS),
    FLUSH("flush", OptionForm.directory(), JobOption.NOTHING,
        "write committed generations to this directory in the background, for --restart (" + JobOption.NOTHING
        + ": write nothing)"),
    FLUSH_EVERY("flush-every", OptionForm.count(1, 1_000_000), "1", "with --flush: write every Nth generation"),
    KEEP("keep", OptionForm.count(1, 1_000_000), "10",
        "with --flush: keep the newest N generations of this job and its branch, delete older ones"),
    EAGER("eager", OptionForm.size(8, 1 << 20), "4KiB",
        "copy messages up to this size into the receiver's memory; receivers fetch longer ones (8B to 1MiB)"),
    LANE("lane", OptionForm.size(4 << 10, 64 << 20), "64KiB",
        "receive buffer per sending rank (4KiB to 64MiB); at least four times --eager"),
    OUTBOX("outbox", OptionForm.size(128 << 10, 1L << 30), "16MiB",
        "memory per rank for long messages not yet fetched by their receivers (128KiB to 1GiB)"),
    UNEXPECTED("unexpected", OptionForm.size(64 << 10, 1L << 30), "16MiB",
        "memory per rank for messages that arrive before a matching receive (64KiB to 1GiB)"),
    MESSAGE_LOG("message-log", OptionForm.size(1 << 20, 1L << 30), "64MiB",
        "memory per rank for sent messages not yet in an image of their receiver; each must fit whole (protocol "
        + Protocol.that(Protocol::logsMessages) + "; 1MiB to 1GiB)"),
    EVENT_LOGGER("event-logger", OptionForm.oneOf(EventLoggerForm.values()), EventLoggerForm.ONESIDED.word(),
        "how events reach a rank's event loggers, its group's checksum ranks (protocol "
        + Protocol.that(Protocol::logsMessages) + "): " + OptionText.WORDS),
    DIRECT_COLLECTIVES("direct-collectives", OptionForm.count(1, 65_535), "8",
        "up to this many ranks, allReduce and allGather read from every rank; above that, from log2 of the "
        + "ranks, along a tree"),
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
