package org.ftrma.launch.watch;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.ftrma.core.counter.Counter;
import org.ftrma.core.counter.CounterSnapshot;
import org.ftrma.launch.journal.EventKind;
import org.ftrma.launch.journal.JobFacts;
import org.ftrma.launch.journal.JobView;
import org.ftrma.launch.journal.LoggedEvent;
import org.ftrma.options.Units;

/** A page about a job: one HTML file that asks for nothing else. One thread. */
final class ReportPage {
    private static final String STYLE = """
        body { font: 14px/1.45 sans-serif; max-width: 1180px; margin: 2em auto; padding: 0 1em; color: #222 }
        table { border-collapse: collapse; margin: .5em 0 } td, th { padding: 2px 10px 2px 0; text-align: right }
        th { border-bottom: 1px solid #888; font-weight: 600 } td:first-child, th:first-child { text-align: left }
        td, th { white-space: nowrap; vertical-align: top } td.text, th.text { text-align: left }
        td.text { white-space: normal } pre { background: #f4f4f4; padding: .7em; white-space: pre-wrap }
        svg { width: 100%; font: 11px sans-serif } .grid { stroke: #eee } .axis { text-anchor: middle; fill: #666 }
        .lane { text-anchor: end } .loss { fill: #d55e00; font-weight: bold; text-anchor: middle; font-size: 15px }
        .cut { stroke: #0072b2; stroke-width: 1.2 } .given { stroke: #0072b2; stroke-dasharray: 3 3 }
        .greatest { fill: none; stroke: #222 } .least { fill: none; stroke: #222; stroke-dasharray: 1 3 }
        """;

    private final JobView job;
    private final JobFacts facts;
    private final Waste waste;
    private final List<JobView.Member> members;
    private final StringBuilder html = new StringBuilder();

    ReportPage(JobView job) throws IOException {
        this.job = job;
        this.facts = job.facts();
        this.waste = new Waste(job);
        this.members = job.members();
    }

    /** A cell whose text is words, and no number with its unit: it stands at the left, and may be broken. */
    private record Words(String text) {
        @Override
        public String toString() {
            return text;
        }
    }

    private static Words words(String text) {
        return new Words(text);
    }

