package org.ftrma.launch.web;

import java.io.IOException;
import java.util.function.Consumer;
import org.ftrma.FtrmaException;
import org.ftrma.launch.journal.JobView;
import org.ftrma.rank.control.MachineClock;

/** The page of one job, in a process of its own: it listens from its making on, and answers while the job runs. */
final class JobPage implements AutoCloseable {
    /** The longest time for which clients are told of the job's end. */
    private static final long TELL_NANOS = 3_000_000_000L;
    private static final long LOOK_NANOS = 10_000_000;

    private final MachineClock clock;
    private final PageServer server;
    private final PageToken token;
    private final LiveJob job;
    private final PageHandler handler;

    /**
     * Listens on the loopback address.
     *
     * @param port 0: any that is free
     * @param notes is told, once, what goes wrong
     * @throws FtrmaException SETUP: nothing can listen there
     * @throws IOException the job cannot be read
     */
    JobPage(int port, JobView view, CheckpointRequests.Checkpoints checkpoints, Consumer<String> notes,
        MachineClock clock) throws IOException {
        this.clock = clock;
        CheckpointRequests requests = new CheckpointRequests(checkpoints);
        job = new LiveJob(view, requests::last, notes, clock);
        try {
            server = new PageServer(port, clock);
        } catch (IOException e) {
            throw PageServer.cannotListen("--port", port, e);
        }
        token = new PageToken(server.port());
        handler = new PageHandler(token, job, new EventStream(job, server), requests);
    }

    /** The address for people, with the token. */
    String link() {
        return "http://127.0.0.1:" + server.port() + "/" + token.query();
    }

    /** Answers until the job is over, tells those who look so, and closes. Once. */
    void serve() {
        server.start(handler);
        job.run(server::cutOff);
        long until = clock.nanoTime() + TELL_NANOS;
        while (server.requests() > 0 && until - clock.nanoTime() > 0) {
            clock.park(this, LOOK_NANOS);
        }
        close();
    }

    @Override
    public void close() {
        job.close();
        server.close();
    }
}
