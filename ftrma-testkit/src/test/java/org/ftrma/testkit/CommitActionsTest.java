package org.ftrma.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import org.ftrma.Generation;
import org.ftrma.Job;
import org.ftrma.MisuseException;
import org.ftrma.Window;
import org.ftrma.core.coordinator.JobEvent;
import org.ftrma.core.coordinator.JobOutcome;
import org.ftrma.options.JobOptions;
import org.ftrma.testkit.programs.SimProgram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What a program does when a generation is committed: on each rank for each generation, once in a process, whoever is
 * lost at whatever point.
 */
class CommitActionsTest {
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
    private static final int RANKS = 3;

    /** One call of a process. */
    private record Told(int rank, int incarnation, Generation generation) {
    }

    /** Halves of a ring that go round; what is told is kept by the test, as an outside world does. */
    private record Telling(List<Told> told) implements SimProgram {
        @Override
        public String name() {
            return "telling";
        }

        @Override
        public void run(Job job, Results results) {
            Window window = job.allocateWindow("w", 8);
            MemorySegment state = job.protect("state", 8);
            job.onCommit(generation -> told.add(new Told(job.rank(), job.incarnation(), generation)));
            job.initialize(() -> state.set(LONG, 0, job.rank() + 1));
            for (long step : job.steps(9)) {
                window.putLong(state.get(LONG, 0) + step, (job.rank() + 1) % job.ranks(), 0);
                job.gsync();
                state.set(LONG, 0, 31 * state.get(LONG, 0) + window.memory().get(LONG, 0));
                job.gsync();
            }
            results.store("state", state);
        }
    }

    private static SimCluster cluster(List<Told> told, String protocol, String interval, SimMemory memory) {
        return cluster(told, protocol, interval, memory, 3);
    }

    private static SimCluster cluster(List<Told> told, String protocol, String interval, SimMemory memory, long seed) {
        return new SimCluster(JobOptions.of(Map.of("ranks", "" + RANKS, "checksums", "1", "interval", interval,
            "protocol", protocol, "log-budget", "1MiB", "deadline", "40s")), new Telling(told), seed, memory, 400_000);
    }

    /** What is wrong with what was told, or null. */
    private static String fault(SimResult result, List<Told> told) {
        Map<Long, Long> committed = new TreeMap<>();
        result.events().stream().map(SimResult.TimedEvent::event).filter(JobEvent.Committed.class::isInstance)
            .map(JobEvent.Committed.class::cast).forEach(e -> committed.put(e.generation(), e.step()));
        long last = committed.keySet().stream().mapToLong(Long::longValue).max().orElse(0);
        for (Told one : told) {
            if (committed.get(one.generation.number()) == null
                || committed.get(one.generation.number()) != one.generation.step()) {
                return one + " is not committed: " + committed;
            }
            if (told.stream().filter(one::equals).count() > 1) {
                return one + " was told twice";
            }
        }
        for (int rank = 0; rank < RANKS; rank++) {
            int ofRank = rank;
            for (long generation = 1; generation < last; generation++) {
                long number = generation;
                if (told.stream().noneMatch(one -> one.rank == ofRank && one.generation.number() == number)) {
                    return "rank " + rank + " was not told of generation " + generation + " of " + committed;
                }
            }
        }
        return null;
    }

