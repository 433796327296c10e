package org.ftrma.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import org.ftrma.LockType;
import org.ftrma.Window;
import org.ftrma.core.control.FallbackReason;
import org.ftrma.core.membership.JobGroups;
import org.ftrma.testkit.programs.SimProgram;
import org.ftrma.testkit.programs.SimRandom;
import org.ftrma.testkit.programs.StrangersProgram;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Ranks that were lost together, or one while another one is recovered, and that have nothing to do with each other,
 * are recovered side by side while the others run on; all go back where they have.
 */
@Tag("long")
class StrangersTest {
    private static final int RANKS = 6;
    /** Rank 1 and rank 3 never access each other, nor do 2 and 4, 3 and 5. */
    private static final SimProgram RING = puts("ring", 1);
    /** Even ranks never access odd ones. */
    private static final SimProgram EVERY_OTHER = puts("every-other", 2);
    /** The same, where each has a result that only its buddy keeps. */
    private static final SimProgram KEPT = MatrixRuns.program("kept", 4, (job, window, memory, step) -> {
        memory.set(MatrixRuns.LONG, 0, memory.get(MatrixRuns.LONG, 0) * 31 + job.nondeterministic(job::rank));
        window.put(memory, 0, (job.rank() + 2) % RANKS, 8 + 8 * (step & 1), 8);
        job.gsync();
    });

    /** Puts and gets to a rank at that distance, in steps that end with barriers: only the pair may be in the way. */
    private static SimProgram puts(String name, int distance) {
        return MatrixRuns.program(name, 4, (job, window, memory, step) -> {
            int next = (job.rank() + distance) % RANKS;
            memory.set(MatrixRuns.LONG, 0, memory.get(MatrixRuns.LONG, 0) * 31 + step + job.rank());
            window.put(memory, 0, next, 8 + 8 * (step & 1), 8);
            window.get(memory, 8, next, 0, 8);
            window.flush(next);
            job.gsync();
            window.memory().set(MatrixRuns.LONG, 0, window.memory().get(MatrixRuns.LONG, 8 + 8 * (step & 1))
                + memory.get(MatrixRuns.LONG, 8));
            job.gsync();
        });
    }

    static Simulation full(SimProgram program) {
        return new Simulation().program(program).protocol("full").ranks(RANKS).checksums(3).spares(2);
    }

    /** What runs came to. */
    private record Ends(int runs, int sideBySide, int wrong, Queue<String> stories) {
    }

    private static Ends run(Simulation simulation, List<List<Crash>> crashes) {
        Map<Integer, Map<String, byte[]>> expected = simulation.faults(Set.of()).expected();
        return run(simulation, crashes, Set.of(), expected);
    }

    private static Ends run(Simulation simulation, List<List<Crash>> crashes, Set<String> bugs,
        Map<Integer, Map<String, byte[]>> expected) {
        simulation.faults(bugs);
        Queue<SimResult> results = new ConcurrentLinkedQueue<>();
        List<Consumer<SimMemory>> cases = new ArrayList<>();
        for (List<Crash> each : crashes) {
            cases.add(memory -> results.add(simulation.run(simulation.seed(), each, memory)));
        }
        SimWorkers.run(cases);
        simulation.faults(Set.of());
        Queue<String> stories = new ConcurrentLinkedQueue<>();
        int sideBySide = 0;
        for (SimResult result : results) {
            String fault = result.fault(expected);
            if (fault != null) {
                stories.add(fault + "\n" + simulation.command(simulation.seed(), result.crashes()) + "\n"
                    + result.story());
            } else if (result.outcome().rollbacks() == 0 && result.outcome().localRecoveries() >= 2) {
                sideBySide++;
            }
        }
        return new Ends(results.size(), sideBySide, stories.size(), stories);
    }

    private static Ends good(Ends ends, String what) {
        System.out.println(what + ": " + ends.sideBySide + " of " + ends.runs + " side by side, " + ends.wrong
            + " wrong");
        assertEquals(0, ends.wrong, () -> ends.stories.peek());
        return ends;
    }

