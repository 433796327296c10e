package org.ftrma.options;

import java.util.EnumMap;
import java.util.Map;
import java.util.TreeMap;
import org.ftrma.MisuseException;

/** The options of one job: validated, immutable. Any thread. */
public final class JobOptions {
    private static final long LEAST_LOG_BYTES = 64L << 20;
    private static final long MOST_LOG_BYTES = 4L << 30;
    private static final long LOG_SHARE = 4;
    private static final long LINE = 64;
    private static final int FRAMES = 4;
    /** The only level of a machine that is a number of nodes. */
    private static final String NODE = "node";
    private final EnumMap<JobOption, String> values = new EnumMap<>(JobOption.class);
    /** What the values are as numbers, at their ordinals: they are asked for in every step. */
    private final long[] numbers = new long[JobOption.values().length];
    private final Protocol asked;
    private final Protocol protocol;

    private JobOptions(Map<JobOption, String> given) {
        for (JobOption option : JobOption.TABLE.options()) {
            set(option, given.getOrDefault(option, option.defaultText()).trim());
        }
        if (given.containsKey(JobOption.PROTOCOL) && !given.containsKey(JobOption.CHECKSUMS)) {
            // Who names a protection wants it; with protocol none there is none anyway.
            set(JobOption.CHECKSUMS, values.get(JobOption.LOSSES));
        }
        asked = Protocol.values()[(int) number(JobOption.PROTOCOL)];
        protocol = checksums() > 0 ? asked : Protocol.NONE;
        validateGroups();
    }

    private void set(JobOption option, String value) {
        numbers[option.ordinal()] = option.number(value);
        values.put(option, value);
    }

    /** Options from names and values; what is not given has its default. */
    public static JobOptions of(Map<String, String> given) {
        Map<JobOption, String> known = new EnumMap<>(JobOption.class);
        for (Map.Entry<String, String> entry : given.entrySet()) {
            JobOption option = JobOption.TABLE.byKey(entry.getKey());
            if (option == null) {
                throw new MisuseException("--" + entry.getKey() + ": no such job option");
            }
            known.put(option, entry.getValue());
        }
        return from(known);
    }

    /** The same of options that are known. */
    public static JobOptions from(Map<JobOption, String> given) {
        return new JobOptions(given);
    }

    /** Options that are to be chosen, one after the other. */
    public static Builder builder() {
        return new Builder();
    }

    /** These options, of which some are to be changed; all count as given. */
    public Builder with() {
        Builder builder = new Builder();
        builder.given.putAll(values);
        return builder;
    }

    /** Collects options. One thread. */
    public static final class Builder {
        private final Map<JobOption, String> given = new EnumMap<>(JobOption.class);

        private Builder() {
        }

        /** Gives an option a value: a number, a word, or a text as of a command line. */
        public Builder set(JobOption option, Object value) {
            given.put(option, value.toString());
            return this;
        }

        /** Whether it has a value. */
        public boolean has(JobOption option) {
            return given.containsKey(option);
        }

        /** The value so far, or its default. */
        public String value(JobOption option) {
            return given.getOrDefault(option, option.defaultText());
        }

        /**
         * The options.
         *
         * @throws MisuseException with the option, the value and what is allowed
         */
        public JobOptions build() {
            return new JobOptions(given);
        }
    }

    private void validateGroups() {
        if (checksums() % losses() != 0) {
            throw new MisuseException("--checksums=" + checksums() + " --losses=" + losses() + ": each group has "
                + losses()
                + " checksum ranks, so their number must be a multiple of it, such as " + (checksums() / losses()
                + 1) * losses());
        }
        if (groups() > ranks()) {
            throw new MisuseException("--checksums=" + checksums() + ": at most " + (losses() == 1 ? "one" : losses()
                + " (--losses)")
                + " per computing rank (--ranks=" + ranks() + ")");
        }
        if (laneBytes() < FRAMES * eagerBytes()) {
            throw new MisuseException("--lane=" + value(JobOption.LANE) + " --eager=" + value(JobOption.EAGER)
                + ": a lane must hold " + FRAMES + " messages of --eager bytes");
        }
        if (isFlushed() && !isProtected()) {
            throw new MisuseException("--flush=" + value(JobOption.FLUSH)
                + ": the job takes no checkpoints that could be written; add --checksums 1"
                + " (or more) with --protocol coordinated, full or pessimistic-v");
        }
        if (nodes() > 0 && !topology().isEmpty()) {
            throw new MisuseException("--nodes=" + nodes() + ": not together with --topology, which has nodes of its "
                + "own");
        }
        if (nodes() > 0) {
            if (!aware().equals(JobOption.NOTHING) && !aware().equals(NODE)) {
                throw new MisuseException("--" + JobOption.AWARE.key() + "=" + aware() + ": must be one of "
                    + JobOption.NOTHING + ", " + NODE);
            }
        } else if (!aware().equals(JobOption.NOTHING) && topology().isEmpty()) {
            throw new MisuseException("--aware=" + aware() + ": there are no nodes; add --nodes N or --topology FILE");
        }
    }

