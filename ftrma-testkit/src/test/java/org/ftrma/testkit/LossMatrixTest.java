package org.ftrma.testkit;

import static org.ftrma.testkit.MatrixRuns.ALL_KINDS;
import static org.ftrma.testkit.MatrixRuns.LONG;
import static org.ftrma.testkit.MatrixRuns.STEPS;
import static org.ftrma.testkit.MatrixRuns.STILL;
import static org.ftrma.testkit.MatrixRuns.all;
import static org.ftrma.testkit.MatrixRuns.allKinds;
import static org.ftrma.testkit.MatrixRuns.base;
import static org.ftrma.testkit.MatrixRuns.count;
import static org.ftrma.testkit.MatrixRuns.diedIn;
import static org.ftrma.testkit.MatrixRuns.goBackToTheLastCommittedGeneration;
import static org.ftrma.testkit.MatrixRuns.local;
import static org.ftrma.testkit.MatrixRuns.program;
import static org.ftrma.testkit.MatrixRuns.reasons;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.ftrma.core.coordinator.JobEvent;
import org.ftrma.core.coordinator.JobOutcome;
import org.ftrma.core.membership.JobGroups;
import org.ftrma.testkit.programs.SimProgram;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The failure matrix once more, row by row, where not one member is lost but as many as a job survives: two of a group,
 * all of a node, two nodes. Computing ranks and checksum ranks are among them. The table is in
 * docs/internals/failure-matrix.md.
 */
@Tag("long")
class LossMatrixTest {
    /** What is lost at once. */
    enum Loss {
        /** Ranks 0 to 2 and checksum ranks 3 and 4 are one group, m is 2. */
        TWO_OF_A_GROUP,
        /** Two groups of three on three nodes, m is 1: a node holds one member of each. */
        NODE,
        /** One group of six on three nodes, m is 2: a node holds two of its members. */
        NODE_OF_TWO,
        /** Two groups of four on four nodes, m is 2: two nodes hold two members of each. */
        TWO_NODES;

        Simulation simulation(SimProgram program, String protocol) {
            Simulation simulation = new Simulation().program(program).protocol(protocol).spares(2).interval("1")
                .seed(5);
            return switch (this) {
                case TWO_OF_A_GROUP -> simulation.ranks(3).losses(2).checksums(2);
                case NODE -> simulation.ranks(4).checksums(2).nodes(3, "node");
                case NODE_OF_TWO -> simulation.ranks(4).losses(2).checksums(2).nodes(3, "node");
                case TWO_NODES -> simulation.ranks(4).losses(2).checksums(4).nodes(4, "node");
            };
        }

        private List<Integer> on(int... nodes) {
            Simulation simulation = simulation(STILL, "coordinated");
            return IntStream.of(nodes).boxed().flatMap(node ->
                JobGroups.membersOn(1, node, simulation.options()).stream()).toList();
        }

        /** Members that may be lost together. */
        List<List<Integer>> survived() {
            return switch (this) {
                case TWO_OF_A_GROUP -> List.of(List.of(0, 1), List.of(1, 2), List.of(1, 3), List.of(4, 2),
                    List.of(3, 4));
                case NODE, NODE_OF_TWO -> List.of(on(0), on(1), on(2));
                case TWO_NODES -> List.of(on(0, 1), on(1, 2), on(3, 0));
            };
        }

        /** Members that may not. */
        List<List<Integer>> tooMany() {
            return switch (this) {
                case TWO_OF_A_GROUP -> List.of(List.of(0, 1, 2), List.of(1, 3, 4), List.of(0, 2, 4));
                case NODE, NODE_OF_TWO -> List.of(on(0, 1), on(1, 2), on(2, 0));
                case TWO_NODES -> List.of(on(0, 1, 2), on(1, 2, 3));
            };
        }
    }

    private static List<Crash> atStep(List<Integer> members, long step) {
        return members.stream().map(member -> new Crash(true, member, step, Crash.How.AT_STEP)).toList();
    }

    /** All of them at so many steps, evenly over a part of a run in percent. */
    private static List<List<Crash>> spread(SimResult base, List<Integer> members, int from, int to, int times) {
        List<List<Crash>> crashes = new ArrayList<>();
        for (int i = 0; i < times; i++) {
            crashes.add(atStep(members, 1 + base.steps() * from / 100
                + base.steps() * (to - from) * i / (100L * times)));
        }
        return crashes;
    }