    @ParameterizedTest
    @CsvSource({"coordinated,2,17", "full,2,17", "full,1,25", "coordinated,1,25"})
    void eachGenerationIsToldOnEachRankWhoeverIsLost(String protocol, String interval, int stride) {
        List<Told> clean = new ArrayList<>();
        SimResult base = cluster(clean, protocol, interval, new SimMemory()).run();
        assertTrue(base.succeeded(), base::story);
        assertNull(fault(base, clean), base::story);
        assertTrue(clean.size() >= 3 * RANKS, clean::toString);
        Queue<String> faults = new ConcurrentLinkedQueue<>();
        List<Consumer<SimMemory>> cases = new ArrayList<>();
        for (int member = 0; member <= RANKS; member++) {
            for (long point = 1 + member; point <= base.memberPoints()[member]; point += EveryPoint.or(stride)) {
                Crash crash = new Crash(true, member, point, Crash.How.AFTER);
                cases.add(memory -> {
                    List<Told> told = new ArrayList<>();
                    SimResult result = cluster(told, protocol, interval, memory).crashing(List.of(crash)).run();
                    String fault = result.fault(base.contents());
                    fault = fault == null && result.outcome().kind() == JobOutcome.Kind.SUCCESS ? fault(result, told)
                        : fault;
                    if (fault != null) {
                        faults.add(crash + ": " + fault + "\n" + told + "\n" + result.story());
                    }
                });
            }
        }
        SimWorkers.run(cases);
        System.out.println(protocol + " " + interval + ": " + cases.size() + " runs, " + faults.size() + " faults");
        assertTrue(faults.isEmpty(), () -> faults.size() + " faults; the first: " + faults.peek());
        assertTrue(cases.size() >= 20, "" + cases.size());
    }

    /** Who is lost when a generation has just been committed was told of the one before. */
    @ParameterizedTest
    @ValueSource(strings = {"coordinated", "full"})
    void aGenerationIsToldBeforeTheNextOneIsCopied(String protocol) {
        for (long seed = 1; seed <= 60; seed++) {
            List<Told> told = new ArrayList<>();
            long second = 2 + seed % 4;
            SimResult result = cluster(told, protocol, "1", new SimMemory(), seed)
                .when(JobEvent.Committed.class, e -> e.generation() == second, c -> c.kill(1)).run();
            assertTrue(result.succeeded(), result::story);
            assertNull(fault(result, told), result::story);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"none", "coordinated", "full"})
    void nothingThatOthersTakePartInIsPossibleInside(String protocol) {
        JobOptions options = JobOptions.of(Map.of("ranks", "2", "checksums", protocol.equals("none") ? "0" : "1",
            "interval", "1", "protocol", protocol, "deadline", "40s"));
        List<String> refused = new ArrayList<>();
        SimResult result = new SimCluster(options, new SimProgram() {
            @Override
            public String name() {
                return "inside";
            }

            @Override
            public void run(Job job, Results results) {
                Window window = job.allocateWindow("w", 8);
                job.onCommit(generation -> {
                    refuses(() -> window.putLong(1, 0, 0), refused);
                    refuses(job::barrier, refused);
                    refuses(() -> job.nondeterministic(() -> 1), refused);
                    refuses(job::nextStep, refused);
                    refuses(job::checkpoint, refused);
                    job.report("generation", generation.number());
                });
                while (job.nextStep()) {
                    assertThrows(MisuseException.class, () -> job.onCommit(generation -> { }));
                    job.barrier();
                    if (job.step() == 4) {
                        break;
                    }
                }
                window.putLong(1, 0, 0);
            }
        }, 1).run();
        assertTrue(result.succeeded(), result::story);
        assertEquals(protocol.equals("none"), refused.isEmpty(), refused::toString);
        assertEquals(protocol.equals("none"), result.outcome().reports().get("generation") == null, result::story);
    }

    private static void refuses(Runnable call, List<String> refused) {
        refused.add(assertThrows(MisuseException.class, call::run).getMessage());
    }

    @Test
    void whatItThrowsTheProgramHasThrown() {
        SimResult result = new SimCluster(JobOptions.of(Map.of("ranks", "2", "checksums", "1", "interval", "1",
            "protocol", "full", "deadline", "40s")), new SimProgram() {
                @Override
                public String name() {
                    return "throwing";
                }

                @Override
                public void run(Job job, Results results) {
                    job.onCommit(generation -> {
                        throw new IllegalStateException("the disk is full");
                    });
                    for (long step : job.steps(4)) {
                        job.barrier();
                    }
                }
            }, 1).run();
        assertEquals(JobOutcome.Kind.FAILED, result.outcome().kind(), result::story);
        assertTrue(result.outcome().message().contains("the disk is full"), result::story);
    }
}
