package org.ftrma.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.ftrma.Channel;
import org.ftrma.Job;
import org.ftrma.Program;
import org.ftrma.options.JobOptions;
import org.ftrma.testkit.contract.MessageCase;
import org.ftrma.testkit.programs.SimProgram;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The message contract on simulated jobs, under many schedules, with checkpoints at every step and without protection,
 * where accesses take effect at once and where they take their time.
 */
@Tag("long")
class SimMessagesTest {
    private static final int SEEDS = 8;
    private static final long STEP_LIMIT = 8_000_000;

    private static SimProgram wrapped(Program program) {
        return new SimProgram() {
            @Override
            public String name() {
                return "contract";
            }

            @Override
            public void run(Job job, Results results) throws Exception {
                program.run(job);
            }
        };
    }

    /** Without losses, and with each member killed at two moments, whose rank is recovered alone. */
    private static void runLogged(int ranks, Program program) {
        SimMemory memory = new SimMemory();
        for (String path : List.of("auto", "network")) {
            JobOptions options = JobOptions.of(Map.of("ranks", "" + ranks, "checksums", "1", "spares", "1", "interval",
                "1", "protocol", "pessimistic-v", "path", path));
            SimResult plain = new SimCluster(options, wrapped(program), 1, memory, STEP_LIMIT).run();
            assertTrue(plain.succeeded(), plain::story);
            for (int member = 0; member <= ranks; member++) {
                for (int quarter = 1; quarter < 4; quarter += 2) {
                    Crash crash = new Crash(true, member, plain.steps() * quarter / 4, Crash.How.AT_STEP);
                    SimResult result = new SimCluster(options, wrapped(program), 1, memory, STEP_LIMIT)
                        .crashing(List.of(crash)).run();
                    assertTrue(result.succeeded(), () -> path + " " + crash + ": " + result.story());
                }
            }
        }
    }

    private static void run(int ranks, Program program) {
        SimProgram wrapped = wrapped(program);
        SimMemory memory = new SimMemory();
        for (long seed = 1; seed <= SEEDS; seed++) {
            JobOptions options = JobOptions.of(Map.of("ranks", "" + ranks, "checksums", seed % 3 == 0 ? "0" : "1",
                "interval", "1", "protocol", "coordinated", "path", seed % 2 == 0 ? "network" : "auto"));
            SimResult result = new SimCluster(options, wrapped, seed, memory, STEP_LIMIT).run();
            if (!result.succeeded()) {
                throw new AssertionError("seed " + seed + ": " + result.story());
            }
        }
    }

    @ParameterizedTest
    @EnumSource(MessageCase.class)
    void holdsOnThreeRanks(MessageCase one) {
        run(3, MessageCase.program(one == MessageCase.ACROSS_A_BOUNDARY
            ? List.of(one, MessageCase.TAKEN_AFTER_THE_BOUNDARY) : List.of(one)));
    }

    @ParameterizedTest
    @EnumSource(MessageCase.class)
    void holdsOnOneRank(MessageCase one) {
        run(1, MessageCase.program(List.of(one)));
    }

    @ParameterizedTest
    @EnumSource(value = MessageCase.class, mode = EnumSource.Mode.EXCLUDE, names = "BESIDE_WINDOWS")
    void holdsWhereMessagesAreLoggedAndRanksAreLost(MessageCase one) {
        runLogged(3, MessageCase.program(one == MessageCase.ACROSS_A_BOUNDARY
            ? List.of(one, MessageCase.TAKEN_AFTER_THE_BOUNDARY) : List.of(one)));
    }

    @Test
    void holdsForAllCasesInOneJobWhereMessagesAreLogged() {
        List<MessageCase> all = new ArrayList<>(List.of(MessageCase.values()));
        all.remove(MessageCase.BESIDE_WINDOWS);
        runLogged(4, MessageCase.program(all));
    }

    private static SimResult run(Map<String, String> given, Program program) {
        return new SimCluster(JobOptions.of(given), new SimProgram() {
            @Override
            public String name() {
                return "misuse";
            }

            @Override
            public void run(Job job, Results results) throws Exception {
                program.run(job);
            }
        }, 1).run();
    }

