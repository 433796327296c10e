package org.ftrma.launch.watch;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.ftrma.FtrmaException;
import org.ftrma.MisuseException;
import org.ftrma.launch.journal.JobFolder;
import org.ftrma.launch.journal.JobView;
import org.ftrma.launch.journal.Launcher;
import org.ftrma.launch.journal.LoggedEvent;
import org.ftrma.launch.options.GivenOptions;
import org.ftrma.launch.options.LauncherOption;
import org.ftrma.launch.options.SingleOption;
import picocli.CommandLine.ParseResult;

/** The commands jobs, stat, events, why and report. One thread. */
public final class WatchCommands {
    private static final long REFRESH_NANOS = 1_000_000_000;
    private static final long FOLLOW_NANOS = 100_000_000;
    private static final String CLEAR = "\u001b[H\u001b[2J";
    private static final DateTimeFormatter DAY = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss");

    private final PrintStream out;
    private final PrintStream err;

    /** Commands that print to {@code out}, and what goes wrong to {@code err}. */
    public WatchCommands(PrintStream out, PrintStream err) {
        this.out = out;
        this.err = err;
    }

    /** What a command does with a job. */
    private interface Look {
        void at(JobView job) throws IOException;
    }

    private int look(JobView job, Look look) {
        try {
            if (job.problem() != null) {
                err.println("ftrma: " + job.folder().name() + ": " + job.problem());
            }
            look.at(job);
            return 0;
        } catch (IOException e) {
            throw new FtrmaException(FtrmaException.Category.FATAL, "job " + job.folder().name()
                + " cannot be read: " + e.getMessage(), e);
        }
    }

    private void json(Object object) {
        try {
            out.println(JSON.std.with(JSON.Feature.WRITE_NULL_PROPERTIES).asString(object));
        } catch (IOException e) {
            throw new IllegalStateException("writing JSON failed", e);
        }
    }

    /** Lists the jobs that there are; returns the exit code. */
    public int jobs(ParseResult parsed) {
        GivenOptions given = new GivenOptions(parsed);
        if (!given.words().isEmpty()) {
            throw new MisuseException("jobs " + String.join(" ", given.words()) + ": lists all; ftrma stat JOB looks "
                + "at one");
        }
        List<Path> removed = Launcher.removeLeftPlaces();
        if (!removed.isEmpty()) {
            err.println("ftrma: removed directories of jobs whose processes were all killed: " + removed);
        }
        List<Map<String, Object>> list = new ArrayList<>();
        Table table = new Table("lllrlll", "job", "begun", "length", "ranks", "outcome", "launcher", "program");
        for (JobFolder folder : JobFolder.all(JobChoice.parent(given))) {
            try {
                JobView job = new JobView(folder);
                list.add(map(job));
                table.row(folder.name(), begun(job), JobStatus.length(job.length()), job.facts().ranks() + "+"
                    + job.facts().checksums(), job.outcome(), job.facts().launcher().pid() + "@"
                    + job.facts().launcher().host(), job.facts().commandLine());
            } catch (IOException e) {
                err.println("ftrma: " + folder.name() + ": " + e.getMessage());
            }
        }
        if (given.has(LauncherOption.JSON)) {
            json(list);
        } else {
            out.print(list.isEmpty() ? "no jobs in " + JobChoice.parent(given) + "\n" : table.toString());
        }
        return 0;
    }

    private static String begun(JobView job) {
        return DAY.format(Instant.EPOCH.plus(job.facts().startedMicros(), ChronoUnit.MICROS)
            .atZone(ZoneId.systemDefault()));
    }

    private static Map<String, Object> map(JobView job) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("job", job.folder().name());
        map.put("state", job.state().name().toLowerCase(java.util.Locale.ROOT));
        map.put("outcome", job.outcome());
        map.put("app", job.facts().app());
        map.put("command", job.facts().command());
        map.put("ranks", job.facts().ranks());
        map.put("checksums", job.facts().checksums());
        map.put("host", job.facts().launcher().host());
        map.put("pid", job.facts().launcher().pid());
        map.put("begun", Instant.EPOCH.plus(job.facts().startedMicros(), ChronoUnit.MICROS).toString());
        map.put("seconds", 1e-3 * job.length().toMillis());
        return map;
    }

    /** Shows how a job is, until it ends; returns the exit code. */
    public int stat(ParseResult parsed) {
        GivenOptions given = new GivenOptions(parsed);
        return look(JobChoice.of("stat", given), job -> {
            if (given.has(LauncherOption.JSON)) {
                json(new JobStatus(job).map());
                return;
            }
            boolean again = !given.has(SingleOption.ONCE) && System.console() != null && System.console().isTerminal();
            out.print((again ? CLEAR : "") + new JobStatus(job).text());
            while (again && job.state() == JobView.State.RUNNING) {
                out.flush();
                LockSupport.parkNanos(REFRESH_NANOS);
                job.refresh();
                out.print(CLEAR + new JobStatus(job).text());
            }
        });
    }

    /** Tells what has happened in a job; returns the exit code. */
    public int events(ParseResult parsed) {
        GivenOptions given = new GivenOptions(parsed);
        boolean isJson = given.has(LauncherOption.JSON);
        return look(JobChoice.of("events", given), job -> {
            if (job.leftOut() > 0) {
                err.println("ftrma: the log has left out " + job.leftOut() + " events between the first and the last");
            }
            tell(job.events(), isJson);
            while (given.has(SingleOption.FOLLOW) && job.state() == JobView.State.RUNNING) {
                out.flush();
                LockSupport.parkNanos(FOLLOW_NANOS);
                tell(job.refresh(), isJson);
            }
            if (given.has(SingleOption.FOLLOW)) {
                tell(job.refresh(), isJson);
            }
        });
    }

    private void tell(List<LoggedEvent> events, boolean isJson) {
        for (LoggedEvent event : events) {
            if (isJson) {
                json(event.map());
            } else {
                out.println(event.line());
            }
        }
    }

    /** Tells of the last failure of a job; returns the exit code. */
    public int why(ParseResult parsed) {
        GivenOptions given = new GivenOptions(parsed);
        return look(JobChoice.of("why", given), job -> {
            List<String> lines = new FailureSummary(job).lines();
            if (given.has(LauncherOption.JSON)) {
                Map<String, Object> map = new LinkedHashMap<>();
                map.put("job", job.folder().name());
                map.put("outcome", job.outcome());
                map.put("story", lines);
                json(map);
            } else {
                lines.forEach(out::println);
            }
        });
    }

    /** Writes a page about a job; returns the exit code. */
    public int report(ParseResult parsed) {
        GivenOptions given = new GivenOptions(parsed);
        return look(JobChoice.of("report", given), job -> {
            Path file = Path.of(given.text(SingleOption.REPORT, job.folder().name() + ".html"));
            try {
                Files.writeString(file, new ReportPage(job).html());
            } catch (IOException e) {
                throw new FtrmaException(FtrmaException.Category.FATAL, "cannot write the report " + file + ": " + e
                    + "; --out names another file", e);
            }
            out.println(file);
        });
    }
}
