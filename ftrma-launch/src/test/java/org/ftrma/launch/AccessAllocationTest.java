package org.ftrma.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.Map;
import org.ftrma.launch.programs.Accesses;
import org.ftrma.launch.programs.ChannelCalls;
import org.ftrma.launch.programs.TeamCalls;
import org.ftrma.ucp.StreamingCopy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Accesses of a window allocate nothing, logged or not; nor do their requests, which are used again. */
class AccessAllocationTest {
    private static final String ALL =
        "put get putLong getLong putInt getInt putArray getArray accumulateLong accumulate getAccumulate fetchAndOp "
        + "compareAndSwap rput rget shared exclusiveLock sharedLock putSignal waitUntil test "
        + "putStrided getStrided accumulateStrided getAccumulateStrided rputStrided rgetStrided "
        + "raccumulateStrided rgetAccumulateStrided";

    /**
     * On the network path only the requests that wait for the network: the rest is slow there, and the window's part is
     * the same.
     */
    @ParameterizedTest
    @CsvSource({"--path auto, " + ALL, "--path auto --checksums 1 --protocol full --interval none, " + ALL,
        "--path network, rputStrided rgetStrided putArray getArray shared"})
    void accessesAllocateNothing(String options, String kinds) {
        assertNothingAllocated(options, kinds);
    }

    /** Where programs let logging go on while they compute, there are two buffers in turn, and no new segments. */
    @Test
    void stagedPutsAllocateNothingWhereLogsAreStreamedTo() {
        assumeTrue(StreamingCopy.isAvailable(), "memory of the log is a new segment each time");
        assertNothingAllocated("--path auto --checksums 1 --protocol full --interval none --log-budget 1GiB "
            + "--log-low 1", "stagedPut");
    }

    /** Nor do collectives of a channel, nor the requests of those that do not block. */
    @ParameterizedTest
    @CsvSource({"--path auto --protocol none", "--path auto --checksums 1 --protocol pessimistic-v --interval none"})
    void collectivesOfAChannelAllocateNothing(String options) {
        assertNothingAllocated(ChannelCalls.class, options, "barrier broadcast allReduce allGather ibarrier ibroadcast "
            + "ireduce iallReduce igather iallGather iscatter iscan");
    }

    /** Nor do those of a team. */
    @ParameterizedTest
    @CsvSource({"--path auto --protocol none", "--path auto --checksums 1 --protocol full --interval none"})
    void collectivesOfATeamAllocateNothing(String options) {
        assertNothingAllocated(TeamCalls.class, options, "barrier gsync broadcast reduce allReduce allReduceOne scan "
            + "exclusiveScan gather scatter allGather allGatherV allToAll allToAllV");
    }

    private static void assertNothingAllocated(String options, String kinds) {
        assertNothingAllocated(Accesses.class, options, kinds);
    }

    private static void assertNothingAllocated(Class<?> program, String options, String kinds) {
        Map<?, ?> reports = (Map<?, ?>) Command.line("run --json --timeout 300s --deadline 200s --ranks 2 "
            + "--jvm-arg -XX:+TieredCompilation " + options + " -- " + program.getName() + " " + kinds)
            .exits(0).json().get("reports");
        for (String kind : kinds.split(" ")) {
            assertEquals(0, reports.get(kind), () -> kind + ": bytes per access, of " + reports);
        }
    }
}
