package org.ftrma.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.ftrma.testkit.hosts.NamespacedHosts;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests of jobs on several hosts: h1 to h4, made of namespaces, and one for the launcher. Each test has hosts of its
 * own while it runs, and leaves them as it found them.
 */
@Tag("long")
@Timeout(300)
abstract class HostsTest {
    @RegisterExtension
    private final BorrowedHosts borrowed = new BorrowedHosts();
    /** The test's own. All hosts see it by the same name. */
    @TempDir
    protected Path directory;
    protected NamespacedHosts hosts;
    /** The one that was begun last. */
    protected HostsJob job;

    @BeforeEach
    void borrowHosts() {
        hosts = borrowed.hosts();
    }

    @AfterEach
    void endJob() {
        if (job != null) {
            job.close();
        }
    }

    /** Starts a job with what all jobs here have in common; words are separated by spaces. */
    protected final HostsJob begin(String command, String options) throws IOException {
        job = new HostsJob(hosts, directory, command + HostsJob.options(hosts, directory) + options);
        return job;
    }

    /** Nothing that the job has started is there any more. */
    protected final void assertNothingLeft() {
        for (int host = 1; host <= hosts.count(); host++) {
            job.awaitNothingOn(host);
        }
    }

    /**
     * The end of a job whose result is right.
     *
     * @param rollbacks so many times all have gone back
     * @param replays so many times one has gone back alone
     * @param members that were lost
     */
    protected final Map<String, Object> assertSurvived(int rollbacks, int replays, int members) throws IOException {
        Map<String, Object> result = job.endsVerified();
        assertEquals(rollbacks, result.get("rollbacks"), job::text);
        assertEquals(replays, result.get("localRecoveries"), job::text);
        assertEquals(members, ((List<?>) result.get("failures")).size(), job::text);
        return result;
    }
}
