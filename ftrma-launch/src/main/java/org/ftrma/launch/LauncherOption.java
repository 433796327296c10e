package org.ftrma.launch;

import org.ftrma.options.CommandOption;
import org.ftrma.options.OptionText;

/** The launcher's own options of commands that run a job, as {@link org.ftrma.options.JobOption} is the table of the job's. */
public enum LauncherOption implements CommandOption {
    /** Kills from outside. */
    KILL("kill", "R@K", true, "",
        "kill rank R from outside at a random moment of step K (0: during initialization; demand: in its next demand checkpoint; "
            + "kv: of the step of insert K); checksum0@K a checksum rank, node0@K all of a simulated node (--nodes), "
            + "R+R2@K several at once, R@K+recovery also the replacement, in its recovery; may be repeated: each then waits until every group has "
            + "its redundancy back"),
    /** Stops from outside. */
    STOP("stop", "R@K", true, "", "the same with SIGSTOP: the rank hangs"),
    /** Random kills. */
    CHAOS("chaos", "N", false, "0",
        "N random kills spread over the run, each when every group has its redundancy; fft, kv and sample: the result is then compared "
        + "with a failure-free run, and iterations, inserts or steps (40 steps per kill) and interval (10 steps) have other defaults"),
    /** Seed of random choices. */
    SEED("seed", "S", false, "random", "seed of all random choices of --kill, --stop and --chaos; it is printed"),
    /** Start from disk. */
    RESTART("restart", "DIR", false, "", "start from the newest generation in a directory that --flush wrote to, of the same program with the same "
        + "arguments, ranks and protocol; one that is damaged is refused, and the next older one taken"),
    /** Machine-readable result. */
    JSON("json", "", false, "off", "the last line of standard output is one JSON object"),
    /** More messages. */
    VERBOSE("verbose", "", false, "off", "tell every event of the job on standard error"),
    /** Fewer messages. */
    QUIET("quiet", "", false, "off", "tell nothing but errors and the result, beside what the program prints"),
    /** Output prefixes. */
    PREFIX("prefix", "", false, "off", "begin each line of output with the rank it comes from"),
    /** Every step twice. */
    VERIFY_RESTART("verify-restart", "", false, "off", "run every step twice from the same state, without protection, and compare all that is "
        + "protected, to find state that would not survive"),
    /** Accesses that nothing orders. */
    CHECK_RACES("check-races", "", false, "off", "look for conflicting accesses that nothing orders; the job ends with status 1 and tells them"),
    /** Longest job. */
    TIMEOUT("timeout", "TIME", false, "none", "the longest time that the job may take; then it ends with status 1"),
    /** Heap of each rank. */
    HEAP("heap", "SIZE", false, "the JVM's", "largest Java heap of each rank, as 256m (windows are outside of it)"),
    /** JVM arguments. */
    JVM_ARG("jvm-arg", "ARG", true, "", "a further argument for the JVMs of the ranks; may be repeated");

    private final OptionText text;
    private final boolean repeatable;

    LauncherOption(String key, String label, boolean repeatable, String defaultText, String meaning) {
        this.text = new OptionText(key, label, defaultText, meaning);
        this.repeatable = repeatable;
    }

    @Override
    public OptionText text() {
        return text;
    }

    /** Whether it may be given several times. */
    public boolean repeatable() {
        return repeatable;
    }
}
