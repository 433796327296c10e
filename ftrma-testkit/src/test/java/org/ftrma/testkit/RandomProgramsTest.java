package org.ftrma.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.ftrma.testkit.programs.Flavour;
import org.ftrma.testkit.programs.Programs;
import org.ftrma.testkit.programs.RandomProgram;
import org.ftrma.testkit.programs.SimProgram;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Random race-free programs (design 8.2): what they are, and that crashes leave their results as they are. */
@Tag("long")
class RandomProgramsTest {
    private static final int STEPS = 3;

    private static SimResult run(SimProgram program, long schedule) {
        return new Simulation().program(program).seed(schedule).steps(STEPS).replay();
    }

    @ParameterizedTest
    @EnumSource
    void crashesLeaveTheResultsAsTheyAre(Flavour flavour) {
        RandomReport report = new RandomRuns().flavour(flavour).seeds(100, 120).run();
        System.out.println(report);
        assertTrue(report.clean(), report::toString);
        assertTrue(report.crashed() > 200 && report.ends().get(RandomReport.End.ROLLBACK) > 150, report::toString);
        // Second crashes are meant to hit the same group now and then.
        assertTrue(report.ends().get(RandomReport.End.CATASTROPHIC) < report.crashed() / 5, report::toString);
    }

    @ParameterizedTest
    @EnumSource
    void resultsDoNotDependOnTheSchedule(Flavour flavour) {
        for (long number = 1; number <= 40; number++) {
            RandomProgram program = new RandomProgram(flavour, number, STEPS);
            Map<Integer, Map<String, byte[]>> expected = run(program, 1).contents();
            for (long schedule = 2; schedule <= 5; schedule++) {
                assertNull(run(program, schedule).fault(expected), program.name() + ", schedule " + schedule);
            }
        }
    }

    @Test
    void aProgramIsReplayedByItsNameAndOthersDiffer() {
        Set<String> results = new HashSet<>();
        for (Flavour flavour : Flavour.values()) {
            for (long number = 0; number < 10; number++) {
                RandomProgram program = new RandomProgram(flavour, number, STEPS);
                SimResult result = run(program, 3);
                assertTrue(result.succeeded(), result::story);
                assertNull(run(Programs.byName(program.name(), STEPS), 4).fault(result.contents()));
                assertTrue(results.add(Arrays.toString(result.contents().get(0).get("totals"))), program.name());
            }
        }
    }

    /** Each flavour has all that belongs to it, in a few dozen programs. */
    @Test
    void allKindsOfAccessesAndCollectivesOccur() {
        Map<Flavour, Set<String>> called = new EnumMap<>(Flavour.class);
        for (Flavour flavour : Flavour.values()) {
            called.put(flavour, new TreeSet<>());
            for (long number = 0; number < 60; number++) {
                run(new TamperedProgram(new RandomProgram(flavour, number, STEPS), "", 0, 0, called.get(flavour)),
                    number);
            }
        }
        Set<String> everywhere = Set.of("barrier", "allReduce", "allGather", "broadcast", "nondeterministic", "put",
            "putLong", "getLong", "get",
            "flush", "memory");
        Set<String> gsync = Set.of("gsync", "putStrided", "getStrided", "rput", "rget", "accumulate", "raccumulate",
            "accumulateStrided",
            "getAccumulate", "rgetAccumulate", "rputStrided", "rgetStrided", "raccumulateStrided",
            "getAccumulateStrided", "rgetAccumulateStrided",
            "fetchAndOp", "compareAndSwap", "flushAll", "flushLocal", "flushLocalAll");
        Set<String> locks = Set.of("lock", "unlock", "accumulate", "rput");
        Set<String> atomics = Set.of("lockAll", "unlockAll", "fetchAndOp", "compareAndSwap", "accumulate",
            "getAccumulate", "rgetAccumulate",
            "getAccumulateStrided", "rgetAccumulateStrided", "flushAll", "flushLocal");
        called.forEach((flavour, calls) -> assertTrue(calls.containsAll(everywhere), flavour + ": " + calls));
        assertTrue(called.get(Flavour.GSYNC).containsAll(gsync), called::toString);
        assertTrue(called.get(Flavour.LOCKS).containsAll(locks), called::toString);
        assertTrue(called.get(Flavour.ATOMICS).containsAll(atomics), called::toString);
        Set<String> guarded = new TreeSet<>(gsync);
        guarded.addAll(locks);
        guarded.addAll(Set.of("stage", "progress"));
        assertTrue(called.get(Flavour.GUARDED).containsAll(guarded), called::toString);
        assertTrue(called.get(Flavour.TANGLED).containsAll(guarded), called::toString);
        for (Set<String> part : List.of(gsync, locks, atomics)) {
            assertTrue(called.get(Flavour.MIXED).containsAll(part), called::toString);
            assertTrue(called.get(Flavour.TANGLED).containsAll(part), called::toString);
        }
    }

