package org.ftrma.launch.web;

import java.io.IOException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.ftrma.FtrmaException;
import org.ftrma.launch.journal.JobFolder;

/**
 * The page of one job: it listens from its making on, and shows the job once that has a folder. It never keeps the job
 * waiting, and where it breaks down the job goes on. The job's thread.
 */
public final class JobPage implements AutoCloseable {
    /** So long at most the job's end is read, and those who look are told of it. */
    private static final long READ_NANOS = 5_000_000_000L;
    private static final long TELL_NANOS = 3_000_000_000L;
    private static final long LOOK_NANOS = 10_000_000;

    private final ProcessorBudget budget;
    private final PageServer server;
    private final PageToken token;
    private LiveJob job;
    private EventStream events;

    /**
     * What became of a checkpoint that was asked for.
     *
     * @param isDone whether it is there
     * @param text which one, or why not
     */
    public record Answer(boolean isDone, String text) {
    }

    /** Asks the job for a checkpoint, and returns when it is there, or will not be. Any thread. */
    @FunctionalInterface
    public interface Checkpoints {
        /** Asks. */
        Answer ask() throws IOException;
    }

    /**
     * Listens on the loopback address.
     *
     * @param port 0: any that is free
     * @throws FtrmaException SETUP: nothing can listen there
     */
    public JobPage(int port) {
        this(port, new ProcessorBudget());
    }

    /** With another budget. */
    JobPage(int port, ProcessorBudget budget) {
        this.budget = budget;
        try {
            server = new PageServer(port, budget);
        } catch (IOException e) {
            throw new FtrmaException(FtrmaException.Category.SETUP, "--web=" + port + ": cannot listen at 127.0.0.1:"
                + port + ": " + e.getMessage() + "; name another port, or 0 for any that is free", e);
        }
        token = new PageToken(server.port());
    }

    /** The address for people, with the token. */
    public String link() {
        return "http://127.0.0.1:" + server.port() + "/" + token.query();
    }

    /**
     * Shows a job from now on. Once.
     *
     * @param notes is told, once, what goes wrong
     * @return whether there is something to see
     */
    public boolean show(JobFolder folder, Checkpoints checkpoints, Consumer<String> notes) {
        try {
            CheckpointRequests requests = new CheckpointRequests(checkpoints);
            job = new LiveJob(folder, requests::last, notes, budget, server::cutOff);
            events = new EventStream(job, server, budget);
            server.start(new PageHandler(token, job, events, requests));
            return true;
        } catch (IOException | RuntimeException e) {
            notes.accept("there is no page of this job: " + e + "; the job goes on");
            close();
            return false;
        }
    }

    /** The job is over, and its result is in its folder: those who look are told so, and the page is closed. */
    public void ended() {
        if (job == null) {
            return;
        }
        budget.close(); // there are no ranks any more that could feel it
        job.ended(READ_NANOS);
        long until = System.nanoTime() + TELL_NANOS;
        while (server.requests() > 0 && until - System.nanoTime() > 0) {
            LockSupport.parkNanos(this, LOOK_NANOS);
        }
        close();
    }

    @Override
    public void close() {
        budget.close();
        if (job != null) {
            job.close();
        }
        server.close();
    }
}
