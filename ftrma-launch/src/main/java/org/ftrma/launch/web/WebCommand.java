package org.ftrma.launch.web;

import java.io.IOException;
import java.io.PrintStream;
import java.net.ServerSocket;
import org.ftrma.FtrmaException;
import org.ftrma.launch.journal.JobView;
import org.ftrma.launch.options.GivenOptions;
import org.ftrma.launch.options.SingleOption;
import org.ftrma.launch.watch.JobChoice;
import org.ftrma.rank.control.MachineClock;
import picocli.CommandLine.ParseResult;

/** The command that serves the page of a job until the job ends. One thread. */
public final class WebCommand {
    private final PrintStream err;

    /** A command that prints the page's link to {@code err}. */
    public WebCommand(PrintStream err) {
        this.err = err;
    }

    /**
     * Refuses a port that is taken.
     *
     * @param option the one that names it
     * @throws FtrmaException SETUP: nothing can listen there
     */
    public static void checkPort(String option, int port) {
        try {
            new ServerSocket(port, 1, PageServer.address()).close();
        } catch (IOException e) {
            throw PageServer.cannotListen(option, port, e);
        }
    }

    /** Returns the exit code, when the job has ended. */
    public int execute(ParseResult parsed) {
        GivenOptions given = new GivenOptions(parsed);
        int port = (int) given.number(SingleOption.PORT, 0);
        JobView job = JobChoice.of("web", given);
        if (job.state() != JobView.State.RUNNING) {
            throw new FtrmaException(FtrmaException.Category.FATAL, "job " + job.folder().name() + " has ended: "
                + job.outcome() + "; ftrma report " + job.folder().name() + " writes a page about it");
        }
        long launcher = job.facts().launcher().pid();
        try (JobPage page = new JobPage(port, job,
            () -> CheckpointRequests.askLauncher(launcher), text -> err.println("ftrma: " + text),
            MachineClock.HERE)) {
            err.println("ftrma: the job's page is " + page.link());
            page.serve();
            return 0;
        } catch (IOException e) {
            throw new FtrmaException(FtrmaException.Category.FATAL, "job " + job.folder().name()
                + " cannot be read: " + e.getMessage(), e);
        }
    }
}
