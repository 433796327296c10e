package org.ftrma.launch.hosts;

import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.ftrma.launch.agent.RemoteAgent;

/**
 * Checks that a host which joins a running job sees the directory that the job writes to. The job goes on meanwhile: a
 * thread of its own looks at the disk, which may be slow. The job's thread only.
 */
final class LateProbe {
    private static final Executor OWN_THREAD = task -> Thread.ofPlatform().daemon().name("ftrma-probe").start(task);

    private final String option;
    private final String host;
    private final RemoteAgent agent;
    private final CompletableFuture<SharedDirectory> written;
    private CompletableFuture<String> verdict;
    private boolean isAsked;

    /**
     * Begins.
     *
     * @param directory where the job writes
     * @param option how its user named it
     */
    LateProbe(Path directory, String option, String host, RemoteAgent agent) {
        this.option = option;
        this.host = host;
        this.agent = agent;
        written = CompletableFuture.supplyAsync(() -> SharedDirectory.written(directory), OWN_THREAD);
    }

    /** Takes it as far as it gets without waiting; whether that is its end. */
    boolean isDone() {
        if (verdict != null) {
            return verdict.isDone();
        }
        if (!written.isDone() || written.isCompletedExceptionally()) {
            return written.isDone();
        }
        if (!isAsked) {
            isAsked = true;
            written.join().ask(agent, host);
        }
        if (agent.isProbed()) {
            Supplier<String> answer = written.join().verdict(agent, host);
            verdict = CompletableFuture.supplyAsync(answer, OWN_THREAD);
        }
        return false;
    }

    /** At its end: why the host cannot be taken, for people; null: it can. */
    String refusal() {
        try {
            written.join();
            String why = verdict.join();
            return why == null ? null : SharedDirectory.refusal(host, option, why);
        } catch (CompletionException e) {
            return "host " + host + " cannot be asked for the directory of " + option + ": "
                + e.getCause().getMessage();
        }
    }

    /** Removes what was written, as soon as nobody needs it any more; tells when that is done. */
    CompletableFuture<Void> end() {
        CompletableFuture<?> last = verdict == null ? written : verdict;
        return last.handle((done, failed) -> null).thenCompose(done -> written).thenAcceptAsync(SharedDirectory::close,
            OWN_THREAD);
    }
}