    /** The value as given, or its default. */
    public String value(JobOption option) {
        return values.get(option);
    }

    /** All values by name. */
    public Map<String, String> asMap() {
        Map<String, String> map = new TreeMap<>();
        values.forEach((option, value) -> map.put(option.key(), value));
        return map;
    }

    /** Number of computing ranks. */
    public int ranks() {
        return (int) number(JobOption.RANKS);
    }

    /** Number of checksum ranks of all groups; 0 where the job is not protected. */
    public int checksums() {
        return asked == Protocol.NONE ? 0 : (int) number(JobOption.CHECKSUMS);
    }

    /** How many losses a group survives at once, and its checksum ranks: m. */
    public int losses() {
        return (int) number(JobOption.LOSSES);
    }

    /** Number of groups; 0 where the job is not protected. */
    public int groups() {
        return checksums() / losses();
    }

    /** Number of simulated nodes; 0 where there are none, or those of a topology. */
    public int nodes() {
        return (int) number(JobOption.NODES);
    }

    /** The machine on which members are placed, as one line of text; empty where none was given. */
    public String topology() {
        String text = value(JobOption.TOPOLOGY);
        return text.equals(JobOption.NOTHING) ? "" : text;
    }

    /** Whether members are placed on nodes. */
    public boolean hasNodes() {
        return nodes() > 0 || !topology().isEmpty();
    }

    /** The level of the machine at and below which groups are kept apart, or none. */
    public String aware() {
        return value(JobOption.AWARE);
    }

    /** Number of spare processes. */
    public int spares() {
        return (int) number(JobOption.SPARES);
    }

    /** How the job's state is made recoverable: {@link Protocol#NONE} where there are no checksum ranks. */
    public Protocol protocol() {
        return protocol;
    }

    /** The protocol as it was asked for, which without checksum ranks does nothing. */
    public Protocol askedProtocol() {
        return asked;
    }

    /** Whether there are checkpoints: a protocol that takes them, and at least one checksum rank. */
    public boolean isProtected() {
        return protocol.takesCheckpoints();
    }

    /** The longest message, in bytes, that is copied into its receiver's memory. */
    public long eagerBytes() {
        return number(JobOption.EAGER);
    }

    /** Bytes of a lane: for messages from one rank to another. */
    public long laneBytes() {
        return number(JobOption.LANE) & -LINE;
    }

    /** Bytes for long messages that were sent and not fetched. */
    public long outboxBytes() {
        return number(JobOption.OUTBOX);
    }

    /** Bytes for messages that came before their receives. */
    public long unexpectedBytes() {
        return number(JobOption.UNEXPECTED);
    }

    /** Bytes for messages that were sent, where these are logged. */
    public long messageLogBytes() {
        return number(JobOption.MESSAGE_LOG);
    }

    /** Whether event loggers store what they are given and acknowledge it. */
    public boolean areEventLoggersActive() {
        return value(JobOption.EVENT_LOGGER).equals(EventLoggerForm.ACTIVE.word());
    }

    /** Up to how many ranks each reads what every other one contributes to a reduction or a gather. */
    public int directCollectives() {
        return (int) number(JobOption.DIRECT_COLLECTIVES);
    }

    /** Bytes of log memory per rank; where that is left to the machine and {@link #on} has not been called, 256 MiB. */
    public long logBudgetBytes() {
        if (isLogBudgetAutomatic()) {
            return 4 * LEAST_LOG_BYTES;
        }
        return number(JobOption.LOG_BUDGET);
    }

    private boolean isLogBudgetAutomatic() {
        return value(JobOption.LOG_BUDGET).equals(JobOption.AUTOMATIC);
    }

