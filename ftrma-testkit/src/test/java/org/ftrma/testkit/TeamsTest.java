package org.ftrma.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.ftrma.AtomicOp;
import org.ftrma.Job;
import org.ftrma.MisuseException;
import org.ftrma.Team;
import org.ftrma.testkit.programs.SimProgram;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Collectives of teams, and processes that die at any point of them. */
@Tag("long")
class TeamsTest {
    private static Simulation teams(int ranks, String protocol) {
        return new Simulation().program(protocol.equals("pessimistic-v") ? "teamsonly" : "teams").ranks(ranks).steps(2)
            .interval("1").protocol(protocol).checksums(protocol.equals("none") ? 0 : 1).spares(2);
    }

    private static void check(SimReport report, int least) {
        System.out.println(report.summary());
        assertTrue(report.clean(), report::toString);
        assertEquals(0, report.gaveUp(), report::toString);
        assertTrue(report.deaths() >= least, () -> "too few crashes took place: " + report.summary());
    }

    /** The program compares all that it receives with what must come. */
    @ParameterizedTest
    @CsvSource({"none, 1", "none, 2", "coordinated, 3", "full, 4", "full, 5", "none, 6", "puts, 4", "ml, 4",
        "pessimistic-v, 5", "none, 9", "none, 17"})
    void allCollectivesGiveWhatTheyMust(String protocol, int ranks) {
        for (String path : List.of("auto", "network")) {
            SimReport report = teams(ranks, protocol).path(path).schedules(1);
            assertTrue(report.clean() && report.rollbacks() == 0, report::toString);
        }
    }

    @ParameterizedTest
    @CsvSource({"coordinated, auto, 211", "full, auto, 797", "full, network, 1999", "pessimistic-v, auto, 31"})
    void oneCrashLeavesTheResultAsItIs(String protocol, String path, int stride) {
        check(teams(4, protocol).path(path).singles(EveryPoint.or(stride)), 20);
    }

    @Test
    void twoCrashesLeaveTheResultAsItIs() {
        check(teams(4, "full").checksums(2).losses(2).seed(5).pairs(12), 12);
    }

    private static SimResult run(String protocol, Consumer<Team> even, Consumer<Team> odd) {
        SimProgram program = new SimProgram() {
            @Override
            public String name() {
                return "unlike";
            }

            @Override
            public void run(Job job, Results results) {
                Team team = job.team("row", 0, 0);
                for (long step : job.steps(2)) {
                    team.barrier();
                    (job.rank() % 2 == 0 ? even : odd).accept(team);
                }
            }
        };
        return new Simulation().program(program).ranks(4).steps(2).protocol(protocol)
            .checksums(protocol.equals("none") ? 0 : 1).run(1, List.of(), new SimMemory());
    }

    private static MemorySegment bytes(long count) {
        return Arena.ofAuto().allocate(count, 8);
    }

    private record Pair(Consumer<Team> even, Consumer<Team> odd, String... parts) {
    }

    static Stream<Pair> unlike() {
        return Stream.of(
            new Pair(Team::barrier, Team::gsync, "calls barrier", "calls gsync"),
            new Pair(team -> team.broadcast(bytes(8), 0), team -> team.broadcast(bytes(16), 0),
            "broadcast of 8 bytes from position 0", "broadcast of 16 bytes from position 0"),
            new Pair(team -> team.allReduce(AtomicOp.SUM, 1L), team -> team.allReduce(AtomicOp.SUM, 1.0),
            "allReduce SUM INT64 of 8 bytes", "allReduce SUM FLOAT64 of 8 bytes"),
            new Pair(team -> team.gather(bytes(8), bytes(32), 0), team -> team.scatter(bytes(32), bytes(8), 3),
            ", and waits for position "),
            new Pair(team -> exchange(team, 8), team -> exchange(team, 9), "calls allToAll of parts of any size",
            "bytes of position", "which sends "));
    }

    private static void exchange(Team team, long bytes) {
        long[] offsets = new long[4];
        long[] lengths = {8, bytes, 8, 8};
        team.allToAll(bytes(64), offsets, lengths, bytes(64), offsets, lengths);
    }

    /** Who finds it names both; who waits for one that never comes is told at the deadline what that one called. */
    @ParameterizedTest
    @MethodSource("unlike")
    void unlikeCollectivesAreRefusedWithWhatBothCall(Pair pair) {
        for (String protocol : List.of("none", "full")) {
            String message = run(protocol, pair.even, pair.odd).outcome().message();
            for (String part : pair.parts) {
                assertTrue(message.contains("team row: position ") && message.contains(part),
                    () -> "lacks \"" + part + "\": " + message);
            }
        }
    }

    @Test
    void whoWaitsInVainIsToldWhatTheOtherCalled() {
        String message = run("none", Team::barrier, team -> {
            // another one's affair
        }).outcome().message();
        assertTrue(message.contains("team row: position") && message.contains("calls barrier as collective 3, and "
            + "waits for position") && message.contains("which has called barrier as collective 2"), message);
    }

    @Test
    void nothingIsRightAfterARefusal() {
        Consumer<Team> twice = team -> {
            try {
                team.broadcast(bytes(team.position() % 2 == 0 ? 8 : 16), 0);
                team.barrier();
            } catch (MisuseException e) {
                assertTrue(e.getMessage().contains("broadcast"), e.getMessage());
                team.barrier();
            }
        };
        String message = run("full", twice, twice).outcome().message();
        assertTrue(message.contains("team row: barrier: an earlier collective of this team was refused"), message);
    }
}
