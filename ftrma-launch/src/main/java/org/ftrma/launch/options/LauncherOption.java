package org.ftrma.launch.options;

import java.util.Locale;
import org.ftrma.MisuseException;
import org.ftrma.options.CommandOption;
import org.ftrma.options.OptionForm;
import org.ftrma.options.OptionText;
import org.ftrma.options.Units;

/**
 * The launcher's own options of commands that run a job, as {@link org.ftrma.options.JobOption} is the table of the
 * job's. Any thread.
 */
public enum LauncherOption implements CommandOption {
    /** Kills from outside. */
    KILL("kill", OptionForm.text("R@K"), true, "",
        "kill rank R from outside at a random moment of step K (0: during initialization; demand: in its next demand "
        + "checkpoint; "
            + "kv: of the step of insert K); checksum0@K a checksum rank, node0@K all of a simulated node (--nodes), "
            + "R+R2@K several at once, R@K+recovery also the replacement, in its recovery; may be repeated: each then "
            + "waits until every group has "
            + "its redundancy back"),
    /** Stops from outside. */
    STOP("stop", OptionForm.text("R@K"), true, "", "the same with SIGSTOP: the rank hangs"),
    /** Random kills. */
    CHAOS("chaos", OptionForm.count(0, 10_000), false, "0",
        "N random kills spread over the run, each when every group has its redundancy; fft, kv, npb and sample: the "
        + "result is then compared "
        + "with a failure-free run, and iterations, inserts or steps (40 steps per kill) and interval (10 steps) have "
        + "other defaults"),
    /** Seed of random choices. */
    SEED("seed", OptionForm.count(Long.MIN_VALUE, Long.MAX_VALUE).as("S"), false, "random",
        "seed of all random choices of --kill, --stop and --chaos; it is printed"),
    /** Start from disk. */
    RESTART("restart", OptionForm.text("DIR"), false, "", "start from the newest generation in a directory that "
        + "--flush wrote to, of the same program; what else differs is told, and refused where the state depends on it "
        + "(docs/disk.md); one that is damaged is refused, and the next older one taken. latest, or the directory of "
        + "--flush: the job begins where nothing is there; DIR/image-000003: from this one"),
    /** Start from an older generation. */
    RESTART_STEP("restart-step", OptionForm.count(0, Integer.MAX_VALUE).as("K"), false, "",
        "with --restart: from the newest generation of step K or before"),
    /** Options from elsewhere. */
    CONFIG("config", OptionForm.text("FILE"), false, "ftrma.properties in the current folder, if it is there",
        "options from a file, a key=value a line; none: neither from a file nor from the environment"),
    /** Machine-readable result. */
    JSON("json", OptionForm.flag(), false, "off", "the last line of standard output is one JSON object"),
    /** More messages. */
    VERBOSE("verbose", OptionForm.flag(), false, "off", "tell every event of the job on standard error"),
    /** Fewer messages. */
    QUIET("quiet", OptionForm.flag(), false, "off", "tell nothing but errors and the result, beside what the program "
        + "prints"),
    /** Output prefixes. */
    PREFIX("prefix", OptionForm.flag(), false, "off", "begin each line of output with the rank it comes from"),
    /** Every step twice. */
    VERIFY_RESTART("verify-restart", OptionForm.flag(), false, "off",
        "run every step twice from the same state, without protection, and compare all that is "
        + "protected, to find state that would not survive"),
    /** Accesses that nothing orders. */
    CHECK_RACES("check-races", OptionForm.flag(), false, "off", "look for conflicting accesses that nothing orders; "
        + "the job ends with status 1 and tells them"),
    /** Longest job. */
    TIMEOUT("timeout", OptionForm.duration(1, Long.MAX_VALUE), false, "none",
        "the longest time that the job may take; then it ends with status 1, or, with --flush, stops as when it is "
        + "interrupted"),
    /** Longest stop. */
    DRAIN_TIMEOUT("drain-timeout", OptionForm.duration(1_000_000, Long.MAX_VALUE), false, "60s",
        "with --flush: how long a job that is interrupted, or takes longer than --timeout, has to take one checkpoint "
        + "more and to write it; then it ends with status 5, else as without --flush"),
    /** Heap of each rank. */
    HEAP("heap", OptionForm.of("SIZE", LauncherOption::heap), false, "the JVM's",
        "largest Java heap of each rank, as 256m (windows are outside of it)"),
    /** Messages in a file. */
    LOG_FILE("log-file", OptionForm.text("FILE"), false, "", "a file to which the messages of ftrma itself are added, "
        + "each with date and time, beside standard error"),
    /** Messages with times. */
    TIME_STAMPS("time-stamps", OptionForm.flag(), false, "off", "begin each message of ftrma itself on standard error "
        + "with date and time"),
    /** What is kept of the job. */
    JOB_DIR("job-dir", OptionForm.text("DIR"), false, "~/.local/state/ftrma/jobs", "the folder in which a folder for "
        + "each job is kept, with its events and counters, for jobs, stat, events, why and report (where "
        + "XDG_STATE_HOME is set: $XDG_STATE_HOME/ftrma/jobs)"),
    /** How long. */
    KEEP_JOBS("keep-jobs", OptionForm.of("TIME", LauncherOption::keep), false, "7d",
        "how long these folders stay, from the beginning of their jobs on; none: no longer than the job; of jobs that "
        + "have ended the 50 newest stay at most"),
    /** The page. */
    WEB("web", OptionForm.count(0, 65_535).as("PORT"), false, "none",
        "a page that shows the job while it runs, at this port of 127.0.0.1 (0: any that is free), by the link that is "
        + "told at its beginning; with a button for a checkpoint, and metrics for Prometheus"),
    /** JVM arguments. */
    JVM_ARG("jvm-arg", OptionForm.of("ARG", LauncherOption::argument), true, "",
        "a further argument for the JVMs of the ranks; may be repeated");

