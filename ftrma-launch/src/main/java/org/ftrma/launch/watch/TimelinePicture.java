package org.ftrma.launch.watch;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.ftrma.launch.journal.EventKind;
import org.ftrma.launch.journal.JobFacts;
import org.ftrma.launch.journal.JobView;
import org.ftrma.launch.journal.LoggedEvent;

/**
 * A job's time from left to right, as SVG: a lane for each member, with its processes, losses and the parts of its
 * recoveries; lines for checkpoints; below them the steps of the slowest and the fastest rank. Each mark has a text
 * that is shown where it is pointed at, and shapes tell apart what colours do. One thread.
 */
final class TimelinePicture {
    private static final int LEFT = 130;
    private static final int WIDTH = 1000;
    private static final int LANE = 18;
    private static final int STEPS = 120;
    private static final int TOP = 24;
    private static final int MOST_LANES = 128;
    private static final String[] PHASES = {"joinNanos", "rebuildNanos", "agreeNanos", "replayNanos"};
    private static final String[] NAMES = {"join", "rebuild", "agree", "replay"};
    /** Of Okabe and Ito: they can be told apart by all. */
    private static final String[] COLOURS = {"#56b4e9", "#e69f00", "#f0e442", "#009e73"};

    private final JobView job;
    private final JobFacts facts;
    private final long from;
    private final long to;
    private final int lanes;
    private final StringBuilder svg = new StringBuilder();

    TimelinePicture(JobView job) {
        this.job = job;
        this.facts = job.facts();
        this.from = facts.startedMicros();
        this.to = Math.max(job.lastMicros(), from + 1);
        this.lanes = Math.min(facts.members(), MOST_LANES);
    }

    private double x(long micros) {
        return LEFT + (double) WIDTH * (Math.clamp(micros, from, to) - from) / (to - from);
    }

    private double seconds(long micros) {
        return 1e-6 * (micros - from);
    }

    private void add(String format, Object... arguments) {
        svg.append(String.format(Locale.ROOT, format, arguments)).append('\n');
    }

    String svg() {
        int bottom = TOP + lanes * LANE;
        add("<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"the job's time\" "
            + "xmlns=\"http://www.w3.org/2000/svg\">",
            LEFT + WIDTH + 20, bottom + STEPS + 50);
        axis(bottom);
        for (int member = 0; member < lanes; member++) {
            lane(member);
        }
        cuts(bottom);
        steps(bottom + 20);
        add("</svg>");
        if (lanes < facts.members()) {
            add("<p>Of %d members the first %d are drawn.</p>", facts.members(), lanes);
        }
        return svg.toString();
    }

    private void axis(int bottom) {
        double length = seconds(to);
        double unit = Math.pow(10, Math.floor(Math.log10(length / 4)));
        unit *= length / unit > 20 ? 5 : length / unit > 10 ? 2 : 1;
        for (double at = 0; at <= length; at += unit) {
            double x = LEFT + WIDTH * at / length;
            add("<line x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\" class=\"grid\"/><text x=\"%.1f\" y=\"%d\" "
                + "class=\"axis\">%.3g s</text>", x, TOP - 6, x, bottom + STEPS + 20, x, TOP - 10, at);
        }
    }

    private void bar(int member, long begun, long ended, String colour, String title) {
        add("<rect x=\"%.2f\" y=\"%d\" width=\"%.2f\" height=\"%d\" fill=\"%s\"><title>%s</title></rect>", x(begun),
            TOP + member * LANE + 3, Math.max(0.5, x(ended) - x(begun)), LANE - 6, colour, ReportPage.escape(title));
    }