    private static void refused(Map<String, String> given, Program program, String... parts) {
        SimResult result = run(given, program);
        assertNotNull(result.outcome(), result::story);
        assertEquals(1, result.outcome().kind().exitCode(), result::story);
        for (String part : parts) {
            assertTrue(result.outcome().message().contains(part), () -> part + ": " + result.outcome().message());
        }
    }

    @Test
    void aRequestThatIsOpenAtTheEndOfAStepIsNamed() {
        refused(Map.of("ranks", "2"), job -> {
            Channel world = job.messages();
            MemorySegment cell = job.protect("cell", 8);
            for (long step : job.steps(2)) {
                world.irecv(cell, 1 - job.rank(), 7);
            }
        }, "MisuseException", "the end of step 1", "1 request is open", "at most 8 bytes", "tag 7");
    }

    @Test
    void aRequestThatIsOpenAtTheEndOfTheProgramIsNamed() {
        refused(Map.of("ranks", "2"), job -> {
            Channel world = job.messages();
            MemorySegment cell = job.protect("cell", 8);
            for (long step : job.steps(1)) {
                world.barrier();
            }
            world.irecv(cell, 1 - job.rank(), 7);
        }, "MisuseException", "the end of the program: 1 request is open", "(await, waitAll) before that");
    }

    @Test
    void aCollectiveThatIsOpenAtTheEndOfAStepIsNamed() {
        for (String protocol : List.of("none", "pessimistic-v")) {
            refused(Map.of("ranks", "2", "protocol", protocol, "checksums", protocol.equals("none") ? "0" : "1"),
                job -> {
                    Channel world = job.messages();
                    for (long step : job.steps(2)) {
                        world.barrier();
                        world.ibarrier();
                    }
                }, "MisuseException", "the end of step 1", "1 request is open",
                "ibarrier, collective 2 of a channel of 2 ranks");
        }
    }

    @Test
    void whoAwaitsACollectiveThatARankThatHasFinishedHasNotCalledIsTold() {
        refused(Map.of("ranks", "3", "deadline", "40s"), job -> {
            Channel world = job.messages();
            for (long step : job.steps(1)) {
                world.barrier();
            }
            if (job.rank() != 1) {
                world.ibarrier().await();
            }
        }, "MisuseException", "ibarrier, collective 2 of a channel of 3 ranks", "has finished");
    }

    @ParameterizedTest
    @ValueSource(strings = {"full", "puts", "ml"})
    void messagesAreRefusedWhereAccessesAreLogged(String protocol) {
        refused(Map.of("ranks", "2", "checksums", "1", "protocol", protocol), Job::messages, "MisuseException",
            "--protocol " + protocol, "coordinated");
    }

    @Test
    void whoWaitsForARankThatHasFinishedIsTold() {
        refused(Map.of("ranks", "2", "deadline", "40s"), job -> {
            Channel world = job.messages();
            for (long step : job.steps(1)) {
                if (job.rank() == 0) {
                    world.sendLong(3, 1, 1);
                }
            }
            if (job.rank() == 1) {
                world.recvLong(0, 2);
            }
        }, "MisuseException", "rank 0 with tag 2", "has finished", "1 messages have come");
    }

    @Test
    void whereMemoryIsUsedUpTheDeadlineNamesThePairAndTheOptions() {
        refused(Map.of("ranks", "2", "deadline", "40s", "outbox", "128KiB"), job -> {
            Channel world = job.messages();
            MemorySegment large = job.protect("large", 1 << 20);
            for (long step : job.steps(1)) {
                world.send(large, 1 - job.rank(), 1);
                world.recv(large, 1 - job.rank(), 1);
            }
        }, "DeadlineException", "room for a message", "rank ", "--outbox", "--unexpected");
    }

    @Test
    void holdsForAllCasesInOneJob() {
        run(4, MessageCase.program(List.of(MessageCase.values())));
    }
}
