package org.ftrma.launch.topology;

import org.ftrma.options.CommandOption;
import org.ftrma.options.OptionForm;
import org.ftrma.options.OptionText;
import org.ftrma.xor.domains.GroupMapper;
import org.ftrma.xor.domains.Topology;

/** The options of the commands about placement and risk, in one table: name, form, default and meaning. Any thread. */
public enum MachineOption implements CommandOption {
    /** A built-in machine. */
    MACHINE("machine", OptionForm.text("NAME"), "", "built-in machine: tsubame2"),
    /** A machine from a file. */
    TOPOLOGY("topology", OptionForm.text("FILE"), "", "file that describes a machine (docs/failure-domains.md)"),
    /** A machine of nodes only. */
    NODES("nodes", OptionForm.count(1, Topology.MAX_NODES), "", "machine of N nodes without other failure domains"),
    /** Computing ranks. */
    RANKS("ranks", OptionForm.count(1, GroupMapper.MAX_MEMBERS), "", "computing ranks"),
    /** Computing ranks, in the paper's word. */
    PROCESSES("processes", OptionForm.count(1, GroupMapper.MAX_MEMBERS), "", "computing ranks (the paper's N)"),
    /** Checksum ranks. */
    CHECKSUMS("checksums", OptionForm.text("C|P%"), "",
        "total checksum ranks, or a percentage of the computing ranks, rounded up to a multiple of --losses"),
    /** Losses of a group. */
    LOSSES("losses", OptionForm.count(1, 128).as("M"), "1",
        "simultaneous losses a group survives, and its number of checksum ranks"),
    /** T-awareness level. */
    AWARE("aware", OptionForm.text("LEVEL"), "none",
        "t-awareness: up to this level, at most M members of a group share an element; none: no limit"),
    /** File for a picture. */
    PICTURE("picture", OptionForm.text("FILE"), "", "also draw the placement to this file, whose name ends in .svg"),
    /** Length of a job. */
    LENGTH("length", OptionForm.duration(1, Long.MAX_VALUE), "24h",
        "length of the job, for the probability of a catastrophic failure during it"),
    /** Wanted probability. */
    TARGET("target", OptionForm.text("P"), "",
        "find the fewest checksum ranks for which this probability is at most P"),
    /** Monte-Carlo samples. */
    SAMPLES("samples", OptionForm.text("N"), "100000",
        "random samples for the part of the placement's value that is not computed exactly"),
    /** Seed. */
    SEED("seed", OptionForm.count(Long.MIN_VALUE, Long.MAX_VALUE).as("S"), "1", "seed of the random samples"),
    /** All strategies. */
    SWEEP("sweep", OptionForm.flag(), "off",
        "all t-awareness levels with 1% to 20% of checksum ranks: figure 10c of the paper"),
    /** Directory for curves. */
    OUT("out", OptionForm.text("DIR"), "",
        "with --sweep: also write the curves to this directory, as fig10c.csv and fig10c.txt; ./ftrma bench "
        + "fig10c --redraw --out DIR draws them"),
    /** Image size. */
    IMAGE("image", OptionForm.size(1, Long.MAX_VALUE).as("SIZE"), "",
        "protected memory per computing rank, such as 64MiB"),
    /** Checkpoint cost. */
    CHECKPOINT("checkpoint", OptionForm.duration(1, Long.MAX_VALUE), "",
        "how long a coordinated checkpoint blocks the ranks"),
    /** Recovery cost. */
    RECOVERY("recovery", OptionForm.duration(1, Long.MAX_VALUE), "1s",
        "time from a failure until the job computes again, without the repeated work"),
    /** MTBF per level. */
    MTBF("mtbf", OptionForm.text("LEVEL=TIME"), "",
        "mean time between failures of any element of that level of the whole machine; comma-separated for "
        + "several levels. Other levels: from the machine's distributions, else they never fail"),
    /** Machine-readable result. */
    JSON("json", OptionForm.flag(), "off", "print the result as one JSON object on one line");

    private final OptionText text;

    MachineOption(String key, OptionForm form, String defaultText, String meaning) {
        text = new OptionText(key, form, defaultText, meaning);
    }

    @Override
    public OptionText text() {
        return text;
    }
}