    /**
     * These options on a machine: what they leave to it is decided.
     *
     * @param availableBytes the memory that it has free
     */
    public JobOptions on(long availableBytes) {
        if (!isLogBudgetAutomatic()) {
            return this;
        }
        long share = Math.clamp(availableBytes / LOG_SHARE / ranks() / LEAST_LOG_BYTES * LEAST_LOG_BYTES,
            LEAST_LOG_BYTES, MOST_LOG_BYTES);
        return with().set(JobOption.LOG_BUDGET, share + "B").build();
    }

    /** Percent of the log memory in use from which on a rank asks for a demand checkpoint. */
    public int logLowPercent() {
        return (int) number(JobOption.LOG_LOW);
    }

    /** Whether a log that does not fit the budget ends the job. */
    public boolean isLogOverflowError() {
        return is(JobOption.LOG_OVERFLOW, LogOverflow.ERROR);
    }

    /** Whether single ranks take demand checkpoints: accesses are logged. */
    public boolean hasDemandCheckpoints() {
        return protocol.recoversLocally() && !is(JobOption.DEMAND, DemandForm.OFF);
    }

    /** Whether a demand checkpoint changes the parity in place. */
    public boolean isDemandStreaming() {
        return is(JobOption.DEMAND, DemandForm.STREAMING);
    }

    /** Whether the data of large puts, too, is packed in the log. */
    public boolean isStagedInLog() {
        return is(JobOption.STAGING, Staging.LOG);
    }

    /** Whether committed generations are written to a directory. */
    public boolean isFlushed() {
        return !value(JobOption.FLUSH).equals(JobOption.NOTHING);
    }

    /**
     * Whether somebody outside may ask for a checkpoint, for which ranks must agree on one at any boundary: so that the
     * job stops on disk, or a host is left.
     */
    public boolean mayBeAskedToCut() {
        return isFlushed() || is(JobOption.PATH, AccessPath.MIXED);
    }

    /**
     * Whether the ranks agree on checkpoints at any boundary, so that one which somebody asks for comes at the next:
     * they do so where one may be needed at any moment, by the clock, for the logs, or by {@link #mayBeAskedToCut}.
     */
    public boolean agreesOnCuts() {
        return isProtected() && (mayBeAskedToCut() || interval() instanceof Interval.Daly
            || interval() instanceof Interval.EveryTime || protocol().logsPuts() || protocol().logsAtChecksum());
    }

    /** Of how many generations one is written. */
    public long flushEvery() {
        return number(JobOption.FLUSH_EVERY);
    }

    /** How many written generations are kept. */
    public int kept() {
        return (int) number(JobOption.KEEP);
    }

    /** When checkpoints are taken. */
    public Interval interval() {
        return Interval.parse(JobOption.INTERVAL.key(), value(JobOption.INTERVAL));
    }

    /** When each rank takes a checkpoint alone, whatever the others do. */
    public Interval independent() {
        return Interval.parse(JobOption.INDEPENDENT.key(), value(JobOption.INDEPENDENT));
    }

    /** Mean time between failures. */
    public long mtbfNanos() {
        return number(JobOption.MTBF);
    }

    /** Longest wait for a live peer. */
    public long deadlineNanos() {
        return number(JobOption.DEADLINE);
    }

    /** Longest wait for all ranks at a cut. */
    public long cutDeadlineNanos() {
        return number(JobOption.CUT_DEADLINE);
    }

    /** Time in which a process joins on a core of its own. */
    public long startTimeoutNanos() {
        return number(JobOption.START_TIMEOUT);
    }

    /** Silence without processor time after which a process counts as hung. */
    public long heartbeatTimeoutNanos() {
        return number(JobOption.HEARTBEAT_TIMEOUT);
    }

    /**
     * Silence after which a process counts as hung although it uses the processor; at least {@link
     * #heartbeatTimeoutNanos}.
     */
    public long stallTimeoutNanos() {
        return Math.max(heartbeatTimeoutNanos(), number(JobOption.STALL_TIMEOUT));
    }

    /** Longest recovery. */
    public long recoveryDeadlineNanos() {
        return number(JobOption.RECOVERY_DEADLINE);
    }

    /** Whether all accesses must go through the network path. */
    public boolean forceNetwork() {
        return is(JobOption.PATH, AccessPath.NETWORK);
    }

    /** Numbers of words are their places among the allowed ones. */
    private <W extends Enum<W> & OptionWord> boolean is(JobOption option, W word) {
        return number(option) == word.ordinal();
    }

    private long number(JobOption option) {
        return numbers[option.ordinal()];
    }
}