    static String escape(String text) {
        return LoggedEvent.printable(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
            .replace("\"", "&quot;");
    }

    private void add(String format, Object... arguments) {
        html.append(String.format(Locale.ROOT, format, arguments)).append('\n');
    }

    private void row(String cell, Object... cells) {
        html.append("<tr>");
        for (Object one : cells) {
            html.append('<').append(cell).append(one instanceof Words ? " class=\"text\">" : ">")
                .append(escape(String.valueOf(one))).append("</").append(cell).append('>');
        }
        html.append("</tr>\n");
    }

    String html() throws IOException {
        String title = "ftrma job " + job.folder().name();
        add("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"/><title>%s</title><style>\n%s</style>"
            + "</head><body>", title, STYLE);
        add("<h1>%s</h1>", title);
        add("<p><code>ftrma %s</code><br/>%s: <b>%s</b>, %s</p>", escape(facts.commandLine()),
            escape(facts.size()), escape(job.outcome()), JobStatus.length(job.length()));
        add("<pre>%s</pre>", escape(String.join("\n", new FailureSummary(job).lines())));
        add("<h2>Time</h2>");
        html.append(new TimelinePicture(job).svg()).append(TimelinePicture.legend());
        if (job.leftOut() > 0) {
            add("<p>The event log was too long: %d events in its middle are left out.</p>", job.leftOut());
        }
        waste();
        advice();
        losses();
        membersTable();
        options();
        add("</body></html>");
        return html.toString();
    }

    private static String percent(double part) {
        return Double.isFinite(part) ? String.format(Locale.ROOT, "%.2f %%", 100 * part) : "-";
    }

    private static String time(double seconds) {
        return Double.isInfinite(seconds) ? "none" : seconds < 1 ? String.format(Locale.ROOT, "%.1f ms", 1e3 * seconds)
            : String.format(Locale.ROOT, "%.3f s", seconds);
    }

    private double part(double seconds) {
        return waste.seconds == 0 ? 0 : seconds / waste.seconds;
    }

    private void waste() {
        double interval = waste.intervalSeconds();
        double daly = waste.dalySeconds(waste.mtbfSeconds);
        add("<h2>Waste by cause</h2><p>Of %s, from the moment in which all ranks ran. The prediction is the model of "
            + "<code>ftrma plan</code> with the checkpoints and recoveries of this job: at the interval that there was "
            + "and the losses that there were, and at Daly's interval for <code>--mtbf</code> %s.</p><table>",
            time(waste.seconds), Units.time(Math.round(1e9 * waste.mtbfSeconds)));
        row("th", "cause", "how often", "time", "part", "predicted for this job", "predicted by --mtbf");
        row("td", "blocked by checkpoints", waste.checkpoints, time(waste.blockedSeconds), percent(part(
            waste.blockedSeconds)), percent(waste.modelOfCheckpoints(interval)), percent(
            waste.modelOfCheckpoints(daly)));
        if (waste.givenUp > 0) {
            row("td", "waits for ranks that did not come to a checkpoint", waste.givenUp, time(waste.givenUpSeconds),
                percent(part(waste.givenUpSeconds)), "", "");
        }
        row("td", "recoveries and work done again", waste.losses, time(waste.recoverySeconds + waste.repeatedSeconds),
            percent(part(waste.recoverySeconds + waste.repeatedSeconds)),
            percent(waste.losses == 0 ? 0 : waste.modelOfLosses(interval, waste.seenMtbfSeconds())),
            percent(waste.modelOfLosses(daly, waste.mtbfSeconds)));
        add("</table><p>Steps done again: %d. The interval was %s; Daly's is %s. A recovery by replay holds up only "
            + "those who wait for the lost rank, so that its part is an upper bound.</p>", waste.stepsRepeated,
            time(interval), time(daly));
    }

    /** What would have cost less, where the events say so. */
    private void advice() {
        List<String> all = new ArrayList<>();
        double interval = waste.intervalSeconds();
        double best = waste.dalySeconds(waste.losses == 0 ? waste.mtbfSeconds : waste.seenMtbfSeconds());
        double mtbf = waste.losses == 0 ? waste.mtbfSeconds : waste.seenMtbfSeconds();
        if (waste.checkpoints > 1 && Double.isFinite(best)) {
            double now = waste.modelOfCheckpoints(interval) + waste.modelOfLosses(interval, mtbf);
            double then = waste.modelOfCheckpoints(best) + waste.modelOfLosses(best, mtbf);
            if (now - then > 0.01) {
                all.add("Checkpoints each " + time(best) + " rather than each " + time(interval) + ": by the model "
                    + percent(then) + " of the time in place of " + percent(now) + " (--interval daly with --mtbf "
                    + Units.time(Math.round(mtbf) * 1_000_000_000L) + ").");
            }
        }
        Map<String, List<String>> fallbacks = job.events().stream().filter(event -> event.kind() == EventKind.FALLBACK)
            .map(LoggedEvent::text).collect(Collectors.groupingBy(text -> text.replaceFirst(":.*", "")));
        fallbacks.forEach((reason, texts) -> all.add("All ranks went back " + (texts.size() == 1 ? "once" : texts.size()
            + " times") + " although accesses are logged: " + texts.getLast() + "."));
        long dropped = members.stream().filter(member -> member.counters() != null)
            .mapToLong(member -> member.counters().get(Counter.DROPPED_LOGS)).sum();
        if (dropped > 0) {
            all.add("Logs were dropped " + dropped + " times for want of room: a larger --log-budget, or more frequent "
                + "checkpoints, keep recoveries local.");
        }
        if (waste.losses > facts.spares() && facts.checksums() > 0) {
            all.add((waste.losses == 1 ? "There was " : "There were ") + waste.losses
                + (waste.losses == 1 ? " loss and " : " losses and ")
                + facts.spares() + (facts.spares() == 1 ? " spare" : " spares") + ": a recovery without a "
                + "spare waits for a process to start (--spares " + waste.losses + ").");
        }
        add("<h2>What would have cost less</h2>");
        add(all.isEmpty() ? "<p>Nothing that the events tell of.</p>" : "<ul>");
        all.forEach(line -> add("<li>%s</li>", escape(line)));
        add(all.isEmpty() ? "" : "</ul>");
    }

    private void losses() {
        add("<h2>Losses</h2>");
        if (waste.losses == 0) {
            add("<p>None.</p>");
            return;
        }
        html.append("<table>");
        row("th", "member", "at", "step", words("cause"), words("way back"), "after", "join", "rebuild", "agree",
            "replay", "steps again");
        List<LoggedEvent> events = job.events();
        for (int i = 0; i < events.size(); i++) {
            LoggedEvent loss = events.get(i);
            if (loss.kind() != EventKind.LOST) {
                continue;
            }
            LoggedEvent replayed = next(i, loss.member(), EventKind.REPLAYED);
            LoggedEvent back = next(i, loss.member(), EventKind.RECOVERED);
            row("td", facts.name(loss.member()), time(1e-6 * (loss.micros() - facts.startedMicros())),
                loss.member() < facts.ranks() ? loss.get("step") : "-", words(loss.text()),
                words(back == null ? "none" : back.text()),
                back == null ? "-" : time(1e-6 * (back.micros() - loss.micros())), phase(replayed, "joinNanos"),
                phase(replayed, "rebuildNanos"), phase(replayed, "agreeNanos"), phase(replayed, "replayNanos"),
                replayed == null ? "-" : replayed.get("stepsRepeated"));
        }
        add("</table>");
    }

    /** The next such event of the member, before it is lost again. */
    private LoggedEvent next(int after, int member, EventKind kind) {
        for (LoggedEvent event : job.events().subList(after + 1, job.events().size())) {
            if (event.member() == member && (event.kind() == kind || event.kind() == EventKind.LOST)) {
                return event.kind() == kind ? event : null;
            }
        }
        return null;
    }

    private static String phase(LoggedEvent replayed, String name) {
        return replayed == null ? "-" : time(1e-9 * replayed.get(name));
    }

    private void membersTable() {
        add("<h2>Members, logs and waits</h2><table>");
        row("th", "member", "group", words("host"), "process", words("state"), "step", "accesses logged", "log",
            "log at most", "checkpoints", "blocked", words("longest waits"));
        for (JobView.Member member : members) {
            CounterSnapshot counters = member.counters();
            boolean known = counters != null;
            int number = member.number();
            row("td", facts.name(number), number < facts.groups().size() ? facts.groups().get(number) : "-",
                words(member.host()), member.process(), words(member.state()), member.step(),
                known ? counters.get(Counter.ACCESSES) : "-",
                known ? Units.bytes(counters.get(Counter.LOG_BYTES)) : "-",
                known ? Units.bytes(counters.get(Counter.PEAK_LOG_BYTES)) : "-",
                known ? counters.get(Counter.CHECKPOINTS) : "-",
                known ? time(1e-9 * counters.get(Counter.BLOCKED)) : "-", words(known ? waits(counters) : "-"));
        }
        add("</table>");
        job.events().stream().filter(event -> event.kind() == EventKind.MEMORY).reduce((one, other) -> other)
            .ifPresent(memory -> add("<pre>%s</pre>", escape(memory.text())));
    }

    private static String waits(CounterSnapshot counters) {
        return counters.waits().stream().sorted(Comparator.comparingLong(CounterSnapshot.Waits::nanos).reversed())
            .limit(3).map(waits -> waits.what() + " " + time(1e-9 * waits.nanos())).collect(Collectors.joining("; "));
    }

    private void options() {
        add("<h2>Options</h2><table>");
        row("th", "option", words("value"));
        facts.options().forEach((key, value) -> row("td", "--" + key, words(value)));
        add("</table>");
    }
}
