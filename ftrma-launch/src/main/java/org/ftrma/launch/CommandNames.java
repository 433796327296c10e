package org.ftrma.launch;

import java.util.List;

/** The names of the commands, as they are typed. Constants. */
public final class CommandNames {
    static final String RUN = "run";
    static final String FFT = "fft";
    static final String KV = "kv";
    static final String NPB = "npb";
    static final String SAMPLE = "sample";
    /** Shows a kill; of another module. */
    public static final String DEMO = "demo";
    /** Simulates; of another module. */
    public static final String SIMULATE = "simulate";
    static final String MAP = "map";
    static final String PCF = "pcf";
    static final String PLAN = "plan";
    static final String IMAGES = "images";
    static final String INFO = "info";
    static final String AGENT = "agent";
    static final String DRAIN = "drain";
    static final String CHECKPOINT = "checkpoint";
    static final String JOBS = "jobs";
    static final String STAT = "stat";
    static final String EVENTS = "events";
    static final String WHY = "why";
    static final String REPORT = "report";
    static final String WEB = "web";
    static final String TEST = "test";
    static final String MUTATE = "mutate";
    static final String BENCH = "bench";
    static final String JAVAC = "javac";
    static final String PACKAGE = "package";
    static final String INSTALL = "install";
    static final String OPTIONS = "options";
    static final String COMPLETION = "completion";
    static final String HELP = "help";

    private CommandNames() {
    }

    /** Whether the command of these words has a result of its own, which nobody gets again. */
    static boolean hasResult(String... words) {
        List<String> all = List.of(words);
        return !all.isEmpty() && List.of(RUN, FFT, KV, NPB, SAMPLE, DEMO, SIMULATE, BENCH, CHECKPOINT, DRAIN)
            .contains(all.getFirst()) && !all.contains("--help") && !all.contains("-h");
    }
}
