package org.ftrma.mutations;

import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.TestWatcher;

/** Skips all tests after the first failure; started tests still clean up. */
public final class StopAtFailure implements ExecutionCondition, TestWatcher {
    private static final Namespace PLACE = Namespace.create(StopAtFailure.class);
    private static final String FAILED = "failed";

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        boolean failed = context.getRoot().getStore(PLACE).get(FAILED) != null;
        return failed ? ConditionEvaluationResult.disabled("a test failed")
            : ConditionEvaluationResult.enabled("none failed");
    }

    @Override
    public void testFailed(ExtensionContext context, Throwable cause) {
        context.getRoot().getStore(PLACE).put(FAILED, true);
    }
}
