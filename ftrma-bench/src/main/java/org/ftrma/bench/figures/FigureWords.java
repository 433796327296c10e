package org.ftrma.bench.figures;

import java.util.Map;

/** Captions of rows and columns in pictures, for readers who have not seen the table. Any thread. */
final class FigureWords {
    private static final Map<String, String> OF_ALL = Map.ofEntries(Map.entry("none", "unprotected"),
        Map.entry("daly", "Daly's interval"), Map.entry("files in tmpfs", "files in memory"),
        Map.entry("full", "puts and gets logged"), Map.entry("puts", "puts logged"),
        Map.entry("ml", "logs at checksum ranks"), Map.entry("12.5%", "12.5 % checksum ranks"),
        Map.entry("6.25%", "6.25 % checksum ranks"), Map.entry("12.5% no-topo", "12.5 %, any place"),
        Map.entry("12.5% nodes", "12.5 %, apart on nodes"), Map.entry("6.25% no-topo", "6.25 %, any place"),
        Map.entry("6.25% nodes", "6.25 %, apart on nodes"), Map.entry("named", "logged, named sources"),
        Map.entry("any", "logged, any source"), Map.entry("acknowledged", "any source, logger answers"),
        Map.entry("mpi", "Open MPI, not logged"), Map.entry("demandCheckpoints", "demand checkpoints"),
        Map.entry("accessesPerRank", "accesses of a rank"), Map.entry("framesPerRank", "frames of a rank"),
        Map.entry("logBytesPerRank", "bytes logged by a rank"), Map.entry("recoveryAccesses",
            "accesses of a recovery"), Map.entry("recoveryFrames", "frames of a recovery"));
    /** Groups of ranks on a machine. */
    private static final Map<String, String> OF_LEVELS = Map.of("none", "anywhere", "node", "apart on nodes", "psu",
        "apart on power supplies", "switch", "apart on switches", "rack", "apart on racks");

    private FigureWords() {
    }

    /** The words for a name in a table; the name itself where it says enough. */
    static String of(String figure, String name) {
        return figure.equals("fig10c") ? OF_LEVELS.getOrDefault(name, name) : OF_ALL.getOrDefault(name,
            name.replace(" --any-source", ", any source"));
    }
}
