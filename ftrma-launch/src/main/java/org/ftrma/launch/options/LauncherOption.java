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
        "kill rank R at a random moment of step K (0: initialization; demand: its next demand checkpoint; kv: "
        + "the step of insert K). Also checksum0@K; node0@K, all of a simulated node (--nodes); R+R2@K, several at"
        + " once; R@K+recovery, then its replacement too, during recovery. Repeatable: each waits until every "
        + "group is fully redundant"),
    /** Stops from outside. */
    STOP("stop", OptionForm.text("R@K"), true, "", "as --kill, but with SIGSTOP: the rank hangs"),
    /** Random kills. */
    CHAOS("chaos", OptionForm.count(0, 10_000), false, "0",
        "spread N random kills over the run, each once every group is fully redundant; --interval is then 10 by "
        + "default; fft, kv, npb, sample: run 40 steps per kill by default, and compare with a failure-free run"),
    /** Seed of random choices. */
    SEED("seed", OptionForm.count(Long.MIN_VALUE, Long.MAX_VALUE).as("S"), false, "random",
        "seed for the random choices of --kill, --stop and --chaos; printed"),
    /** Start from disk. */
    RESTART("restart", OptionForm.text("DIR"), false, "",
        "start from the newest undamaged generation in this directory, written by --flush for the same program; "
        + "other differences are reported, and refused if the state depends on them (docs/disk.md). latest, or the"
        + " directory of --flush: start from the beginning if it is empty; DIR/image-000003: this generation"),
    /** Start from an older generation. */
    RESTART_STEP("restart-step", OptionForm.count(0, Integer.MAX_VALUE).as("K"), false, "",
        "with --restart: from the newest generation of step K or before"),
    /** Options from elsewhere. */
    CONFIG("config", OptionForm.text("FILE"), false, "ftrma.properties in the current directory, if present",
        "read options from this file, one key=value per line; none: ignore files and environment"),
    /** Machine-readable result. */
    JSON("json", OptionForm.flag(), false, "off", "print one JSON object as the last line of standard output"),
    /** More messages. */
    VERBOSE("verbose", OptionForm.flag(), false, "off", "report every job event on standard error"),
    /** Fewer messages. */
    QUIET("quiet", OptionForm.flag(), false, "off",
        "print only errors and the result, besides the program's own output"),
    /** Output prefixes. */
    PREFIX("prefix", OptionForm.flag(), false, "off", "prefix each output line with its rank"),
    /** Every step twice. */
    VERIFY_RESTART("verify-restart", OptionForm.flag(), false, "off",
        "run every step twice from the same state, unprotected, and compare, to find state that would not "
        + "survive"),
    /** Accesses that nothing orders. */
    CHECK_RACES("check-races", OptionForm.flag(), false, "off",
        "find unordered conflicting accesses; if any, report them and exit with status 1"),
    /** Longest job. */
    TIMEOUT("timeout", OptionForm.duration(1, Long.MAX_VALUE), false, "none",
        "maximum run time; then exit with status 1, or with --flush stop as on an interrupt"),
    /** Longest stop. */
    DRAIN_TIMEOUT("drain-timeout", OptionForm.duration(1_000_000, Long.MAX_VALUE), false, "60s",
        "with --flush: time for a last checkpoint after an interrupt or --timeout; status 5 if taken, else as "
        + "without --flush"),
    /** Heap of each rank. */
    HEAP("heap", OptionForm.of("SIZE", LauncherOption::heap), false, "the JVM's",
        "maximum Java heap per rank, such as 256m (windows are off-heap)"),
    /** Messages in a file. */
    LOG_FILE("log-file", OptionForm.text("FILE"), false, "",
        "append ftrma's own messages, with date and time, to this file, in addition to standard error"),
    /** Messages with times. */
    TIME_STAMPS("time-stamps", OptionForm.flag(), false, "off",
        "prefix ftrma's own messages on standard error with date and time"),
    /** What is kept of the job. */
    JOB_DIR("job-dir", OptionForm.text("DIR"), false, "~/.local/state/ftrma/jobs",
        "parent of one directory per job (events, counters), for jobs, stat, events, why and report "
        + "($XDG_STATE_HOME/ftrma/jobs if that is set)"),
    /** How long. */
    KEEP_JOBS("keep-jobs", OptionForm.of("TIME", LauncherOption::keep), false, "7d",
        "keep job directories this long after job start (none: until job end); at most the 50 newest ended jobs"),
    /** The page. */
    WEB("web", OptionForm.count(0, 65_535).as("PORT"), false, "none",
        "live page on 127.0.0.1:PORT (0: any free port; link printed at start), with a checkpoint button and "
        + "Prometheus metrics"),
    /** JVM arguments. */
    JVM_ARG("jvm-arg", OptionForm.of("ARG", LauncherOption::argument), true, "",
        "extra argument for the ranks' JVMs; repeatable");

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
