package org.ftrma.junit;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.io.PrintWriter;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;

/** Runs the tests of a class in a process of their own: the main thread of that. */
final class ClassRunner {
    private ClassRunner() {
    }

    public static void main(String[] args) {
        SummaryGeneratingListener listener = new SummaryGeneratingListener();
        LauncherFactory.create().execute(LauncherDiscoveryRequestBuilder.request().selectors(selectClass(args[0]))
            .build(), listener);
        listener.getSummary().printFailuresTo(new PrintWriter(System.out));
        long failed = listener.getSummary().getTotalFailureCount();
        System.out.println(listener.getSummary().getTestsSucceededCount() + " tests passed, " + failed + " failed");
        System.exit(failed == 0 ? 0 : 1);
    }
}
