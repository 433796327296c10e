package org.ftrma.launch.hosts;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.ftrma.launch.agent.Watchdog;

/** What a job on several hosts has on the launcher's machine, and nowhere else. The job's thread only. */
final class LauncherPlaces implements AutoCloseable {
    private OperatorSocket operator;
    private Watchdog watchdog;

    /** Where people ask for something, from the first call on. */
    OperatorSocket operator() {
        operator = operator == null ? new OperatorSocket() : operator;
        return operator;
    }

    /** These go with a launcher that is killed. A host that is lost must not take away what others still write to. */
    void watch(List<String> places) throws IOException {
        if (!places.isEmpty()) {
            watchdog = new Watchdog(places.stream().map(Path::of).toList());
        }
    }

    @Override
    public void close() {
        if (operator != null) {
            operator.close();
        }
        if (watchdog != null) {
            watchdog.close();
        }
    }
}
