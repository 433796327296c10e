package org.ftrma.bench.hosts;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.ftrma.bench.command.JobProcess;

/**
 * Jobs of four ranks and two checksum ranks on three hosts, two members on each, from which random members and hosts
 * are taken one after the other ({@code --chaos}, {@code --chaos-hosts}): how many ranks were recovered alone, and for
 * what reasons all went back instead. Each job is run once more without failures, and comes to the same result.
 */
final class ChaosPart implements Part {
    private static final long TIMEOUT_SECONDS = 7200;
    private static final List<Integer> SLOTS = List.of(2, 2, 2);
    private static final String MEMBERS = " --ranks 4 --checksums 2 --protocol full";

    /** What is measured. */
    private enum Kind {
        /** The key-value store loses ranks and checksum ranks. */
        KILLS("kv --work 0", 10, 0, 50, 4),
        /** NAS FFT loses ranks and hosts. */
        LOSSES("fft --class W", 100, 100, 1, 3);

        private final String program;
        private final int kills;
        private final int hosts;
        /** Jobs are run until so many computing ranks were lost, or their hosts. */
        private final int ranks;
        private final int quickKills;

        Kind(String program, int kills, int hosts, int ranks, int quickKills) {
            this.program = program;
            this.kills = kills;
            this.hosts = hosts;
            this.ranks = ranks;
            this.quickKills = quickKills;
        }
    }

    private final Kind kind;
    private final List<Map<String, Object>> jobs = new ArrayList<>();
    private final Map<String, Integer> fallbacks = new TreeMap<>();
    private int injected;
    private int ranks;
    private int alone;
    private int checksumRanks;
    private double seconds;

    private ChaosPart(Kind kind) {
        this.kind = kind;
    }

    /** The key-value store loses ranks. */
    static ChaosPart kills() {
        return new ChaosPart(Kind.KILLS);
    }

    /** NAS FFT loses ranks and hosts. */
    static ChaosPart losses() {
        return new ChaosPart(Kind.LOSSES);
    }

    @Override
    public List<Integer> slots() {
        return SLOTS;
    }

    @Override
    public void measure(BenchHosts hosts, Effort effort) throws IOException, InterruptedException {
        for (int seed = 1; jobs.isEmpty() || ranks < kind.ranks && !effort.quick(); seed++) {
            String command = kind.program + MEMBERS + " " + String.join(" ", PATIENT) + " --seed " + seed + " --chaos "
                + (effort.quick() ? kind.quickKills : kind.kills)
                + (kind.hosts == 0 ? "" : " --chaos-hosts " + (effort.quick() ? kind.quickKills : kind.hosts));
            try (JobProcess job = hosts.start(SLOTS, List.of(command.split(" ")), ChaosPart::hear, TIMEOUT_SECONDS)) {
                add(command, job.result());
            }
            System.err.printf(Locale.ROOT, "bench hosts: %s: %d ranks lost, %d recovered alone, fallbacks %s%n",
                kind.name().toLowerCase(Locale.ROOT), ranks, alone, fallbacks);
        }
    }

    private static void hear(String line) {
        if (line.contains("fault ") || line.contains("go back")) {
            System.err.println("bench hosts: " + line);
        }
    }

    private void add(String command, Map<String, Object> result) {
        if (!Boolean.TRUE.equals(result.get("sameAsFailureFree"))) {
            throw new IllegalStateException(command + " did not come to the result of a run without failures: "
                + result);
        }
        injected += (int) Part.number(result, "faultsInjected");
        alone += (int) Part.number(result, "localRecoveries");
        seconds += Part.number(result, "wallSeconds");
        ((Map<?, ?>) result.get("fallbacks")).forEach((reason, count) ->
            fallbacks.merge(String.valueOf(reason), ((Number) count).intValue(), Integer::sum));
        for (Object failure : (List<?>) result.get("failures")) {
            if ("computing".equals(((Map<?, ?>) failure).get("role"))) {
                ranks++;
            } else {
                checksumRanks++;
            }
        }
        Map<String, Object> job = new LinkedHashMap<>();
        job.put("command", command);
        for (String key : List.of("verified", "sameAsFailureFree", "faultsInjected", "localRecoveries", "rollbacks",
            "fallbacks", "processes", "wallSeconds")) {
            job.put(key, result.get(key));
        }
        jobs.add(job);
    }

    @Override
    public List<String> table() {
        return List.of(kind.program + MEMBERS + ", " + jobs.size() + (jobs.size() == 1 ? " job" : " jobs") + ", "
            + injected + " losses of members" + (kind.hosts == 0 ? "" : " and hosts") + ", "
            + Math.round(seconds) + " s: all verified, and as without failures",
            "  computing ranks lost " + ranks + ", recovered alone " + alone + "; fallbacks " + fallbacks
            + "; checksum ranks lost " + checksumRanks);
    }

    @Override
    public Object figures() {
        Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("losses", injected);
        figures.put("ranksLost", ranks);
        figures.put("checksumRanksLost", checksumRanks);
        figures.put("recoveredAlone", alone);
        figures.put("fallbacks", fallbacks);
        figures.put("seconds", seconds);
        figures.put("jobs", jobs);
        return figures;
    }
}
