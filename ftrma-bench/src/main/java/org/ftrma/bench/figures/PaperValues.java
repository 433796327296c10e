package org.ftrma.bench.figures;

import java.util.Map;

/**
 * Values of the papers for a figure, if they give numbers; {@code docs/evaluation.md} has the same. Figure 12's is left
 * out, since it measures something else. Any thread.
 */
final class PaperValues {
    /** Where values of a figure are from. */
    private static final String RMA = "paper (Besta and Hoefler)";
    private static final String MPI = "paper (Bouteiller et al.)";
    private static final Range LITTLE = new Range(RMA, 1.01, 1.05);
    /** By figure: by the label of a row, run times over those without protection. */
    private static final Map<String, Map<String, Range>> ALL = Map.of(
        "fig10d", Map.of("daly", LITTLE, "every 2.7s", new Range(RMA, 1.01, 1.15), "files in tmpfs",
            new Range(RMA, 1.21, 1.37), "files on disk", new Range(RMA, 1.46, 1.67)),
        "fig11b", Map.of("full", new Range(RMA, 1.08, 1.09)),
        "fig11c", Map.of("puts", new Range(RMA, 1.12, 1.12), "full", new Range(RMA, 1.33, 1.33), "ml",
            new Range(RMA, 1.40, 1.40)),
        "groups", Map.of("12.5% no-topo", LITTLE, "12.5% nodes", LITTLE, "6.25% no-topo", LITTLE, "6.25% nodes",
            LITTLE),
        "v-nas", Map.of("CG", new Range(MPI, 1, 1.05), "MG", new Range(MPI, 1.01, 1.01)));

    /**
     * A value or a range.
     *
     * @param source the paper, as a legend names it
     */
    record Range(String source, double least, double greatest) {
    }

    private PaperValues() {
    }

    /** The paper's value for a row, or null. */
    static Range of(String figure, String label) {
        return ALL.getOrDefault(figure, Map.of()).get(label);
    }
}
