package org.ftrma.testkit;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.ftrma.core.control.FallbackReason;
import org.ftrma.core.coordinator.JobEvent;

/**
 * Statistics of single losses after the first checkpoint: runs in which one computing rank died after a generation had
 * been committed, and nothing else was requested. Any thread.
 */
final class SingleLosses {
    /** The reasons that say something about the program's accesses, and not about when the rank died. */
    private static final FallbackReason[] OF_ACCESSES =
        {FallbackReason.ATOMIC_IN_FLIGHT, FallbackReason.UNORDERED_CONFLICT, FallbackReason.LOG_GAP};
    private static final String NO_LOGS = "no logs";

    private final AtomicLong count = new AtomicLong();
    private final Map<String, AtomicLong> fallbacks = new ConcurrentHashMap<>();
    private final Map<String, String> examples = new ConcurrentHashMap<>();

    /** Takes a run in which one crash was asked for. Those that went wrong are told of elsewhere. */
    void add(SimResult result, int ranks, String command) {
        if (!result.succeeded()) {
            return;
        }
        boolean committed = false;
        for (SimResult.TimedEvent timed : result.events()) {
            committed |= timed.event() instanceof JobEvent.Committed;
            if (timed.event() instanceof JobEvent.MemberLost lost) {
                if (committed && lost.member() < ranks) {
                    count(result, command);
                }
                return;
            }
        }
    }

    private void count(SimResult result, String command) {
        count.incrementAndGet();
        if (result.outcome().rollbacks() > 0) {
            String reason = result.outcome().fallbacks().isEmpty() ? NO_LOGS
                : String.join("+", result.outcome().fallbacks().keySet());
            fallbacks.computeIfAbsent(reason, r -> new AtomicLong()).incrementAndGet();
            examples.putIfAbsent(reason, command);
        }
    }

    Counts counts() {
        Map<String, Long> reasons = new TreeMap<>();
        fallbacks.forEach((reason, number) -> reasons.put(reason, number.get()));
        return new Counts(count.get(), reasons, new TreeMap<>(examples));
    }

    /**
     * The numbers.
     *
     * @param losses runs that count
     * @param fallbacks of these, those in which all ranks went back, by reason
     * @param examples a command that replays one of them, by reason
     */
    record Counts(long losses, Map<String, Long> fallbacks, Map<String, String> examples) {
        private double percent(long of) {
            return 100.0 * of / Math.max(1, losses);
        }

        private long all() {
            return fallbacks.values().stream().mapToLong(Long::longValue).sum();
        }

        private long ofAccesses() {
            long sum = 0;
            for (FallbackReason reason : OF_ACCESSES) {
                sum += fallbacks.getOrDefault(reason.name(), 0L);
            }
            return sum;
        }

        /** A line, and one for each reason. */
        String text(String flavour) {
            StringBuilder text = new StringBuilder(String.format("  %s: %d single losses after the first checkpoint, "
                + "%d fell back (%.1f%%); "
                + "ATOMIC_IN_FLIGHT, UNORDERED_CONFLICT and LOG_GAP: %d (%.1f%%)", flavour, losses, all(),
                percent(all()), ofAccesses(),
                percent(ofAccesses())));
            fallbacks.forEach((reason, number) -> text.append(String.format("%n    %-24s %6d %5.1f%%  %s", reason,
                number, percent(number),
                examples.get(reason))));
            return text.toString();
        }

        String json() {
            return "{\"losses\":" + losses + ",\"fellBack\":" + all() + ",\"ofAccesses\":" + ofAccesses()
                + ",\"fallbacks\":{" + fallbacks.entrySet()
                .stream().map(entry -> "\"" + entry.getKey() + "\":" + entry.getValue())
                .collect(Collectors.joining(",")) + "}}";
        }
    }
}