    /** Two members at moments so far apart, all over the run from the first checkpoint on. */
    private static List<List<Crash>> pairs(Simulation simulation, int one, int other, long apart, int count) {
        return pairsFrom(simulation, one, other, apart, count, 40);
    }

    /** The same from so many percent of the run on, up to nine tenths. */
    static List<List<Crash>> pairsFrom(Simulation simulation, int one, int other, long apart, int count,
        int percent) {
        long steps = MatrixRuns.base(simulation).steps();
        List<List<Crash>> crashes = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            long at = steps * percent / 100 + steps * (90 - percent) * i / (100L * count);
            crashes.add(List.of(new Crash(true, one, at, Crash.How.AT_STEP),
                new Crash(true, other, at + apart, Crash.How.AT_STEP)));
        }
        return crashes;
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 20, 200, 1000})
    void twoThatHaveNothingToDoWithEachOtherAreRecoveredSideBySide(long apart) {
        Simulation simulation = full(RING).seed(3);
        Ends ends = good(run(simulation, pairs(simulation, 1, 3, apart, 60)), apart + " steps apart");
        assertTrue(ends.sideBySide > ends.runs * 2 / 3, ends::toString);
    }

    /** The one that is lost second dies at every point of its own, while the first one is recovered. */
    @Test
    void theSecondOneAtEveryPointWhileTheFirstOneIsRecovered() {
        Simulation simulation = full(RING).seed(5).interval("none");
        SimResult base = MatrixRuns.base(simulation);
        Crash first = new Crash(true, 3, base.steps() * 3 / 5, Crash.How.AT_STEP);
        SimResult once = simulation.run(simulation.seed(), List.of(first), new SimMemory());
        long[] passed = once.pointsAtFirstDeath();
        List<List<Crash>> crashes = new ArrayList<>();
        for (int member : new int[] {1, 5}) {
            for (long point = passed[member] + 1; point <= Math.min(passed[member] + 150, once.memberPoints()[member]);
                point++) {
                crashes.add(List.of(first, new Crash(true, member, point, Crash.How.BEFORE)));
                crashes.add(List.of(first, new Crash(true, member, point, Crash.How.AFTER)));
            }
        }
        for (long point = passed[3] + 1; point <= Math.min(passed[3] + 150, once.memberPoints()[3]); point++) {
            // the replacement of the first one, at each of its points
            crashes.add(List.of(first, new Crash(true, 1, first.index() + 1, Crash.How.AT_STEP),
                new Crash(true, 3, point, Crash.How.BEFORE)));
        }
        Ends ends = good(run(simulation, crashes), "the second one at every point");
        assertTrue(ends.sideBySide > ends.runs / 2, ends::toString);
    }

    /** Who passed a barrier knows by a signal of the one that is lost with it that a lost rank had entered that. */
    @Test
    void whatALostRankHadEnteredIsKnownByTheSignalsOfAnotherOne() {
        SimProgram across = MatrixRuns.program("across", 4, (job, window, memory, step) -> {
            memory.set(MatrixRuns.LONG, 0, memory.get(MatrixRuns.LONG, 0) * 31 + step + job.rank());
            window.put(memory, 0, (job.rank() + 3) % RANKS, 8, 8);
            job.gsync();
            memory.set(MatrixRuns.LONG, 0, memory.get(MatrixRuns.LONG, 0) * 31
                + window.memory().get(MatrixRuns.LONG, 8));
            job.gsync();
        });
        Simulation simulation = full(across).hosts(3).seed(1);
        long points = MatrixRuns.base(simulation).memberPoints()[2];
        List<List<Crash>> crashes = new ArrayList<>();
        for (long point = points / 2; point < points * 3 / 4; point++) {
            Crash first = new Crash(true, 2, point, Crash.How.AFTER);
            long passed = simulation.run(simulation.seed(), List.of(first), new SimMemory()).pointsAtFirstDeath()[3];
            for (int further : new int[] {4, 8, 12}) {
                crashes.add(List.of(first, new Crash(true, 3, passed + further, Crash.How.AFTER)));
            }
        }
        Ends ends = good(run(simulation, crashes), "known by the signals of another one");
        assertTrue(ends.sideBySide > ends.runs / 2, ends::toString);
    }

    @Test
    void aHostWithTwoRanksThatHaveNothingToDoWithEachOtherIsRecoveredLocally() {
        Simulation simulation = full(EVERY_OTHER).hosts(3).seed(7);
        List<Integer> together = JobGroups.membersOn(1, 1, simulation.options());
        assertEquals(List.of(2, 3, 7), together);
        Ends ends = good(run(simulation, pairs(simulation, 2, 3, 0, 60)), "two of a host");
        assertTrue(ends.sideBySide > ends.runs * 2 / 3, ends::toString);
        List<List<Crash>> hosts = new ArrayList<>();
        long steps = MatrixRuns.base(simulation).steps();
        for (int host = 1; host < 3; host++) {
            for (long at = steps * 2 / 5; at < steps * 9 / 10; at += steps / 60) {
                hosts.add(List.of(new Crash(false, host, at, Crash.How.HOST_DOWN)));
            }
        }
        Ends down = good(run(simulation, hosts), "hosts down");
        assertTrue(down.sideBySide > down.runs / 2, down::toString);
    }

    /** Its buddy is lost with it then, and what that kept for it. */
    @Test
    void aBuddyOnTheSameHostIsFound() {
        Simulation simulation = full(KEPT).hosts(3).seed(7);
        Map<Integer, Map<String, byte[]>> expected = simulation.expected();
        List<List<Crash>> crashes = pairsFrom(simulation, 2, 3, 0, 20, 70);
        Ends right = good(run(simulation, crashes, Set.of(), expected), "buddies on other hosts");
        assertTrue(right.sideBySide > right.runs * 2 / 3, right::toString);
        Ends ends = run(simulation, crashes, Set.of("BUDDY_ON_SAME_HOST"), expected);
        assertEquals(0, ends.wrong, () -> ends.stories.peek());
        assertEquals(0, ends.sideBySide, "a rank whose buddy is on its own host is recovered with it");
    }

    @Test
    void twoThatAccessedEachOtherMakeAllGoBackAndIfThatIsForgottenItIsFound() {
        Simulation simulation = full(EVERY_OTHER).seed(3);
        SimResult base = MatrixRuns.base(simulation);
        Map<Integer, Map<String, byte[]>> expected = simulation.expected();
        List<List<Crash>> crashes = new ArrayList<>();
        // in the steps: who was lost before its first one had accessed nobody, and is recovered with any other
        crashes.addAll(pairsFrom(simulation, 2, 4, 0, 15, 65));
        crashes.addAll(pairsFrom(simulation, 1, 5, 60, 15, 65));
        for (List<Crash> each : crashes) {
            SimResult result = simulation.run(simulation.seed(), each, new SimMemory());
            assertNull(result.fault(expected), result::story);
            assertTrue(base.steps() > each.get(1).index(), "both are lost");
            assertEquals(1, result.outcome().rollbacks(), result::story);
            assertEquals(Set.of(FallbackReason.SECOND_FAILURE.name()), result.outcome().fallbacks().keySet(),
                result::story);
        }
        Ends forgotten = run(simulation, crashes, Set.of("PAIR_FORGOTTEN"), expected);
        System.out.println("PAIR_FORGOTTEN: " + forgotten.wrong + " of " + forgotten.runs + " wrong");
        assertTrue(forgotten.wrong > 0, "PAIR_FORGOTTEN was not found");
    }

    /**
     * Rank 2 puts to rank 1 under a lock that rank 3 has next, and rank 3 has another one that rank 1 has next: only
     * the lock events of rank 3, which is lost with rank 1, say that rank 1 had seen the put when it read its window.
     */
    @Test
    void whatWasSeenByLocksOfAnotherLostRankIsNotMissed() {
        SimProgram chain = MatrixRuns.program("chain", 4, (job, window, memory, step) -> {
            switch (job.rank()) {
                case 2 -> {
                    window.lock(LockType.EXCLUSIVE, 4);
                    window.putLong(step, 1, 8);
                    window.flush(1);
                    window.putLong(step, 4, 16);
                    window.unlock(4);
                }
                case 3 -> {
                    awaitUnderLock(window, 4, step);
                    window.lock(LockType.EXCLUSIVE, 5);
                    window.putLong(step, 5, 16);
                    window.unlock(5);
                }
                case 1 -> {
                    awaitUnderLock(window, 5, step);
                    memory.set(MatrixRuns.LONG, 0, memory.get(MatrixRuns.LONG, 0) * 31
                        + window.memory().get(MatrixRuns.LONG, 8));
                }
                default -> memory.set(MatrixRuns.LONG, 0, step);
            }
            job.gsync();
        });
        Simulation simulation = full(chain).seed(3).interval("none");
        Map<Integer, Map<String, byte[]>> expected = simulation.expected();
        int needed = 0;
        List<List<Crash>> crashes = pairs(simulation, 1, 3, 0, 60);
        for (List<Crash> each : crashes) {
            SimResult result = simulation.run(simulation.seed(), each, new SimMemory());
            assertNull(result.fault(expected), result::story);
            needed += result.story().contains("the lock events of a rank that was lost, too, are gone") ? 1 : 0;
        }
        System.out.println("lock events of the other one are needed: " + needed + " of " + crashes.size());
        assertTrue(needed > crashes.size() / 4, needed + " of " + crashes.size());
    }

    /** Until rank 1 or 3 reads what was put there by the one before it. */
    private static void awaitUnderLock(Window window, int home, long wanted) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment found = arena.allocate(8, 8);
            while (found.get(MatrixRuns.LONG, 0) < wanted) {
                window.lock(LockType.EXCLUSIVE, home);
                window.get(found, 0, home, 16, 8);
                window.unlock(home);
            }
        }
    }

    /** A rank and another group's rank in random programs with strangers, all kinds of accesses, one host and three. */
    @ParameterizedTest
    @ValueSource(ints = {0, 3})
    void randomProgramsOfStrangersAreRecovered(int hosts) {
        Queue<String> wrong = new ConcurrentLinkedQueue<>();
        Queue<SimResult> results = new ConcurrentLinkedQueue<>();
        List<Consumer<SimMemory>> cases = new ArrayList<>();
        for (long number = 1; number <= 40; number++) {
            long seed = number;
            cases.add(memory -> random(seed, hosts, memory, results, wrong));
        }
        SimWorkers.run(cases);
        long sideBySide = results.stream().filter(result -> result.outcome().rollbacks() == 0
            && result.outcome().localRecoveries() >= 2).count();
        System.out.println(results.size() + " runs, " + sideBySide + " side by side, " + wrong.size() + " wrong");
        assertTrue(wrong.isEmpty(), wrong::peek);
        assertTrue(sideBySide > results.size() / 10, "only " + sideBySide);
    }

    private static void random(long number, int hosts, SimMemory memory, Queue<SimResult> results,
        Queue<String> wrong) {
        SimRandom random = new SimRandom(number * 31);
        StrangersProgram program = new StrangersProgram(number, 3);
        Simulation simulation = full(program).steps(3).seed(number)
            .interval(random.chance(500) ? "none" : "2").logLow(random.chance(300) ? 0 : 33);
        if (hosts > 0) {
            simulation.hosts(hosts);
        }
        SimResult base = simulation.run(number, List.of(), memory);
        for (int i = 0; i < 3; i++) {
            int one = 1 + random.below(RANKS - 1);
            int other = 1 + random.below(RANKS - 1);
            long at = random.between(base.steps() / 3, base.steps());
            SimResult result = simulation.run(number, List.of(new Crash(true, one, at, Crash.How.AT_STEP),
                new Crash(true, other, at + random.between(0, random.chance(500) ? 2000 : 1), Crash.How.AT_STEP)),
                memory);
            String fault = result.fault(base.contents());
            if (fault != null) {
                wrong.add(fault + "\n" + simulation.command(number, result.crashes()) + "\n" + result.story());
            } else if (result.succeeded()) {
                results.add(result);
            }
        }
    }
}
