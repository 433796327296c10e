package org.ftrma.launch.hosts;

import java.io.IOException;
import java.nio.file.Path;
import java.util.function.Consumer;
import java.util.function.ObjIntConsumer;
import org.ftrma.launch.agent.HostJob;
import org.ftrma.launch.agent.Watchdog;

/** The places of a job on several hosts that are on the launcher's machine alone. The job's thread only. */
final class LauncherPlaces implements AutoCloseable {
    private OperatorSocket operator;
    private Watchdog watchdog;
    private RelayedCounters counters;

    /** Where people ask for something, from the first call on. */
    OperatorSocket operator() {
        operator = operator == null ? new OperatorSocket() : operator;
        return operator;
    }

    /**
     * A job's further places go with a launcher that is killed. A host that is lost must not take away what others
     * still write to.
     *
     * @param notes is told what goes wrong with what is kept; any thread
     */
    void watch(HostJob job, Consumer<String> notes) throws IOException {
        if (!job.places().isEmpty()) {
            watchdog = new Watchdog(job.places().stream().map(Path::of).toList());
        }
        if (job.kept() != null) {
            counters = new RelayedCounters(Path.of(job.kept()), notes);
        }
    }

    /** Who takes what processes count, for people; once it watches. */
    ObjIntConsumer<byte[]> counters() {
        return counters == null ? (bytes, process) -> { } : counters;
    }

    @Override
    public void close() {
        if (operator != null) {
            operator.close();
        }
        if (watchdog != null) {
            watchdog.close();
        }
        if (counters != null) {
            counters.close();
        }
    }
}