    /** As much as the ranks' JVMs begin with. */
    private static final long LEAST_HEAP = 16L << 20;
    private static final long MOST_HEAP = 1L << 40;
    private static final long LONGEST_KEEP = 3650L * 86_400_000_000_000L;

    private final OptionText text;
    private final boolean repeatable;

    LauncherOption(String key, OptionForm form, boolean repeatable, String defaultText, String meaning) {
        this.text = new OptionText(key, form, defaultText, meaning);
        this.repeatable = repeatable;
    }

    @Override
    public OptionText text() {
        return text;
    }

    @Override
    public boolean repeatable() {
        return repeatable;
    }

    private static long argument(String key, String value) {
        if (!value.startsWith("-")) {
            throw new MisuseException("--" + key + "=" + value + ": must begin with -, as -Xss1m");
        }
        return 0;
    }

    /** In nanoseconds. */
    private static long keep(String key, String value) {
        if (value.equals("none")) {
            return 0;
        }
        long nanos = Units.durationNanos(key, value);
        if (nanos > LONGEST_KEEP) {
            throw new MisuseException("--" + key + "=" + value + ": must be none, or at most 3650d");
        }
        return nanos;
    }

    /** As the JVM takes it. */
    private static long heap(String key, String value) {
        if (!value.matches("[0-9]{1,12}[kKmMgG]?")) {
            throw new MisuseException("--" + key + "=" + value + ": must be a size such as 256m or 2g");
        }
        String unit = value.substring(value.length() - 1).toLowerCase(Locale.ROOT);
        int shift = "kmg".contains(unit) ? 10 * ("kmg".indexOf(unit) + 1) : 0;
        long number = Long.parseLong(shift == 0 ? value : value.substring(0, value.length() - 1));
        if (number > MOST_HEAP >> shift || number << shift < LEAST_HEAP) {
            throw new MisuseException("--" + key + "=" + value + ": must be 16m to 1024g");
        }
        return number << shift;
    }
}
