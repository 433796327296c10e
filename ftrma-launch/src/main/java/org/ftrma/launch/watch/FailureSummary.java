package org.ftrma.launch.watch;

import java.io.IOException;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.ftrma.launch.journal.EventKind;
import org.ftrma.launch.journal.JobFacts;
import org.ftrma.launch.journal.JobView;
import org.ftrma.launch.journal.LoggedEvent;

/**
 * The last failure of a job, from its events: what was lost, what there was to go on from, which way back was taken and
 * how long each part of it took, and how the job ended. At most {@link #MOST_LINES} lines. One thread.
 */
final class FailureSummary {
    /** As much as is read at once. */
    static final int MOST_LINES = 10;
    /** Members that are lost within so long are lost together. */
    private static final long TOGETHER_MICROS = 100_000;
    private static final String LAST_WORDS = "at its end: ";
    private static final int LONGEST = 300;
    private static final DateTimeFormatter DAY = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss");

    private final JobView job;
    private final JobFacts facts;
    private final List<LoggedEvent> events;
    private final List<String> lines = new ArrayList<>();

    FailureSummary(JobView job) {
        this.job = job;
        this.facts = job.facts();
        this.events = job.events();
    }

    /** The lines. */
    List<String> lines() throws IOException {
        add("%s on %s, begun %s: %s, %s", facts.app(), facts.size(),
            DAY.format(Instant.EPOCH.plus(facts.startedMicros(), ChronoUnit.MICROS).atZone(ZoneId.systemDefault())),
            job.outcome(), JobStatus.length(job.length()));
        int last = lastLoss();
        if (last >= 0) {
            int first = first(last);
            loss(first, last);
            before(first);
            wayBack(first, last);
        } else if (job.state() != JobView.State.ABANDONED) {
            add("no member was lost");
        }
        end();
        return lines;
    }

    private void add(String format, Object... arguments) {
        String line = LoggedEvent.printable(String.format(Locale.ROOT, format, arguments)).lines().findFirst()
            .orElse("");
        if (lines.size() < MOST_LINES) {
            lines.add(line.length() > LONGEST ? line.substring(0, LONGEST - 3) + "..." : line);
        }
    }

    private int lastLoss() {
        int last = -1;
        for (int i = 0; i < events.size(); i++) {
            last = events.get(i).kind() == EventKind.LOST ? i : last;
        }
        return last;
    }

    /** The first loss of those that came together with this one. */
    private int first(int last) {
        int first = last;
        for (int i = last; i >= 0 && events.get(last).micros() - events.get(i).micros() < TOGETHER_MICROS; i--) {
            first = events.get(i).kind() == EventKind.LOST ? i : first;
        }
        return first;
    }

    private void loss(int first, int last) {
        List<LoggedEvent> lost = events.subList(first, last + 1).stream()
            .filter(event -> event.kind() == EventKind.LOST).toList();
        LoggedEvent loss = lost.getFirst();
        String where = facts.ranks() > loss.member() ? " in step " + loss.get("step") : "";
        events.subList(0, Math.min(events.size(), last + 2)).stream()
            .filter(event -> event.kind() == EventKind.HOST_LOST
                && loss.micros() - event.micros() < 10 * TOGETHER_MICROS)
            .reduce((one, other) -> other).ifPresent(host -> add("%s  the host was lost: %s", host.clock(),
                host.text()));
        add("%s  %s was lost%s (incarnation %d%s): %s", loss.clock(), facts.name(loss.member()), where,
            loss.get("incarnation"), process(loss), loss.text());
        if (lost.size() > 1) {
            add("with it were lost: %s", lost.stream().skip(1).map(one -> facts.name(one.member()) + " (" + one.text()
                + ")").collect(Collectors.joining(", ")));
        }
        events.subList(0, first).stream().filter(event -> event.kind() == EventKind.NOTE
                && event.text().contains(LAST_WORDS) && loss.micros() - event.micros() < TOGETHER_MICROS)
            .reduce((one, other) -> other).ifPresent(words -> add("it was at: %s", words.text().substring(
                words.text().indexOf(LAST_WORDS) + LAST_WORDS.length())));
    }

