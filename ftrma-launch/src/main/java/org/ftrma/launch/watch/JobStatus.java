package org.ftrma.launch.watch;

import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.ftrma.core.counter.Counter;
import org.ftrma.core.counter.CounterSnapshot;
import org.ftrma.launch.journal.EventKind;
import org.ftrma.launch.journal.JobView;
import org.ftrma.launch.journal.LoggedEvent;
import org.ftrma.options.Units;

/** The status of a job, as it is or was last: as a table, and for JSON. One thread. */
public final class JobStatus {
    private final JobView job;
    private final List<JobView.Member> members;

    /** As it is now. */
    public JobStatus(JobView job) throws IOException {
        this.job = job;
        this.members = job.members();
    }

    private static long number(LoggedEvent event, String name) {
        return event == null ? 0 : event.get(name);
    }

    /** Its members. */
    public List<JobView.Member> members() {
        return members;
    }

    /** For JSON. */
    public Map<String, Object> map() {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("job", job.folder().name());
        map.put("state", job.state().name().toLowerCase(Locale.ROOT));
        map.put("outcome", job.outcome());
        map.put("app", job.facts().app());
        map.put("host", job.facts().launcher().host());
        map.put("pid", job.facts().launcher().pid());
        map.put("seconds", 1e-3 * job.length().toMillis());
        map.put("ranks", job.facts().ranks());
        map.put("checksums", job.facts().checksums());
        map.put("protocol", job.facts().groups().isEmpty() ? "none" : job.facts().options().get("protocol"));
        map.put("interval", job.facts().options().get("interval"));
        map.put("view", number(job.last(EventKind.RUNNING), "view"));
        map.put("generation", number(job.last(EventKind.CUT), "generation"));
        map.put("generationStep", number(job.last(EventKind.CUT), "step"));
        map.put("leastStep", number(job.last(EventKind.PROGRESS), "leastStep"));
        map.put("greatestStep", number(job.last(EventKind.PROGRESS), "greatestStep"));
        map.put("iterations", number(job.last(EventKind.PROGRESS), "iterations"));
        map.put("averageStepNanos", number(job.last(EventKind.PROGRESS), "averageStepNanos"));
        map.put("checkpoints", job.count(EventKind.CUT));
        map.put("demandCheckpoints", job.count(EventKind.DEMAND));
        map.put("losses", job.count(EventKind.LOST));
        map.put("fallbacks", job.count(EventKind.FALLBACK));
        map.put("recoveries", job.count(EventKind.RECOVERED));
        map.put("eventsLeftOut", job.leftOut());
        map.put("wouldEnd", job.state() == JobView.State.RUNNING ? wouldEnd() : null);
        map.put("members", members.stream().map(this::map).toList());
        return map;
    }

    /** What would end the job now, for people. */
    private String wouldEnd() {
        if (job.facts().groups().isEmpty()) {
            return "the loss of any rank: the job is not protected";
        }
        int most = Integer.parseInt(job.facts().options().getOrDefault("losses", "1"));
        return job.lossesSinceWhole().entrySet().stream().max(Map.Entry.comparingByValue())
            .map(group -> losses(Math.max(1, most + 1 - group.getValue()), "more ") + " in group " + group.getKey()
                + " before its parity is whole")
            .orElse(losses(most + 1, "") + " in one group at once") + ", or the loss of the launcher";
    }

    private static String losses(int count, String more) {
        return (count == 1 ? "one " : count + " ") + more + (count == 1 ? "loss" : "losses");
    }

