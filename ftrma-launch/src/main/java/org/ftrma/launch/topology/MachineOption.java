package org.ftrma.launch.topology;

import org.ftrma.options.CommandOption;
import org.ftrma.options.OptionText;

/** The options of the commands about placement and risk, in one table: name, value, default and meaning. */
public enum MachineOption implements CommandOption {
    /** A built-in machine. */
    MACHINE("machine", "NAME", "", "a machine that is built in: tsubame2"),
    /** A machine from a file. */
    TOPOLOGY("topology", "FILE", "", "a machine from a file, as docs/failure-domains.md describes it"),
    /** A machine of nodes only. */
    NODES("nodes", "N", "", "a machine of N nodes and no other failure domains"),
    /** Computing ranks. */
    RANKS("ranks", "N", "", "computing ranks"),
    /** Computing ranks, in the paper's word. */
    PROCESSES("processes", "N", "", "computing ranks (the paper's N)"),
    /** Checksum ranks. */
    CHECKSUMS("checksums", "C|P%", "", "checksum ranks of all groups together, or so many percent of the computing ranks, "
        + "rounded up to a multiple of --losses"),
    /** Losses of a group. */
    LOSSES("losses", "M", "1", "losses that each group survives at once, and its checksum ranks"),
    /** T-awareness level. */
    AWARE("aware", "LEVEL", "none", "t-awareness: no more than M members of a group share an element of this level or a lower one; none: no such rule"),
    /** File for a picture. */
    PICTURE("picture", "FILE", "", "also draw it into this file: its name ends in .svg; curves: in .svg or .png, or in neither for both"),
    /** Length of a job. */
    LENGTH("length", "TIME", "24h", "length of the job, for the probability that it meets a catastrophic failure"),
    /** Wanted probability. */
    TARGET("target", "P", "", "find the fewest checksum ranks with which the probability is at most P"),
    /** Monte-Carlo samples. */
    SAMPLES("samples", "N", "100000", "random samples for the part of the placement's value that is not computed exactly"),
    /** Seed. */
    SEED("seed", "S", "1", "seed of the random samples"),
    /** All strategies. */
    SWEEP("sweep", "", "off", "all t-awareness levels over 1% to 20% of checksum ranks: figure 10c of the paper"),
    /** Image size. */
    IMAGE("image", "SIZE", "", "protected memory of a computing rank, as 64MiB"),
    /** Checkpoint cost. */
    CHECKPOINT("checkpoint", "TIME", "", "how long a coordinated checkpoint blocks the ranks"),
    /** Recovery cost. */
    RECOVERY("recovery", "TIME", "1s", "from a failure until the job computes again, without the work that is done anew"),
    /** MTBF per level. */
    MTBF("mtbf", "LEVEL=TIME", "",
        "mean time between failures of anything at that level of the whole machine; several with commas. "
            + "Other levels: from the machine's distributions, or they never fail"),
    /** Machine-readable result. */
    JSON("json", "", "off", "the result as one JSON object on one line");

    private final OptionText text;

    MachineOption(String key, String label, String defaultText, String meaning) {
        text = new OptionText(key, label, defaultText, meaning);
    }

    @Override
    public OptionText text() {
        return text;
    }
}