    /** The process that played the member, and its host. */
    private String process(LoggedEvent loss) {
        LoggedEvent assigned = null;
        for (LoggedEvent event : events) {
            if (event.number() < loss.number() && event.kind() == EventKind.ASSIGNED
                && event.member() == loss.member()) {
                assigned = event;
            }
        }
        return assigned == null ? "" : ", process " + assigned.get("process")
            + (assigned.text().isEmpty() ? "" : " on " + assigned.text());
    }

    private void before(int first) {
        LoggedEvent loss = events.get(first);
        LoggedEvent cut = null;
        long losses = 0;
        for (LoggedEvent event : events.subList(0, first)) {
            cut = event.kind() == EventKind.CUT ? event : cut;
            losses += event.kind() == EventKind.LOST ? 1 : 0;
        }
        String earlier = losses == 0 ? "" : "; " + losses + (losses == 1 ? " member" : " members")
            + " had been lost before";
        if (cut == null) {
            add("no checkpoint had been committed yet%s", earlier);
        } else {
            add("the last checkpoint was generation %d, of step %d, %.3f s before%s", cut.get("generation"),
                cut.get("step"), 1e-6 * (loss.micros() - cut.micros()), earlier);
        }
    }

    private void wayBack(int first, int last) {
        LoggedEvent loss = events.get(first);
        LoggedEvent back = null;
        Set<String> names = new LinkedHashSet<>();
        for (LoggedEvent event : events.subList(first, events.size())) {
            switch (event.kind()) {
                case FALLBACK -> add("%s  all ranks had to go back: %s", event.clock(), event.text());
                case RECOVERY -> add("%s", recovery(event));
                case REPLAYED -> add("%s  %s had joined in %.1f ms and its image was rebuilt in %.1f ms; logs "
                    + "agreed in %.1f ms, %d steps replayed in %.1f ms", event.clock(), facts.name(event.member()),
                    1e-6 * event.get("joinNanos"), 1e-6 * event.get("rebuildNanos"), 1e-6 * event.get("agreeNanos"),
                    event.get("stepsRepeated"), 1e-6 * event.get("replayNanos"));
                case RECOVERED -> {
                    back = event;
                    names.add(facts.name(event.member()));
                }
                default -> {
                    // it is no part of the way
                }
            }
        }
        if (back != null) {
            add("%s  %s %s back, %.1f ms after the loss (%s)", back.clock(), String.join(", ", names),
                names.size() == 1 ? "was" : "were",
                1e-3 * (back.micros() - loss.micros()), back.text());
        } else if (events.size() > last) {
            add("%s did not come back", facts.name(events.get(last).member()));
        }
    }

    private String recovery(LoggedEvent event) {
        return event.clock() + (event.get("rolledBack") == 1 ? "  all ranks went back to generation "
            + event.get("generation") + ", of step " + event.get("toStep")
            : "  it alone went back to generation " + event.get("generation") + ", and the others went on");
    }

    private void end() throws IOException {
        String text = switch (job.state()) {
            case RUNNING -> "the job runs";
            case ENDED -> ended();
            case ABANDONED -> "the launcher, process " + facts.launcher().pid() + " on " + facts.launcher().host()
                + ", is gone and has told no result: killed, or its host is lost; its last sign of life was at "
                + LoggedEvent.clock(job.lastSign()) + ", with " + steps();
        };
        if (lines.size() == MOST_LINES) {
            lines.removeLast(); // how it ended is never left out
        }
        add("%s", text);
    }

    private String ended() {
        String message = String.valueOf(job.result().get("message"));
        return LoggedEvent.clock(job.lastSign()) + "  the job ended: " + job.outcome()
            + (message.isEmpty() ? "" : ": " + message);
    }

    private String steps() throws IOException {
        List<JobView.Member> ranks = job.members().subList(0, facts.ranks());
        return "ranks in steps " + ranks.stream().mapToLong(JobView.Member::step).min().orElse(0) + " to "
            + ranks.stream().mapToLong(JobView.Member::step).max().orElse(0);
    }
}
