package org.ftrma.launch;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.ftrma.FtrmaException;
import org.ftrma.core.coordinator.JobEvent;
import org.ftrma.core.membership.JobGroups;
import org.ftrma.launch.agent.Surroundings;
import org.ftrma.launch.job.JobHost;
import org.ftrma.launch.job.JobRequest;
import org.ftrma.launch.journal.JobFacts;
import org.ftrma.launch.journal.JobFolder;
import org.ftrma.launch.journal.JobJournal;
import org.ftrma.launch.journal.Launcher;
import org.ftrma.launch.options.GivenOptions;
import org.ftrma.launch.options.LauncherOption;
import org.ftrma.options.JobOption;
import org.ftrma.options.JobOptions;
import org.ftrma.rank.control.MachineClock;
import org.ftrma.xor.Groups;

/** The journal of a job, or none. One thread. */
public final class KeptJob implements AutoCloseable {
    private final JobJournal journal;

    private KeptJob(JobJournal journal) {
        this.journal = journal;
    }

    /** Of a job of which nothing is kept. */
    public static KeptJob none() {
        return new KeptJob(null);
    }

    /**
     * That of a job that begins now. Where the usual place cannot be written the job goes on without.
     *
     * @param app as it is typed and shown
     * @param command the command line
     * @param hostOf the host of a process
     * @param notes where people are told what goes wrong
     * @throws FtrmaException SETUP: the place that was given cannot be written
     */
    public static KeptJob of(GivenOptions given, String app, List<String> command, JobOptions options,
        IntFunction<String> hostOf, PrintStream notes) {
        if (JobRequest.isTraining()) {
            return none();
        }
        boolean isGiven = given.has(LauncherOption.JOB_DIR);
        Path parent = isGiven ? Path.of(given.text(LauncherOption.JOB_DIR)) : JobFolder.base();
        try {
            if (!isGiven && !parent.isAbsolute()) {
                throw new IOException("this user has no home");
            }
            return new KeptJob(new JobJournal(new JobJournal.Keeping(parent,
                Duration.ofNanos(given.number(LauncherOption.KEEP_JOBS))), facts(app, command, options), hostOf,
                text -> notes.println("ftrma: " + text), MachineClock.HERE));
        } catch (IOException e) {
            if (isGiven) {
                throw new FtrmaException(FtrmaException.Category.SETUP, "--job-dir=" + parent
                    + ": cannot create the job directory there: " + e + "; name a directory of your own", e);
            }
            notes.println("ftrma: cannot create the job directory in " + parent + ": " + e
                + "; job not recorded; set --job-dir");
            return none();
        }
    }

    private static JobFacts facts(String app, List<String> command, JobOptions options) {
        List<Integer> groups = List.of();
        if (options.isProtected()) {
            Groups all = JobGroups.of(options);
            groups = IntStream.range(0, all.members()).mapToObj(all::groupOf).toList();
        }
        Map<String, String> values = new TreeMap<>();
        for (JobOption option : JobOption.values()) {
            values.put(option.key(), options.value(option));
        }
        return new JobFacts(app, command, options.ranks(), options.isProtected() ? options.checksums() : 0,
            options.spares(), groups, values, Launcher.here(Surroundings.hostName()), 0);
    }

    /** Where it is; null: nothing is kept. */
    JobFolder folder() {
        return journal == null ? null : new JobFolder(journal.path());
    }

    /** The job's request, with what is to be kept. */
    public JobRequest request(JobRequest request) {
        return journal == null ? request : request.keptIn(journal.path());
    }

    /** Hears of a job. Before it runs. */
    public void observe(JobHost host) {
        host.observe(new FlightEvents());
        if (journal != null) {
            host.observe(journal);
        }
    }

    /** Something has happened before it runs. */
    void event(JobEvent event) {
        if (journal != null) {
            journal.event(event);
        }
    }

    /** The job is over; what --json prints of it. */
    public void ended(Map<String, Object> result) {
        if (journal != null) {
            journal.ended(result);
        }
    }

    @Override
    public void close() {
        if (journal != null) {
            journal.close();
        }
    }
}
