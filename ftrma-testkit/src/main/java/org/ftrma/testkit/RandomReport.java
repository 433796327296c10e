package org.ftrma.testkit;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Results of runs of random programs.
 *
 * @param what which programs
 * @param programs their number
 * @param runs runs, those without crashes included
 * @param ends how many of the runs with crashes ended in each way
 * @param recoveries how many lost members came back in each way, as the coordinator names it
 * @param fallbacks with logging, how often all ranks went back, by reason
 * @param singles what came of single losses after the first checkpoint, by flavour
 * @param steps scheduler steps of all runs
 * @param nanos real time
 * @param failures what went wrong, the first few
 * @param failed how many runs went wrong
 * @param faults of these, how many in which way: {@link #HANGS}, {@link #ORPHANS}, {@link #OTHERS}
 */
public record RandomReport(String what, long programs, long runs, Map<End, Long> ends, Map<String, Long> recoveries,
    Map<String, Long> fallbacks, Map<String, SingleLosses.Counts> singles, long steps, long nanos,
    List<SimReport.Failure> failures, long failed, Map<String, Long> faults) {
    /** Runs that came to no end. */
    static final String HANGS = "hangs";
    /** Runs of which a rank has received what its sender does not remember. */
    static final String ORPHANS = "orphans";
    /** Runs with another result, or another end. */
    static final String OTHERS = "wrong";

    /** How a run with crashes ended well. */
    public enum End {
        /** Only lost ranks went back. */
        LOCAL("recovered locally"),
        /** All ranks went back. */
        ROLLBACK("rolled back"),
        /** One loss in this way, another in that. */
        BOTH("rolled back and recovered locally"),
        /** A checksum rank was lost, or a rank that had nothing to do any more. */
        UNDISTURBED("no computing rank went back"),
        /** More was lost than can be rebuilt, and the job said so. */
        CATASTROPHIC("rightly catastrophic"),
        /** A crash that was asked for did not take place: the run ended before. */
        NO_CRASH("not all crashes took place");

        private final String text;

        End(String text) {
            this.text = text;
        }
    }

    /** Whether all runs ended as they should. */
    public boolean clean() {
        return failed == 0;
    }

    /** Runs in which every crash took place and was judged. */
    public long crashed() {
        return ends.entrySet().stream().filter(entry -> entry.getKey() != End.NO_CRASH).mapToLong(Map.Entry::getValue)
            .sum();
    }

    /** Some lines. */
    public String summary() {
        StringBuilder text = new StringBuilder(String.format(Locale.ROOT,
            "%s: %d programs, %d runs, %d steps, %.1f s, %d failed", what, programs, runs,
            steps, nanos / 1e9, failed));
        ends.forEach((end, count) -> text.append(String.format(Locale.ROOT, "%n  %-36s %8d %s", end.text, count,
            end == End.NO_CRASH ? "" : String.format(Locale.ROOT, "%5.1f%%", 100.0 * count / Math.max(1, crashed())))));
        text.append(String.format("%n  failed: %s", Stream.of(HANGS, ORPHANS, OTHERS)
            .map(kind -> kind + " " + faults.getOrDefault(kind, 0L)).collect(Collectors.joining(", "))));
        text.append(String.format("%n  members came back: %s",
            recoveries.entrySet().stream().map(entry -> entry.getKey() + " " + entry.getValue())
            .collect(Collectors.joining(", "))));
        if (!fallbacks.isEmpty()) {
            text.append(String.format("%n  all went back because: %s", fallbacks.entrySet().stream()
                .map(entry -> entry.getKey() + " " + entry.getValue()).collect(Collectors.joining(", "))));
        }
        singles.forEach((flavour, counts) -> text.append(System.lineSeparator()).append(counts.text(flavour)));
        return text.toString();
    }

    /** One JSON object in one line. */
    public String json() {
        return "{\"simulation\":\"" + what + "\",\"good\":" + clean() + ",\"programs\":" + programs + ",\"runs\":"
            + runs + ",\"failed\":" + failed + Stream.of(HANGS, ORPHANS)
            .map(kind -> ",\"" + kind + "\":" + faults.getOrDefault(kind, 0L)).collect(Collectors.joining())
            + ",\"steps\":" + steps + ",\"seconds\":" + nanos / 1_000_000 / 1e3 + ",\"ends\":{" + ends.entrySet()
            .stream()
            .map(entry -> "\"" + entry.getKey().text + "\":" + entry.getValue()).collect(Collectors.joining(","))
            + "},\"recoveries\":{"
            + recoveries.entrySet().stream().map(entry -> "\"" + entry.getKey() + "\":" + entry.getValue())
            .collect(Collectors.joining(","))
            + "},\"fallbacks\":{"
            + fallbacks.entrySet().stream().map(entry -> "\"" + entry.getKey() + "\":" + entry.getValue())
            .collect(Collectors.joining(","))
            + "},\"singleLosses\":{"
            + singles.entrySet().stream().map(entry -> "\"" + entry.getKey() + "\":" + entry.getValue().json())
            .collect(Collectors.joining(","))
            + "}}";
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(summary());
        for (SimReport.Failure failure : failures) {
            text.append("\n\n").append(failure);
        }
        return text.toString();
    }
}