    /**
     * The first of them before or after a point of its own, at about so many points of a part of a run in percent, and
     * with it all others.
     */
    private static List<List<Crash>> together(Simulation simulation, List<Integer> members, int from, int to, int times,
        boolean hang) {
        ConcurrentLinkedQueue<List<Crash>> crashes = new ConcurrentLinkedQueue<>();
        int first = members.getFirst();
        long points = base(simulation).memberPoints()[first];
        List<Consumer<SimMemory>> cases = new ArrayList<>();
        for (int i = 0; i < times; i++) {
            long point = 1 + points * from / 100 + points * (to - from) * i / (100L * times);
            Crash crash = new Crash(true, first, point, hang || i % 2 == 0 ? Crash.How.BEFORE : Crash.How.AFTER);
            cases.add(memory -> {
                SimResult once = simulation.run(simulation.seed(), List.of(crash), memory);
                if (once.pointsAtFirstDeath() != null) {
                    List<Crash> all = new ArrayList<>();
                    all.add(hang ? new Crash(true, first, point, Crash.How.HANG) : crash);
                    for (int other : members.subList(1, members.size())) {
                        all.add(hang ? new Crash(true, other, once.pointsAtFirstDeath()[other] + 1, Crash.How.HANG)
                            : new Crash(true, other, once.stepsAtFirstDeath(), Crash.How.AT_STEP));
                    }
                    crashes.add(all);
                }
            });
        }
        SimWorkers.run(cases);
        return List.copyOf(crashes);
    }

    private static Collection<SimResult> survived(Simulation simulation, List<List<Crash>> crashes) {
        Collection<SimResult> results = all(simulation, crashes);
        for (SimResult result : results) {
            assertTrue(result.succeeded(), () -> simulation.command(simulation.seed(), result.crashes()) + "\n"
                + result.story());
        }
        return results;
    }

    private static void tell(String what, Collection<SimResult> results) {
        System.out.println(what + ": " + results.size() + " runs, " + local(results) + " recovered locally, fallbacks "
            + reasons(results));
    }

    private static void allFired(Collection<SimResult> results, int percent) {
        long fired = results.stream().filter(result -> result.fired() == result.crashes().size()).count();
        assertTrue(fired * 100 >= results.size() * percent,
            () -> "only in " + fired + " of " + results.size() + " runs all crashes took place");
    }

