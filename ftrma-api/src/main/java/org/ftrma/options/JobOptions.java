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
    private final EnumMap<JobOption, String> values = new EnumMap<>(JobOption.class);
    /** The values of options that are counts, times in nanoseconds, or sizes in bytes, at their ordinals: they are asked for in every step. */
    private final long[] numbers = new long[JobOption.values().length];

    private JobOptions(Map<String, String> given) {
        for (JobOption option : JobOption.values()) {
            values.put(option, option.defaultValue());
        }
        for (Map.Entry<String, String> entry : given.entrySet()) {
            JobOption option = JobOption.byKey(entry.getKey());
            if (option == null) {
                throw new MisuseException("--" + entry.getKey() + ": no such job option");
            }
            values.put(option, entry.getValue().trim());
        }
        validate();
        if (given.containsKey(JobOption.PROTOCOL.key()) && !given.containsKey(JobOption.CHECKSUMS.key())) {
            // Who names a protection wants it; --protocol none has none anyway.
            values.put(JobOption.CHECKSUMS, values.get(JobOption.LOSSES));
            numbers[JobOption.CHECKSUMS.ordinal()] = numbers[JobOption.LOSSES.ordinal()];
        }
        validateGroups();
    }

    /** Options from names and values; what is not given has its default. */
    public static JobOptions of(Map<String, String> given) {
        return new JobOptions(given);
    }

    private void validate() {
        for (JobOption option : JobOption.values()) {
            String value = values.get(option);
            switch (option.kind()) {
                case COUNT -> numbers[option.ordinal()] = Units.count(option.key(), value, option.min(), option.max());
                case DURATION -> {
                    long nanos = Units.durationNanos(option.key(), value);
                    if (nanos < option.min() || nanos > option.max()) {
                        throw new MisuseException("--" + option.key() + "=" + value + ": must be at least " + Units.time(option.min())
                            + " and at most " + Units.time(option.max()));
                    }
                    numbers[option.ordinal()] = nanos;
                }
                case INTERVAL -> Interval.parse(value);
                case PROTOCOL -> oneOf(option, value, "none", "coordinated", "full", "puts", "ml");
                case SIZE -> {
                    if (value.equals(option.defaultValue())) {
                        break;
                    }
                    long bytes = Units.sizeBytes(option.key(), value);
                    if (bytes < option.min() || bytes > option.max()) {
                        throw new MisuseException("--" + option.key() + "=" + value + ": must be " + Units.bytes(option.min()) + " to "
                            + Units.bytes(option.max()));
                    }
                    numbers[option.ordinal()] = bytes;
                }
                case AWARE, FILE -> {
                    if (value.isEmpty()) {
                        throw new MisuseException("--" + option.key() + "=: a value is missing");
                    }
                }
                case OVERFLOW -> oneOf(option, value, "warn", "error");
                case DEMAND -> oneOf(option, value, "bulk", "streaming", "off");
                case STAGING -> oneOf(option, value, "cache", "log");
                case DIRECTORY -> {
                    if (value.isEmpty() || value.indexOf(0) >= 0) {
                        throw new MisuseException("--" + option.key() + "=" + value + ": must be the name of a directory, or none");
                    }
                }
                case PATH -> oneOf(option, value, "auto", "network");
            }
        }
    }

    private void validateGroups() {
        if (checksums() % losses() != 0) {
            throw new MisuseException("--checksums=" + checksums() + " --losses=" + losses() + ": each group has " + losses()
                + " checksum ranks, so their number must be a multiple of it, such as " + (checksums() / losses() + 1) * losses());
        }
        if (groups() > ranks()) {
            throw new MisuseException("--checksums=" + checksums() + ": at most " + (losses() == 1 ? "one" : losses() + " (--losses)")
                + " per computing rank (--ranks=" + ranks() + ")");
        }
        if (isFlushed() && !isProtected()) {
            throw new MisuseException("--flush=" + value(JobOption.FLUSH) + ": the job takes no checkpoints that could be written; add --checksums 1"
                + " (or more) with --protocol coordinated or full");
        }
        if (nodes() > 0 && !topology().isEmpty()) {
            throw new MisuseException("--nodes=" + nodes() + ": not together with --topology, which has nodes of its own");
        }
        if (nodes() > 0) {
            oneOf(JobOption.AWARE, aware(), "none", "node");
        } else if (!aware().equals("none") && topology().isEmpty()) {
            throw new MisuseException("--aware=" + aware() + ": there are no nodes; add --nodes N or --topology FILE");
        }
    }

    private static void oneOf(JobOption option, String value, String... allowed) {
        for (String one : allowed) {
            if (one.equals(value)) {
                return;
            }
        }
        throw new MisuseException("--" + option.key() + "=" + value + ": must be one of " + String.join(", ", allowed));
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
        return value(JobOption.PROTOCOL).equals("none") ? 0 : (int) number(JobOption.CHECKSUMS);
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
        return text.equals("none") ? "" : text;
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

    /** Whether there are checkpoints: a protocol other than none and at least one checksum rank. */
    public boolean isProtected() {
        return checksums() > 0;
    }

    /** Whether accesses are logged, so that a lost rank is recovered while the others run on. */
    public boolean isLogged() {
        return isProtected() && value(JobOption.PROTOCOL).equals("full");
    }

    /** Whether puts are logged, and nothing else, to measure what that costs. */
    public boolean isPutLogged() {
        return isProtected() && value(JobOption.PROTOCOL).equals("puts");
    }

    /** Whether there are logs that may run out of memory. */
    public boolean hasLogs() {
        return isLogged() || isPutLogged() || isMessageLogged();
    }

    /** Whether accesses are logged at the checksum ranks, to measure what that costs. */
    public boolean isMessageLogged() {
        return isProtected() && value(JobOption.PROTOCOL).equals("ml");
    }

    /** Bytes of log memory per rank; where that is left to the machine and {@link #on} has not been called, 256 MiB. */
    public long logBudgetBytes() {
        if (isLogBudgetAutomatic()) {
            return 4 * LEAST_LOG_BYTES;
        }
        return number(JobOption.LOG_BUDGET);
    }

    private boolean isLogBudgetAutomatic() {
        return value(JobOption.LOG_BUDGET).equals(JobOption.LOG_BUDGET.defaultValue());
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
        long share = Math.clamp(availableBytes / LOG_SHARE / ranks() / LEAST_LOG_BYTES * LEAST_LOG_BYTES, LEAST_LOG_BYTES, MOST_LOG_BYTES);
        Map<String, String> map = asMap();
        map.put(JobOption.LOG_BUDGET.key(), share + "B");
        return of(map);
    }

    /** Percent of the log memory in use from which on a rank asks for a demand checkpoint. */
    public int logLowPercent() {
        return (int) number(JobOption.LOG_LOW);
    }

    /** Whether a log that does not fit the budget ends the job. */
    public boolean isLogOverflowError() {
        return value(JobOption.LOG_OVERFLOW).equals("error");
    }

    /** Whether single ranks take demand checkpoints: accesses are logged, and what is sent takes effect at once. */
    public boolean hasDemandCheckpoints() {
        return isLogged() && !forceNetwork() && !value(JobOption.DEMAND).equals("off");
    }

    /** Whether a demand checkpoint changes the parity in place. */
    public boolean isDemandStreaming() {
        return value(JobOption.DEMAND).equals("streaming");
    }

    /** Whether the data of large puts, too, is packed in the log. */
    public boolean isStagedInLog() {
        return value(JobOption.STAGING).equals("log");
    }

    /** Whether committed generations are written to a directory. */
    public boolean isFlushed() {
        return !value(JobOption.FLUSH).equals("none");
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
        return Interval.parse(value(JobOption.INTERVAL));
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

    /** Silence after which a process counts as hung although it uses the processor; at least {@link #heartbeatTimeoutNanos}. */
    public long stallTimeoutNanos() {
        return Math.max(heartbeatTimeoutNanos(), number(JobOption.STALL_TIMEOUT));
    }

    /** Longest recovery. */
    public long recoveryDeadlineNanos() {
        return number(JobOption.RECOVERY_DEADLINE);
    }

    /** Whether all accesses must go through the network path. */
    public boolean forceNetwork() {
        return value(JobOption.PATH).equals("network");
    }

    private long number(JobOption option) {
        return numbers[option.ordinal()];
    }
}
