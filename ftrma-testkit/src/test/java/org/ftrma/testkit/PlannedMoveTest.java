package org.ftrma.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.ftrma.core.coordinator.JobEvent;
import org.ftrma.options.JobOptions;
import org.ftrma.testkit.programs.Programs;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Members that move to other processes since theirs are to be left, at any moment, whoever is lost meanwhile: the
 * result is that of a run without any of it, and a move alone is no loss and repeats nothing.
 */
@Tag("long")
class PlannedMoveTest {
    private static final long STEP_LIMIT = 600_000;
    private static final int RANKS = 3;
    private static final int STEPS = 14;
    private static final int MOMENTS = 6;
    private static final int CRASHES = 5;

    private record Setup(String program, String protocol, String interval, int losses, long seed) {
        SimCluster cluster(SimMemory memory) {
            JobOptions options = JobOptions.of(Map.of("ranks", "" + RANKS, "checksums", "" + losses, "losses",
                "" + losses, "interval", interval, "protocol", protocol, "log-budget", "1MiB", "path", "mixed",
                "deadline", "40s"));
            return new SimCluster(options, Programs.byName(program, STEPS), seed, memory, STEP_LIMIT);
        }

        int members() {
            return RANKS + losses;
        }
    }

    private static void leave(SimCluster cluster, int... members) {
        cluster.coordinator().operator().leave(IntStream.of(members).map(cluster.coordinator()::processOf)
            .filter(process -> process >= 0).boxed().toList());
    }

    private static List<JobEvent> events(SimResult result) {
        return result.events().stream().map(SimResult.TimedEvent::event).toList();
    }

    private static long count(SimResult result, Class<? extends JobEvent> type) {
        return events(result).stream().filter(type::isInstance).count();
    }

    @ParameterizedTest
    @CsvSource({"halo,coordinated,none,1,1", "halo,full,none,1,2", "locks,coordinated,3,1,3", "locks,full,none,2,4",
        "atomics,full,2,2,5", "rotating,coordinated,none,2,6", "halo,puts,4,1,8", "halo,ml,4,1,9"})
    void aMemberThatMovesAtAnyMomentWithACrashLeavesTheResultAsItIs(String program, String protocol, String interval,
        int losses, long seed) {
        Setup setup = new Setup(program, protocol, interval, losses, seed);
        SimResult base = setup.cluster(new SimMemory()).run();
        assertTrue(base.succeeded(), base::story);
        long longest = base.events().getLast().nanos() - base.events().getFirst().nanos();
        Queue<String> faults = new ConcurrentLinkedQueue<>();
        AtomicInteger moved = new AtomicInteger();
        AtomicInteger both = new AtomicInteger();
        List<Consumer<SimMemory>> cases = new ArrayList<>();
        for (int member = 0; member < setup.members(); member++) {
            for (int i = 1; i <= MOMENTS; i++) {
                int moving = member;
                long nanos = longest * i / MOMENTS;
                for (int c = 0; c <= CRASHES; c++) {
                    int victim = (member + c + i) % setup.members();
                    List<Crash> crashes = c == 0 ? List.of() : List.of(new Crash(true, victim,
                        base.memberPoints()[victim] * c / CRASHES + i, c % 2 == 0 ? Crash.How.BEFORE
                        : Crash.How.AFTER));
                    cases.add(memory -> {
                        SimCluster cluster = setup.cluster(memory).crashing(crashes);
                        cluster.after(nanos, one -> leave(one, moving));
                        SimResult result = cluster.run();
                        String fault = result.fault(base.contents());
                        if (fault != null) {
                            faults.add("member " + moving + " moves after " + nanos + " ns, " + crashes + ": " + fault
                                + "\n" + result.story());
                        }
                        boolean hasMoved = count(result, JobEvent.MembersMoved.class) > 0;
                        moved.addAndGet(hasMoved ? 1 : 0);
                        both.addAndGet(hasMoved ? result.fired() : 0);
                    });
                }
            }
        }
        SimWorkers.run(cases);
        System.out.println(setup + ": " + cases.size() + " runs, " + moved + " with a move, " + both
            + " of them with a loss, " + faults.size() + " faults");
        assertTrue(faults.isEmpty(), () -> faults.size() + " faults; the first: " + faults.peek());
        assertTrue(moved.get() >= cases.size() / 5, moved + " moved");
        assertTrue(both.get() >= 5, both + " with a loss");
    }

    /** No step is repeated: all begin after the cut at which they stay, which is the newest generation. */
    @ParameterizedTest
    @CsvSource({"coordinated", "full", "puts", "ml"})
    void aMoveIsNoLossAndRepeatsNothing(String protocol) {
        Setup setup = new Setup("halo", protocol, "none", 1, 21);
        SimResult base = setup.cluster(new SimMemory()).run();
        SimCluster cluster = setup.cluster(new SimMemory()).watching(0, 4);
        cluster.when(JobEvent.StepHeld.class, held -> held.step() == 4, c -> {
            leave(c, 1);
            c.coordinator().release(0, 4);
        });
        SimResult result = cluster.run();
        assertNull(result.fault(base.contents()), result::story);
        assertEquals(0, result.outcome().rollbacks(), result::story);
        assertEquals(0, count(result, JobEvent.MemberLost.class), result::story);
        List<JobEvent> events = events(result);
        int moving = IntStream.range(0, events.size()).filter(i -> events.get(i) instanceof JobEvent.MembersMoving)
            .findFirst().orElseThrow(() -> new AssertionError(result.story()));
        JobEvent.MembersMoving move = (JobEvent.MembersMoving) events.get(moving);
        assertEquals(List.of(1), move.members());
        assertTrue(move.step() >= 4, result::story);
        assertFalse(events.subList(0, moving).stream().anyMatch(event -> event instanceof JobEvent.StepBegun begun
            && begun.step() > move.step()), result::story);
        assertTrue(events.contains(new JobEvent.MembersMoved(move.view(), List.of(1))), result::story);
    }

    /** More of a group than it can rebuild at once move one after the other. */
    @Test
    void moreThanAGroupCanRebuildMoveAtSeveralCuts() {
        Setup setup = new Setup("halo", "coordinated", "none", 1, 23);
        SimResult base = setup.cluster(new SimMemory()).run();
        SimCluster cluster = setup.cluster(new SimMemory()).watching(0, 2);
        cluster.when(JobEvent.StepHeld.class, held -> held.step() == 2, c -> {
            leave(c, 0, 1, 2);
            c.coordinator().release(0, 2);
        });
        SimResult result = cluster.run();
        assertNull(result.fault(base.contents()), result::story);
        List<Integer> members = events(result).stream().filter(JobEvent.MembersMoved.class::isInstance)
            .flatMap(event -> ((JobEvent.MembersMoved) event).members().stream()).toList();
        assertEquals(List.of(0, 1, 2), members, result::story);
        assertEquals(3, count(result, JobEvent.MembersMoved.class), result::story);
        assertEquals(0, result.outcome().rollbacks(), result::story);
    }
}