    @ParameterizedTest
    @CsvSource({"TWO_OF_A_GROUP,coordinated", "TWO_OF_A_GROUP,full", "NODE,coordinated", "NODE,full",
        "NODE_OF_TWO,coordinated", "NODE_OF_TWO,full",
        "TWO_NODES,coordinated", "TWO_NODES,full"})
    void row1And10AnywhereInTheProgram(Loss loss, String protocol) {
        Simulation simulation = loss.simulation(ALL_KINDS, protocol).interval("2");
        for (List<Integer> members : loss.survived()) {
            Collection<SimResult> results = survived(simulation, together(simulation, members, 0, 100, 50, false));
            tell(loss + " " + protocol + " " + members, results);
            allFired(results, 80);
            goBackToTheLastCommittedGeneration(results);
            boolean computing = members.stream().anyMatch(member -> member < simulation.ranks());
            for (SimResult result : results) {
                boolean running = result.events().stream().takeWhile(e -> !(e.event() instanceof JobEvent.MemberLost))
                    .anyMatch(e -> e.event() instanceof JobEvent.Running);
                assertTrue(computing || !running || result.outcome().rollbacks() == 0, result::story);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"TWO_OF_A_GROUP,coordinated", "TWO_OF_A_GROUP,full", "NODE,coordinated", "NODE,full",
        "NODE_OF_TWO,coordinated", "NODE_OF_TWO,full",
        "TWO_NODES,coordinated"})
    void row2WhileACheckpointIsTaken(Loss loss, String protocol) {
        Simulation simulation = loss.simulation(STILL, protocol);
        List<SimResult> results = new ArrayList<>();
        for (List<Integer> members : loss.survived()) {
            results.addAll(survived(simulation, together(simulation, members, 10, 100, 60, false)));
        }
        goBackToTheLastCommittedGeneration(results);
        assertTrue(results.stream().filter(r -> count(r, JobEvent.Abandoned.class) > 0).count() > 10,
            "too few checkpoints were given up");
        assertTrue(results.stream().anyMatch(r -> r.events().stream()
            .anyMatch(e -> e.event() instanceof JobEvent.RecoveryBegun begun
            && begun.generation() > 1)), "none died after the first checkpoint");
    }

    @ParameterizedTest
    @CsvSource({"TWO_OF_A_GROUP,bulk", "TWO_OF_A_GROUP,streaming", "NODE,bulk", "NODE,streaming", "NODE_OF_TWO,bulk",
        "NODE_OF_TWO,streaming"})
    void row3WhileADemandCheckpointIsTaken(Loss loss, String demand) {
        Simulation simulation = loss.simulation(ALL_KINDS, "full").interval("none").logLow(0).demand(demand);
        SimResult base = base(simulation);
        assertTrue(base.outcome().demands().committed() > 0, base::story);
        List<SimResult> results = new ArrayList<>();
        for (List<Integer> members : loss.survived()) {
            results.addAll(survived(simulation, together(simulation, members, 30, 100, 60, false)));
        }
        tell(loss + " " + demand, results);
        assertTrue(results.stream().filter(r -> count(r, JobEvent.DemandAbandoned.class) > 0).count() > 10,
            "too few were hit in a demand checkpoint");
    }

    /** Without a gsync at the end: each rank reads what others hold when these have finished. */
    @ParameterizedTest
    @EnumSource
    void row4InTheLastStepOrFinished(Loss loss) {
        SimProgram program = program("uneven", STEPS, (job, window, memory, step) -> {
            if (step == STEPS) {
                for (int i = 0; i < 20 * job.rank(); i++) {
                    memory.set(LONG, 0, memory.get(LONG, 0) * 31 + window.getLong(0, 0) + i);
                }
                return;
            }
            window.putLong(step, (job.rank() + 1) % job.ranks(), 8);
            job.gsync();
        });
        for (String protocol : List.of("coordinated", "full")) {
            Simulation simulation = loss.simulation(program, protocol).interval("2");
            List<SimResult> results = new ArrayList<>();
            for (List<Integer> members : loss.survived()) {
                results.addAll(survived(simulation, spread(base(simulation), members, 75, 100, 30)));
            }
            tell(loss + " " + protocol, results);
            allFired(results, 50);
        }
    }

    @ParameterizedTest
    @EnumSource
    void row5BeforeTheFirstCheckpoint(Loss loss) {
        for (String protocol : List.of("coordinated", "full")) {
            Simulation simulation = loss.simulation(ALL_KINDS, protocol).interval("4");
            List<SimResult> early = new ArrayList<>();
            for (List<Integer> members : loss.survived()) {
                survived(simulation, together(simulation, members, 0, 60, 40, false)).stream()
                    .filter(r -> r.events().stream()
                    .takeWhile(e -> !(e.event() instanceof JobEvent.MemberLost))
                    .noneMatch(e -> e.event() instanceof JobEvent.Committed))
                    .forEach(early::add);
            }
            goBackToTheLastCommittedGeneration(early);
            assertTrue(early.size() > 20, early.size() + " before the first checkpoint");
            assertTrue(early.stream().anyMatch(r -> r.events().stream()
                .anyMatch(e -> e.event() instanceof JobEvent.RecoveryBegun begun
                && begun.generation() == 0 && begun.rolledBack())), "none went back to generation 0");
        }
    }

    /** All replacements die once more, together, before they are back. */
    @ParameterizedTest
    @CsvSource({"TWO_OF_A_GROUP,coordinated", "TWO_OF_A_GROUP,full", "NODE,coordinated", "NODE,full",
        "NODE_OF_TWO,coordinated", "NODE_OF_TWO,full",
        "TWO_NODES,coordinated", "TWO_NODES,full"})
    void row6ReplacementsDuringTheirOwnRecovery(Loss loss, String protocol) {
        Simulation simulation = loss.simulation(ALL_KINDS, protocol).interval("2");
        long first = base(simulation).steps() * 2 / 3;
        List<SimResult> again = new ArrayList<>();
        for (List<Integer> members : loss.survived()) {
            long steps = simulation.run(simulation.seed(), atStep(members, first), new SimMemory()).steps();
            List<List<Crash>> crashes = new ArrayList<>();
            for (int i = 1; i <= 40; i++) {
                List<Crash> both = new ArrayList<>(atStep(members, first));
                both.addAll(atStep(members, first + i * (steps - first) / 60));
                crashes.add(both);
            }
            survived(simulation, crashes).stream().filter(MatrixRuns::diedAgainBeforeItWasBack).forEach(again::add);
        }
        tell(loss + " " + protocol + ", died again", again);
        assertTrue(again.size() > 40, again.size() + " died during their recovery");
    }

    /** One after the other; on nodes the second one is of another group, or another node. */
    @ParameterizedTest
    @CsvSource({"TWO_OF_A_GROUP,coordinated", "TWO_OF_A_GROUP,full", "NODE,coordinated", "NODE,full",
        "NODE_OF_TWO,coordinated", "NODE_OF_TWO,full",
        "TWO_NODES,coordinated", "TWO_NODES,full"})
    void row7And8TheOthersDuringTheRecoveryOfTheFirst(Loss loss, String protocol) {
        Simulation simulation = loss.simulation(ALL_KINDS, protocol).interval("2");
        long first = base(simulation).steps() * 2 / 3;
        List<SimResult> during = new ArrayList<>();
        for (List<Integer> members : loss.survived()) {
            int half = members.size() / 2;
            List<Crash> begin = atStep(members.subList(0, half), first);
            long steps = simulation.run(simulation.seed(), begin, new SimMemory()).steps();
            List<List<Crash>> crashes = new ArrayList<>();
            for (int i = 1; i <= 60; i++) {
                List<Crash> both = new ArrayList<>(begin);
                both.addAll(atStep(members.subList(half, members.size()), first + i * (steps - first) / 90));
                crashes.add(both);
            }
            survived(simulation, crashes).stream().filter(MatrixRuns::diedAgainBeforeItWasBack).forEach(during::add);
        }
        tell(loss + " " + protocol + ", died meanwhile", during);
        assertTrue(during.size() > 20, during.size() + " died during the recovery of the first");
    }

    /**
     * When all are back, others are lost: among them those that held the logs of the first. A checkpoint may lie
     * between, or not.
     */
    @ParameterizedTest
    @CsvSource({"TWO_OF_A_GROUP,1", "TWO_OF_A_GROUP,none", "NODE,1", "NODE,none", "NODE_OF_TWO,1", "NODE_OF_TWO,none",
        "TWO_NODES,1", "TWO_NODES,none"})
    void row9AndLaterThoseThatHeldTheirLogs(Loss loss, String interval) {
        Simulation simulation = loss.simulation(allKinds(18), "full").interval(interval).stepLimit(3_000_000);
        Map<Integer, Map<String, byte[]>> expected = simulation.expected();
        List<List<Integer>> sets = loss.survived();
        int twice = 0;
        for (int i = 0; i < sets.size(); i++) {
            List<Integer> first = sets.get(i);
            List<Integer> second = sets.get((i + 1) % sets.size());
            for (int moment = 0; moment < 8; moment++) {
                long begin = 60_000 + 23_000 * moment;
                long wait = 80_000 * moment;
                Set<Integer> back = new HashSet<>();
                boolean[] begun = new boolean[1];
                SimCluster cluster = new SimCluster(simulation.options(), allKinds(18), 7 + moment, 3_000_000);
                cluster.when(JobEvent.Committed.class, e -> true, c -> c.after(begin, d -> {
                    begun[0] = true;
                    first.forEach(d::kill);
                }));
                cluster.when(JobEvent.Recovered.class, e -> begun[0] && back.add(e.member()) && back.containsAll(first),
                    c -> c.after(wait, d -> second.forEach(d::kill)));
                SimResult result = cluster.run();
                assertNull(result.fault(expected), result::story);
                assertTrue(result.succeeded(), result::story);
                twice += count(result, JobEvent.MemberLost.class) == first.size() + second.size() ? 1 : 0;
            }
        }
        int lost = twice;
        assertTrue(lost >= 3 * sets.size(), () -> "in " + lost + " runs all were lost");
    }

    @ParameterizedTest
    @EnumSource
    void row11MoreThanThatEndTheJobClearly(Loss loss) {
        for (String protocol : List.of("coordinated", "full")) {
            Simulation simulation = loss.simulation(ALL_KINDS, protocol);
            for (List<Integer> members : loss.tooMany()) {
                for (SimResult result : all(simulation, spread(base(simulation), members, 65, 90, 12))) {
                    JobOutcome outcome = result.outcome();
                    assertEquals(JobOutcome.Kind.CATASTROPHIC, outcome.kind(), () -> members + "\n" + result.story());
                    assertTrue(outcome.message().matches(".*group [01] lost [2-6] members .* and can rebuild [12].*"),
                        result::story);
                }
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"TWO_OF_A_GROUP,coordinated", "TWO_OF_A_GROUP,full", "NODE,coordinated", "NODE,full",
        "NODE_OF_TWO,coordinated", "NODE_OF_TWO,full",
        "TWO_NODES,coordinated"})
    void row13AllOfThemHang(Loss loss, String protocol) {
        Simulation simulation = loss.simulation(ALL_KINDS, protocol).interval("2");
        List<SimResult> results = new ArrayList<>();
        for (List<Integer> members : loss.survived()) {
            results.addAll(survived(simulation, together(simulation, members, 5, 95, 30, true)));
        }
        allFired(results, 80);
        assertTrue(results.stream().filter(r -> diedIn(r).equals("no heartbeat")).count() > results.size() / 2,
            "too few hangs");
    }

    /**
     * Rank 0 dies while it holds the lock of rank 1's window, or rank 1 does, its home, or both, and all that is lost
     * with it; rank 2 waits for the lock.
     */
    @ParameterizedTest
    @CsvSource({"TWO_OF_A_GROUP,0 3", "TWO_OF_A_GROUP,0 2", "TWO_OF_A_GROUP,1 4", "TWO_OF_A_GROUP,0 1", "NODE,0",
        "NODE,1", "NODE_OF_TWO,0",
        "NODE_OF_TWO,1", "TWO_NODES,0", "TWO_NODES,1"})
    void row14TheHolderOfALockOrItsHomeAndWhatIsLostWithThem(Loss loss, String given) {
        List<Integer> named = Stream.of(given.split(" ")).map(Integer::valueOf).toList();
        List<Integer> lost = loss == Loss.TWO_OF_A_GROUP ? named
            : loss.survived().stream().filter(members -> members.containsAll(named)).findFirst().orElseThrow();
        int[] victims = lost.stream().mapToInt(Integer::intValue).toArray();
        Simulation simulation = loss.simulation(STILL, "full");
        Script.Story story = new Script.Story("lock and " + lost, simulation.ranks(),
            simulation.members() - simulation.ranks(), "none", 1,
            MatrixRuns.lockHeldWhenTheyDie(victims), options(simulation));
        Map<Integer, Map<String, byte[]>> expected = story.run(1, false, Set.of()).contents();
        long computing = lost.stream().filter(member -> member < simulation.ranks()).count();
        int all = 0;
        for (long seed = 1; seed <= 20; seed++) {
            SimResult result = story.run(seed, true, Set.of());
            assertNull(result.fault(expected), result::story);
            assertTrue(result.succeeded(), result::story);
            long heard = count(result, JobEvent.MemberLost.class);
            // A checksum rank's end may be heard of after the job's.
            assertTrue(heard >= computing, result::story);
            all += heard == lost.size() ? 1 : 0;
            assertTrue(computing > 1 || result.outcome().localRecoveries() == 1 && result.outcome().rollbacks() == 0,
                result::story);
            assertTrue(result.outcome().rollbacks() == 0 || !result.outcome().fallbacks().isEmpty(), result::story);
        }
        int heardOfAll = all;
        assertTrue(heardOfAll > 10, () -> "in " + heardOfAll + " runs all were lost");
    }

    private static Map<String, String> options(Simulation simulation) {
        Map<String, String> options = new HashMap<>(Map.of("losses", "" + simulation.losses()));
        if (simulation.options().nodes() > 0) {
            options.put("nodes", "" + simulation.options().nodes());
            options.put("aware", "node");
        }
        return options;
    }
}
