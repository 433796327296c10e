package org.ftrma.launch.topology;

import org.ftrma.options.CommandOption;
import org.ftrma.options.OptionForm;
import org.ftrma.options.OptionText;
import org.ftrma.xor.domains.GroupMapper;
import org.ftrma.xor.domains.Topology;

/** The options of the commands about placement and risk, in one table: name, form, default and meaning. Any thread. */
public enum MachineOption implements CommandOption {
    /** A built-in machine. */
    MACHINE("machine", OptionForm.text("NAME"), "", "a machine that is built in: tsubame2"),
    /** A machine from a file. */
    TOPOLOGY("topology", OptionForm.text("FILE"), "", "a machine from a file, as docs/failure-domains.md describes it"),
    /** A machine of nodes only. */
    NODES("nodes", OptionForm.count(1, Topology.MAX_NODES), "", "a machine of N nodes and no other failure domains"),
    /** Computing ranks. */
    RANKS("ranks", OptionForm.count(1, GroupMapper.MAX_MEMBERS), "", "computing ranks"),
    /** Computing ranks, in the paper's word. */
    PROCESSES("processes", OptionForm.count(1, GroupMapper.MAX_MEMBERS), "", "computing ranks (the paper's N)"),
    /** Checksum ranks. */
    CHECKSUMS("checksums", OptionForm.text("C|P%"), "", "checksum ranks of all groups together, or so many percent of "
        + "the computing ranks, "
        + "rounded up to a multiple of --losses"),
    /** Losses of a group. */
    LOSSES("losses", OptionForm.count(1, 128).as("M"), "1", "losses that each group survives at once, and its "
        + "checksum ranks"),
    /** T-awareness level. */
    AWARE("aware", OptionForm.text("LEVEL"), "none", "t-awareness: no more than M members of a group share an element "
        + "of this level or a lower one; none: no such rule"),
    /** File for a picture. */
    PICTURE("picture", OptionForm.text("FILE"), "", "also draw it into this file: its name ends in .svg"),
    /** Length of a job. */
    LENGTH("length", OptionForm.duration(1, Long.MAX_VALUE), "24h", "length of the job, for the probability that it "
        + "meets a catastrophic failure"),
    /** Wanted probability. */
    TARGET("target", OptionForm.text("P"), "", "find the fewest checksum ranks with which the probability is at most "
        + "P"),
    /** Monte-Carlo samples. */
    SAMPLES("samples", OptionForm.text("N"), "100000", "random samples for the part of the placement's value that is "
        + "not computed exactly"),
    /** Seed. */
    SEED("seed", OptionForm.count(Long.MIN_VALUE, Long.MAX_VALUE).as("S"), "1", "seed of the random samples"),
    /** All strategies. */
    SWEEP("sweep", OptionForm.flag(), "off", "all t-awareness levels over 1% to 20% of checksum ranks: figure 10c of "
        + "the paper"),
    /** Directory for curves. */
    OUT("out", OptionForm.text("DIR"), "", "with --sweep: also write the curves to DIR, as fig10c.csv and fig10c.txt; "
        + "./ftrma bench fig10c --redraw --out DIR draws them"),
    /** Image size. */
    IMAGE("image", OptionForm.size(1, Long.MAX_VALUE).as("SIZE"), "", "protected memory of a computing rank, as 64MiB"),
    /** Checkpoint cost. */
    CHECKPOINT("checkpoint", OptionForm.duration(1, Long.MAX_VALUE), "",
        "how long a coordinated checkpoint blocks the ranks"),
    /** Recovery cost. */
    RECOVERY("recovery", OptionForm.duration(1, Long.MAX_VALUE), "1s", "from a failure until the job computes again, "
        + "without the work that is done anew"),
    /** MTBF per level. */
    MTBF("mtbf", OptionForm.text("LEVEL=TIME"), "",
        "mean time between failures of anything at that level of the whole machine; several with commas. "
            + "Other levels: from the machine's distributions, or they never fail"),
    /** Machine-readable result. */
    JSON("json", OptionForm.flag(), "off", "the result as one JSON object on one line");

    private final OptionText text;

    MachineOption(String key, OptionForm form, String defaultText, String meaning) {
        text = new OptionText(key, form, defaultText, meaning);
    }

    @Override
    public OptionText text() {
        return text;
    }
}
