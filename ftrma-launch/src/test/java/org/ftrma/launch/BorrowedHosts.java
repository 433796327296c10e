package org.ftrma.launch;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.ArrayDeque;
import java.util.Deque;
import org.ftrma.testkit.hosts.NamespacedHosts;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Hosts that a test has to itself while it runs. When it is over they must be as they were, and the next test gets
 * them; those that are not are closed, and that is a failure of the test. Each test has its own object.
 */
final class BorrowedHosts implements BeforeEachCallback, AfterEachCallback {
    /** As many as the test has that needs most. */
    private static final int COUNT = 4;

    private NamespacedHosts hosts;

    /** The hosts of a test run that no test has. They end with the run. Any thread. */
    static final class Idle implements AutoCloseable {
        private final Deque<NamespacedHosts> sets = new ArrayDeque<>();

        synchronized NamespacedHosts next() {
            return sets.poll();
        }

        synchronized void add(NamespacedHosts hosts) {
            sets.push(hosts);
        }

        @Override
        public synchronized void close() {
            sets.forEach(NamespacedHosts::close);
        }
    }

    private static Idle idle(ExtensionContext context) {
        return context.getRoot().getStore(ExtensionContext.Namespace.create(BorrowedHosts.class))
            .computeIfAbsent(Idle.class);
    }

    /** Those of the test that runs. */
    NamespacedHosts hosts() {
        return hosts;
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        assumeTrue(NamespacedHosts.whyNot().isEmpty(), NamespacedHosts::whyNot);
        hosts = idle(context).next();
        if (hosts == null) {
            hosts = NamespacedHosts.of(COUNT);
        }
    }

    @Override
    public void afterEach(ExtensionContext context) {
        if (hosts == null) {
            return;
        }
        boolean areAsTheyWere = false;
        try {
            HostsJob.awaitOnHosts("hosts to be as they were before " + context.getDisplayName(), () ->
                hosts.remains().isEmpty(), () -> String.join("\n", hosts.remains()));
            areAsTheyWere = true;
        } finally {
            if (areAsTheyWere) {
                idle(context).add(hosts);
            } else {
                hosts.close();
            }
        }
    }
}
