package org.ftrma.mutations;

import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;

/** The first test that failed, and its reason. */
final class FirstFailure implements TestExecutionListener {
    private String test;
    private String reason = "";
    private int run;

    @Override
    public synchronized void executionFinished(TestIdentifier identifier, TestExecutionResult result) {
        if (test == null && result.getStatus() == TestExecutionResult.Status.FAILED) {
            test = identifier.getLegacyReportingName().replaceAll("\\(.*", "");
            reason = result.getThrowable().map(Throwable::toString).orElse("").lines().findFirst().orElse("")
                .replace('\t', ' ');
        }
        run += identifier.isTest() ? 1 : 0;
    }

    /** The method that failed first, or null. */
    synchronized String test() {
        return test;
    }

    /** Why it failed, in a line. */
    synchronized String reason() {
        return reason;
    }

    /** How many tests were run. */
    synchronized int run() {
        return run;
    }
}
