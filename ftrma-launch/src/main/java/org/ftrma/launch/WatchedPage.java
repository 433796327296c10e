package org.ftrma.launch;

import java.io.IOException;
import java.io.PrintStream;
import java.util.List;
import org.ftrma.launch.hosts.OperatorSocket;
import org.ftrma.launch.journal.JobFolder;
import org.ftrma.launch.journal.Launcher;
import org.ftrma.launch.options.GivenOptions;
import org.ftrma.launch.options.LauncherOption;
import org.ftrma.launch.web.JobPage;

/** The page of a job where one is asked for, or none. One thread. */
final class WatchedPage implements AutoCloseable {
    private final JobPage page;
    private final PrintStream err;

    private WatchedPage(JobPage page, PrintStream err) {
        this.page = page;
        this.err = err;
    }

    /**
     * As a command line asks for. It listens at once, so that a port that is taken ends the command before the job
     * begins.
     *
     * @param err where its link is told, also with --quiet: it was asked for
     */
    static WatchedPage of(GivenOptions given, PrintStream err) {
        return new WatchedPage(given.has(LauncherOption.WEB) ? new JobPage((int) given.number(LauncherOption.WEB))
            : null, err);
    }

    /**
     * Shows a job, and tells where.
     *
     * @param folder null: nothing is kept of it
     */
    void show(JobFolder folder) {
        if (page == null) {
            return;
        }
        if (folder == null) {
            tell("--web: there is no page, since nothing of this job is kept; --job-dir names a place for it");
            page.close();
        } else if (page.show(folder, WatchedPage::checkpoint, this::tell)) {
            tell("the job's page is " + page.link());
        }
    }

    private void tell(String text) {
        err.println("ftrma: " + text);
    }

    /** As {@code ftrma checkpoint} asks this process. */
    private static JobPage.Answer checkpoint() throws IOException {
        long own = Launcher.here("").pid();
        List<OperatorSocket.Door> doors = OperatorSocket.Door.all().stream().filter(door -> door.launcher() == own)
            .toList();
        if (doors.size() != 1) {
            return new JobPage.Answer(false, doors.isEmpty() ? "the job has no place to be asked at (yet)"
                : doors.size() + " jobs run in this process, and it cannot be told which one is to take it");
        }
        OperatorSocket.Answer answer = doors.getFirst().checkpoint(note -> { });
        return new JobPage.Answer(answer.isDone(), answer.text());
    }

    /** The job is over, and its result is kept. */
    void ended() {
        if (page != null) {
            page.ended();
        }
    }

    @Override
    public void close() {
        if (page != null) {
            page.close();
        }
    }
}