    private void lane(int member) {
        add("<text x=\"%d\" y=\"%d\" class=\"lane\">%s</text>", LEFT - 8, TOP + member * LANE + LANE - 5,
            facts.name(member));
        LoggedEvent assigned = null;
        List<LoggedEvent> losses = new ArrayList<>();
        for (LoggedEvent event : job.events()) {
            if (event.member() != member) {
                continue;
            }
            switch (event.kind()) {
                case ASSIGNED -> assigned = event;
                case LOST -> {
                    played(member, assigned, event.micros());
                    assigned = null;
                    losses.add(event);
                }
                case REPLAYED -> {
                    played(member, assigned, event.micros());
                    phases(member, event);
                    assigned = assigned == null ? null : new LoggedEvent(event.number(), event.micros(),
                        event.wallMicros(), EventKind.ASSIGNED, assigned.numbers(), assigned.text());
                }
                default -> {
                    // it is no mark of its own
                }
            }
        }
        played(member, assigned, to);
        losses.forEach(loss -> add("<text x=\"%.2f\" y=\"%d\" class=\"loss\">✕<title>%s lost at %.3f s: %s</title>"
            + "</text>", x(loss.micros()), TOP + member * LANE + LANE - 4, facts.name(member), seconds(loss.micros()),
            ReportPage.escape(loss.text())));
    }

    private void played(int member, LoggedEvent assigned, long until) {
        if (assigned != null) {
            bar(member, assigned.micros(), until, member < facts.ranks() ? "#bbbbbb" : "#dddddd",
                facts.name(member) + ", process " + assigned.get("process") + ", incarnation "
                    + assigned.get("incarnation") + " on " + assigned.text());
        }
    }

    /** They end when the rank has replayed. */
    private void phases(int member, LoggedEvent replayed) {
        long end = replayed.micros();
        for (int i = PHASES.length - 1; i >= 0; i--) {
            long nanos = replayed.get(PHASES[i]);
            bar(member, end - nanos / 1000, end, COLOURS[i], facts.name(member) + ": " + NAMES[i]
                + String.format(Locale.ROOT, ", %.1f ms", 1e-6 * nanos));
            end -= nanos / 1000;
        }
    }

    private void cuts(int bottom) {
        for (LoggedEvent event : job.events()) {
            boolean whole = event.kind() == EventKind.CUT;
            if (whole || event.kind() == EventKind.CUT_ABANDONED && event.get("generation") > 0) {
                add("<line x1=\"%.2f\" y1=\"%d\" x2=\"%.2f\" y2=\"%d\" class=\"%s\"><title>generation %d %s at %.3f s"
                    + "</title></line>", x(event.micros()), TOP, x(event.micros()), bottom, whole ? "cut" : "given",
                    event.get("generation"), whole ? "committed" : "abandoned", seconds(event.micros()));
            }
        }
    }

    private void steps(int top) {
        List<LoggedEvent> all = job.events().stream().filter(event -> event.kind() == EventKind.PROGRESS).toList();
        long most = all.stream().mapToLong(event -> event.get("greatestStep")).max().orElse(0);
        add("<text x=\"%d\" y=\"%d\" class=\"lane\">step %d</text><text x=\"%d\" y=\"%d\" class=\"lane\">0</text>",
            LEFT - 8, top + 8, most, LEFT - 8, top + STEPS);
        if (most > 0) {
            line(all, "leastStep", "least", top, most);
            line(all, "greatestStep", "greatest", top, most);
        }
    }

    private void line(List<LoggedEvent> all, String number, String style, int top, long most) {
        StringBuilder points = new StringBuilder();
        for (LoggedEvent event : all) {
            points.append(String.format(Locale.ROOT, "%.2f,%.2f ", x(event.micros()),
                top + STEPS * (1 - (double) event.get(number) / most)));
        }
        add("<polyline points=\"%s\" class=\"%s\"/>", points, style);
    }

    /** What its marks mean. */
    static String legend() {
        StringBuilder text = new StringBuilder("<p class=\"legend\">Grey bars: processes that play the member. ✕: it "
            + "was lost. Parts of a recovery:");
        for (int i = 0; i < NAMES.length; i++) {
            text.append(" <span style=\"background:").append(COLOURS[i]).append("\">&#160;&#160;</span> ")
                .append(NAMES[i]);
        }
        return text.append(". Lines: checkpoints (dashed: abandoned). Below: the step of the fastest rank, and, "
            + "dotted, of the slowest one.</p>\n").toString();
    }
}
