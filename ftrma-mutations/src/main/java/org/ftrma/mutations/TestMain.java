package org.ftrma.mutations;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import org.junit.platform.engine.CancellationToken;
import org.junit.platform.engine.FilterResult;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.PostDiscoveryFilter;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherExecutionRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * Runs tests one after the other, up to the first that fails, in a process of its own. Each one's outcome is a line of
 * a file, which is there when the test ends: passed or failed, milliseconds, and, of one that failed, its method and
 * the reason, with tabs in between.
 */
public final class TestMain {
    static final String PASSED = "passed";
    static final String FAILED = "failed";

    private TestMain() {
    }

    /** Arguments: the file, then binary names of classes, with {@code #} and the name of a method if it is one. */
    public static void main(String[] arguments) throws IOException {
        Path outcomes = Path.of(arguments[0]);
        for (String test : Arrays.copyOfRange(arguments, 1, arguments.length)) {
            long began = System.nanoTime();
            String end = run(test);
            String[] outcome = end.split("\t", 2);
            String line = outcome[0] + "\t" + (System.nanoTime() - began) / 1_000_000 + "\t"
                + (outcome.length > 1 ? outcome[1] : "") + "\n";
            Files.writeString(outcomes, line, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
            if (!outcome[0].equals(PASSED)) {
                break;
            }
        }
        System.exit(0); // whatever threads tests left
    }

    private static String run(String test) {
        String[] words = test.split("#");
        PostDiscoveryFilter ofMethod = descriptor -> FilterResult.includedIf(words.length == 1
            || !(descriptor.getSource().orElse(null) instanceof MethodSource method)
            || method.getMethodName().equals(words[1]));
        FirstFailure failure = new FirstFailure();
        try {
            LauncherDiscoveryRequest tests = LauncherDiscoveryRequestBuilder.request()
                .selectors(DiscoverySelectors.selectClass(words[0])).filters(ofMethod).build();
            LauncherFactory.create().execute(LauncherExecutionRequestBuilder.request(tests).listeners(failure)
                .cancellationToken(failure.stop).build());
        } catch (LinkageError | RuntimeException e) {
            return FAILED + "\t\t" + e;
        }
        if (failure.found != null) {
            return FAILED + "\t" + failure.found;
        }
        return failure.run > 0 ? PASSED
            : FAILED + "\t\t" + (words.length == 1 ? "it has no tests" : "there is no method " + words[1]);
    }

    /** Notes the first test to fail, and why; no test begins after it. */
    private static final class FirstFailure implements TestExecutionListener {
        private final CancellationToken stop = CancellationToken.create();
        private String found;
        private int run;

        @Override
        public synchronized void executionFinished(TestIdentifier identifier, TestExecutionResult result) {
            if (found == null && result.getStatus() == TestExecutionResult.Status.FAILED) {
                found = identifier.getLegacyReportingName().replaceAll("\\(.*", "") + "\t"
                    + result.getThrowable().map(Throwable::toString).orElse("").lines().findFirst().orElse("")
                    .replace('\t', ' ');
                stop.cancel();
            }
            run += identifier.isTest() ? 1 : 0;
        }
    }
}