    private Map<String, Object> map(JobView.Member member) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("member", member.number());
        map.put("name", job.facts().name(member.number()));
        map.put("role", member.number() < job.facts().ranks() ? "computing" : "checksum");
        map.put("group", member.number() < job.facts().groups().size() ? job.facts().groups().get(member.number())
            : null);
        map.put("state", member.state());
        map.put("process", member.process());
        map.put("incarnation", member.incarnation());
        map.put("host", member.host());
        map.put("step", member.step());
        map.put("problem", member.problem());
        long beat = job.heartbeatAgeNanos(member.counters());
        map.put("heartbeatMillis", beat < 0 ? null : beat / 1_000_000);
        CounterSnapshot counters = member.counters();
        if (counters == null) {
            map.put("counters", null);
            return map;
        }
        Map<String, Object> numbers = new LinkedHashMap<>();
        for (Counter counter : Counter.values()) {
            numbers.put(key(counter), counters.get(counter));
        }
        map.put("counters", numbers);
        map.put("waitsFor", counters.waitsFor());
        map.put("waits", counters.waits().stream().map(waits -> {
            Map<String, Object> one = new LinkedHashMap<>();
            one.put("what", waits.what());
            one.put("count", waits.count());
            one.put("nanos", waits.nanos());
            return one;
        }).toList());
        return map;
    }

    /** As a key of JSON. */
    static String key(Counter counter) {
        StringBuilder key = new StringBuilder();
        for (String part : counter.name().toLowerCase(Locale.ROOT).split("_")) {
            key.append(key.isEmpty() ? part : Character.toUpperCase(part.charAt(0)) + part.substring(1));
        }
        return key.toString();
    }

    String text() {
        LoggedEvent cut = job.last(EventKind.CUT);
        LoggedEvent progress = job.last(EventKind.PROGRESS);
        StringBuilder text = new StringBuilder();
        line(text, "%s  %s on %s: %s, %s", job.folder().name(), job.facts().app(), job.facts().size(),
            job.outcome(), length(job.length()));
        line(text, "launcher %d on %s; view %d; steps %d to %d of %s; generation %d of step %d; %d checkpoints, %d on "
            + "demand; %d losses, %d recoveries", job.facts().launcher().pid(), job.facts().launcher().host(),
            number(job.last(EventKind.RUNNING), "view"), number(progress, "leastStep"),
            number(progress, "greatestStep"),
            number(progress, "iterations") > 0 ? Long.toString(number(progress, "iterations")) : "?",
            number(cut, "generation"), number(cut, "step"), job.count(EventKind.CUT), job.count(EventKind.DEMAND),
            job.count(EventKind.LOST), job.count(EventKind.RECOVERED));
        if (job.state() == JobView.State.ABANDONED) {
            line(text, "its launcher is gone and has told no result: killed, or its host is lost, and all processes of "
                + "the job have ended with it; this is how things stood at %s, and ftrma why %s tells more",
                LoggedEvent.clock(job.lastSign()), job.folder().name());
        }
        Table table = new Table("lllrlrrrrrrrl", "member", "state", "host", "process", "inc", "step", "accesses",
            "log", "peak", "ckpt", "blocked", "beat", "waits for");
        for (JobView.Member member : members) {
            row(table, member);
        }
        return text.append(table).toString();
    }

    private void row(Table table, JobView.Member member) {
        CounterSnapshot counters = member.counters();
        String name = job.facts().name(member.number());
        if (counters == null) {
            table.row(name, member.state(), member.host(), member.process() < 0 ? "-" : member.process(),
                member.incarnation(), member.step(), "-", "-", "-", "-", "-", "-",
                member.problem() == null ? "(its counters are not here)" : member.problem());
            return;
        }
        boolean isRunning = job.state() == JobView.State.RUNNING;
        long beat = job.heartbeatAgeNanos(counters);
        String waits = isRunning ? counters.waitsFor() : null;
        long peer = counters.get(Counter.WAIT_PEER);
        table.row(name, member.state(), counters.host(), member.process(), member.incarnation(), member.step(),
            counters.get(Counter.ACCESSES), Units.bytes(counters.get(Counter.LOG_BYTES)),
            Units.bytes(counters.get(Counter.PEAK_LOG_BYTES)),
            member.number() < job.facts().ranks() ? counters.get(Counter.CHECKPOINTS) : counters.get(Counter.PARITIES),
            millis(counters.get(member.number() < job.facts().ranks() ? Counter.BLOCKED : Counter.PARITY)),
            beat < 0 ? "-" : millis(beat),
            waits == null ? "" : waits + (peer < 0 ? "" : " of " + job.facts().name((int) peer)));
    }

    private static String millis(long nanos) {
        return String.format(Locale.ROOT, "%.1fms", 1e-6 * nanos);
    }

    /** For people. */
    static String length(Duration duration) {
        return duration.toSeconds() < 60 ? String.format(Locale.ROOT, "%.1f s", 1e-3 * duration.toMillis())
            : duration.toHours() < 1 ? String.format(Locale.ROOT, "%d min %02d s", duration.toMinutes(),
            duration.toSecondsPart())
            : String.format(Locale.ROOT, "%d h %02d min", duration.toHours(), duration.toMinutesPart());
    }

    private static void line(StringBuilder text, String format, Object... arguments) {
        text.append(String.format(Locale.ROOT, format, arguments)).append('\n');
    }
}