    /**
     * What a replay may get wrong: a value that is returned. Only an old value that an atomic left as it was (a MAX of
     * less) is not missed.
     */
    @ParameterizedTest
    @EnumSource
    void aWrongValueShowsInTheResults(Flavour flavour) {
        for (String call : flavour == Flavour.LOCKS ? List.of("getLong") : List.of("getLong", "fetchAndOp")) {
            // A rank that waits for a flag reads it again.
            boolean waits = flavour == Flavour.TANGLED || flavour == Flavour.GUARDED;
            assertShows(flavour, call, call.equals("fetchAndOp") ? 0.8 : waits ? 0.9 : 1);
        }
    }

    /** What a replay may lose. A put into cells that nobody reads before they are written again is not missed. */
    @ParameterizedTest
    @EnumSource
    void aLostPutOrAccumulateShowsInTheResults(Flavour flavour) {
        for (String call : List.of("put", "putLong")) {
            assertShows(flavour, call, 0.5);
        }
        assertShows(flavour, "accumulate", 0.7);
    }

    private static void assertShows(Flavour flavour, String call, double share) {
        int tampered = 0;
        int seen = 0;
        for (long number = 0; number < 60; number++) {
            RandomProgram program = new RandomProgram(flavour, number, STEPS);
            Map<Integer, Map<String, byte[]>> right = run(program, number).contents();
            TamperedProgram wrong = new TamperedProgram(program, call, (int) (number % 3), 1 + (int) (number / 3 % 4),
                new HashSet<>());
            SimResult result = run(wrong, number);
            tampered += wrong.tampered() ? 1 : 0;
            seen += wrong.tampered() && result.fault(right) != null ? 1 : 0;
        }
        System.out.println(flavour + " " + call + ": " + seen + " of " + tampered + " wrong runs show");
        assertTrue(tampered >= 8, flavour + " " + call + ": only " + tampered);
        assertTrue(seen >= share * tampered, flavour + " " + call + ": " + seen + " of " + tampered);
    }

    @Test
    void bugsInTheProtocolAreFound() {
        for (String fault : List.of("SKIP_SECOND_BARRIER", "COMMIT_EARLY",
            "FORGET_FLUSH")) {
            RandomReport report = new RandomRuns().seeds(1, 200).faults(Set.of(fault)).until(1).run();
            assertTrue(report.failed() > 0, fault + " was not found: " + report.summary());
        }
    }

    @Test
    void aFailureIsReplayedByItsCommand() {
        RandomReport report = new RandomRuns().seeds(1, 200).faults(Set.of("SKIP_SECOND_BARRIER")).until(1)
            .run();
        SimReport.Failure failure = report.failures().getFirst();
        java.io.ByteArrayOutputStream out = new java.io.ByteArrayOutputStream();
        List<String> words = List.of(failure.command().split(" "));
        int status = SimulateMain.execute(words.subList(2, words.size()), new java.io.PrintStream(out, true),
            System.err);
        assertEquals(1, status);
        assertTrue(out.toString().contains("WRONG: " + failure.reason()), out + "\nexpected: " + failure.reason());
    }
}
