package org.ftrma.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import org.ftrma.launch.programs.Blocks;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Strided accesses of a window allocate nothing, logged or not; nor do their requests, which are used again. */
class StridedAllocationTest {
    private static final String ALL = "putStrided getStrided accumulateStrided getAccumulateStrided rputStrided rgetStrided raccumulateStrided "
        + "rgetAccumulateStrided";

    /** On the network path only the requests that wait for the network: the rest is slow there, and the window's part is the same. */
    @ParameterizedTest
    @CsvSource({"--path auto, " + ALL, "--path auto --checksums 1 --protocol full --interval none, " + ALL, "--path network, rputStrided rgetStrided"})
    void stridedAccessesAllocateNothing(String options, String kinds) {
        Map<?, ?> reports = (Map<?, ?>) Command.line("run --json --timeout 300s --deadline 200s --ranks 2 " + options + " -- "
            + Blocks.class.getName() + " " + kinds).exits(0).json().get("reports");
        for (String kind : kinds.split(" ")) {
            assertEquals(0, reports.get(kind), () -> kind + ": bytes per access, of " + reports);
        }
    }
}
