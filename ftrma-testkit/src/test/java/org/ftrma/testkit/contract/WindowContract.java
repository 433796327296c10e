package org.ftrma.testkit.contract;

import java.util.List;
import org.ftrma.Program;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Everything that the documentation of {@link org.ftrma.Window} and {@link org.ftrma.Job} promises of a run without
 * failures. A test class extends this and says how a job is run.
 */
public abstract class WindowContract {
    /** Runs a program on so many ranks to its end, and throws if the job does not succeed. */
    protected abstract void run(int ranks, Program program) throws Exception;

    @ParameterizedTest
    @EnumSource(WindowCase.class)
    void holdsOnThreeRanks(WindowCase one) throws Exception {
        run(3, WindowCase.program(List.of(one)));
    }

    @ParameterizedTest
    @EnumSource(WindowCase.class)
    void holdsOnOneRank(WindowCase one) throws Exception {
        run(1, WindowCase.program(List.of(one)));
    }

    @org.junit.jupiter.api.Test
    void holdsForAllCasesInOneJob() throws Exception {
        run(4, WindowCase.program(List.of(WindowCase.values())));
    }
}
