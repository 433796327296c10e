package org.ftrma.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.ftrma.AtomicOp;
import org.ftrma.Comparison;
import org.ftrma.DataType;
import org.ftrma.DeadlineException;
import org.ftrma.FtrmaException;
import org.ftrma.Job;
import org.ftrma.LockType;
import org.ftrma.MisuseException;
import org.ftrma.PeerLostException;
import org.ftrma.Team;
import org.ftrma.Window;
import org.ftrma.core.control.FallbackReason;
import org.ftrma.options.JobOptions;
import org.ftrma.testkit.Script.Part;
import org.ftrma.testkit.Script.Story;
import org.ftrma.testkit.programs.SimProgram;
import org.junit.jupiter.api.Test;

/**
 * A program catches an exception of the library and goes on: the table in docs/concepts.md says what holds then. In
 * each of these programs rank 0 catches, and the others find all as if it had not called.
 */
class AfterExceptionsTest {
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
    private static final List<Map<String, String>> CONFIGURATIONS = List.of(
        Map.of("protocol", "none", "checksums", "0", "spares", "0"),
        Map.of("protocol", "none", "checksums", "0", "spares", "0", "path", "network"),
        Map.of("protocol", "coordinated"), Map.of("protocol", "coordinated", "path", "network"),
        Map.of("protocol", "full"), Map.of("protocol", "full", "path", "network"));
    private static final Pattern ROW = Pattern.compile("^- (.+?): .*\\(`AfterExceptionsTest#(\\w+)`\\)\\.$");

    private static Story story(Map<String, String> more, Part part) {
        Map<String, String> all = new HashMap<>(Map.of("deadline", "2s"));
        all.putAll(more);
        return new Story("after an exception", 3, 1, "none", 1, part, all);
    }

    /** The program's own assertions hold with every protocol, on both paths. */
    private static void holds(Part part) {
        for (Map<String, String> configuration : CONFIGURATIONS) {
            for (long seed = 1; seed <= 3; seed++) {
                SimResult result = story(configuration, part).run(seed, false, Set.of());
                assertTrue(result.succeeded(), () -> configuration + ": " + result.story());
            }
        }
    }

    private static void endsAtTheDeadline(Runnable call, String... parts) {
        DeadlineException late = assertThrows(DeadlineException.class, call::run);
        for (String part : parts) {
            assertTrue(late.getMessage().contains(part), late.getMessage());
        }
    }

    private static void countUnderALock(Window window, LockType type, int target, long offset) {
        window.lock(type, target);
        window.accumulate(AtomicOp.SUM, DataType.INT64, 1, target, offset);
        window.unlock(target);
    }

    /** Rank 1 holds the lock of rank 2 until rank 0 has waited for it in vain, in each way that there is. */
    private static void lockInVain(Job job, Script script, Window window) {
        if (job.rank() == 1) {
            window.lock(LockType.EXCLUSIVE, 2);
            script.reach(1);
            script.await(job, window, 2);
            window.unlock(2);
        } else if (job.rank() == 0) {
            script.await(job, window, 1);
            endsAtTheDeadline(() -> window.lock(LockType.EXCLUSIVE, 2), "a window's lock of rank 2");
            endsAtTheDeadline(() -> window.lock(LockType.SHARED, 2), "a window's lock of rank 2");
            endsAtTheDeadline(window::lockAll, "a window's lock of rank 2");
            assertThrows(MisuseException.class, () -> window.unlock(2));
            assertThrows(MisuseException.class, window::unlockAll);
            script.reach(2);
        }
        script.await(job, window, 2); // who waits for rank 0 meanwhile waits in vain, too
    }

    @Test
    void aLockThatWasNotGotIsNotHeldAndKeepsNobodyOut() {
        holds((job, script, window, memory) -> {
            lockInVain(job, script, window);
            for (int target = 0; target < job.ranks(); target++) {
                countUnderALock(window, LockType.EXCLUSIVE, target, 0);
                countUnderALock(window, LockType.SHARED, target, 8);
            }
            window.lockAll();
            window.unlockAll();
            job.gsync();
            assertEquals(3L, window.memory().get(LONG, 0));
            assertEquals(3L, window.memory().get(LONG, 8));
        });
    }

    @Test
    void aWaitForASignalInVainChangesNothing() {
        holds((job, script, window, memory) -> {
            if (job.rank() == 0) {
                endsAtTheDeadline(() -> window.waitUntil(0, Comparison.EQ, 7), "waitUntil(offset=0, EQ, 7)");
                script.reach(1);
                assertEquals(7, window.waitUntil(0, Comparison.EQ, 7));
                assertEquals(70, window.memory().get(LONG, 8));
            } else if (job.rank() == 1) {
                script.await(job, window, 1);
                window.putLong(70, 0, 8);
                window.signal(AtomicOp.REPLACE, 7, 0, 0);
            }
            script.await(job, window, 1);
            job.gsync();
        });
    }

    /** What rank 0 has put stays under way until it was waited for in vain. Where memory is mapped nothing does. */
    @Test
    void accessesGoOnWhenTheirFlushEndedAtTheDeadline() {
        for (Map<String, String> configuration : List.of(CONFIGURATIONS.get(1), CONFIGURATIONS.get(3))) {
            SimResult result = story(configuration, (job, script, window, memory) -> {
                if (job.rank() == 0) {
                    window.getLong(1, 0);
                    script.keepUnderWay(0);
                    window.putLong(7, 1, 0);
                    endsAtTheDeadline(() -> window.flush(1), "flush of rank 1");
                    endsAtTheDeadline(() -> window.getLong(1, 0), "getLong of rank 1");
                    script.deliver();
                    window.flush(1);
                    assertEquals(7, window.getLong(1, 0));
                    script.reach(1);
                }
                script.await(job, window, 1);
                job.gsync();
            }).run(1, false, Set.of());
            assertTrue(result.succeeded(), () -> configuration + ": " + result.story());
        }
    }

    /**
     * Nobody knows whether an atomic access took effect that was not answered, nor, where accesses are logged, which
     * words of a log are there: the rank may do nothing more.
     */
    @Test
    void anAtomicAccessWithoutAnAnswerIsTheLast() {
        for (int configuration = 1; configuration < CONFIGURATIONS.size(); configuration += 2) {
            SimResult result = story(CONFIGURATIONS.get(configuration), (job, script, window, memory) -> {
                if (job.rank() > 0) {
                    script.await(job, window, 9); // until the job has ended
                }
                window.getLong(1, 0);
                script.keepUnderWay(0);
                endsAtTheDeadline(() -> window.fetchAndOp(AtomicOp.SUM, DataType.INT64, 1, 1, 0),
                    "nobody knows what of that took effect, and this rank cannot go on");
                script.deliver();
                for (Runnable later : List.<Runnable>of(() -> window.putLong(1, 0, 0), job::barrier,
                    () -> window.lock(LockType.SHARED, 0), () -> job.nondeterministic(() -> 1))) {
                    FtrmaException refusal = assertThrows(FtrmaException.class, later::run);
                    assertEquals(FtrmaException.Category.FATAL, refusal.category());
                }
                throw new IllegalStateException("went on");
            }).run(1, false, Set.of());
            assertEquals(1, result.outcome().kind().exitCode(), result::story);
            assertTrue(result.outcome().message().contains("went on"), result::story);
        }
    }

    /** What each rank does, the others once rank 0 has caught what it waited for. */
    private interface Body {
        void run(Job job, Window window, Team team, boolean isFirst);
    }

    private static void holdsWithATeam(Body body) {
        for (Map<String, String> configuration : CONFIGURATIONS) {
            SimCluster[] cluster = new SimCluster[1];
            boolean[] hasCaught = new boolean[1];
            SimProgram program = new SimProgram() {
                @Override
                public String name() {
                    return "collectives";
                }

                @Override
                public void run(Job job, Results results) {
                    Window window = job.allocateWindow("w", 64);
                    Team team = job.team("t", 0, 0);
                    for (long step : job.steps(2)) {
                        if (step == 1 && job.rank() == 0) {
                            body.run(job, window, team, true);
                            hasCaught[0] = true;
                            cluster[0].wake();
                        }
                        while (!hasCaught[0]) {
                            window.flushLocal(job.rank());
                            cluster[0].relax(job.rank());
                        }
                        if (step == 1) {
                            body.run(job, window, team, false);
                        }
                    }
                }
            };
            Map<String, String> all = new HashMap<>(Map.of("ranks", "3", "checksums", "1", "spares", "1", "deadline",
                "2s", "interval", "none"));
            all.putAll(configuration);
            cluster[0] = new SimCluster(JobOptions.of(all), program, 5);
            SimResult result = cluster[0].run();
            assertTrue(result.succeeded(), () -> configuration + ": " + result.story());
        }
    }

    private static void refused(Runnable call, String... parts) {
        MisuseException refusal = assertThrows(MisuseException.class, call::run);
        for (String part : parts) {
            assertTrue(refusal.getMessage().contains(part), refusal.getMessage());
        }
    }

    @Test
    void laterCollectivesOfTheJobAreRefusedAndNothingElse() {
        holdsWithATeam((job, window, team, isFirst) -> {
            if (isFirst) {
                endsAtTheDeadline(job::barrier, "barrier, the signal");
                String first = "an earlier collective of the job was refused: waited 2000 ms for barrier, the signal";
                refused(job::barrier, "barrier: " + first);
                refused(job::gsync, "gsync: " + first);
                refused(() -> job.allReduce(AtomicOp.SUM, 1L), "allReduce SUM INT64 of 8 bytes: " + first);
                return;
            }
            assertEquals(3, team.allReduce(AtomicOp.SUM, 1L));
            countUnderALock(window, LockType.EXCLUSIVE, 1, 0);
            team.gsync();
            assertEquals(3, window.getLong(1, 0));
        });
    }

    @Test
    void laterCollectivesOfATeamAreRefusedAndNothingElse() {
        holdsWithATeam((job, window, team, isFirst) -> {
            if (isFirst) {
                endsAtTheDeadline(team::barrier, "team t: position 0 (rank 0) calls barrier as collective 1");
                refused(team::barrier, "team t: barrier: an earlier collective of this team was refused: ",
                    "position 0 (rank 0) calls barrier as collective 1, and waits for position 2");
                return;
            }
            assertEquals(3, job.allReduce(AtomicOp.SUM, 1L));
            countUnderALock(window, LockType.EXCLUSIVE, 1, 0);
            job.gsync();
            assertEquals(3, window.getLong(1, 0));
        });
    }

    /** Two of three ranks find that they differ; all three are refused what they call later, or wait in vain. */
    @Test
    void unlikeCollectivesAreRefusedFromThenOnAndNothingElse() {
        holdsWithATeam((job, window, team, isFirst) -> {
            if (isFirst) {
                return;
            }
            FtrmaException first = assertThrows(FtrmaException.class, job.rank() == 0 ? job::barrier : job::gsync);
            refused(job::barrier, "barrier: an earlier collective of the job was refused: " + first.getMessage());
            countUnderALock(window, LockType.EXCLUSIVE, 1, 0);
            window.signal(AtomicOp.SUM, 1, 2, 8);
            if (job.rank() == 2) {
                window.waitUntil(8, Comparison.EQ, 3);
                assertEquals(3, window.getLong(1, 0));
            }
        });
    }

    @Test
    void aMisusedCallChangesNothing() {
        holds((job, script, window, memory) -> {
            assertThrows(MisuseException.class, () -> window.putLong(1, 1, Script.WINDOW_BYTES));
            assertThrows(MisuseException.class, () -> window.unlock(1));
            assertThrows(MisuseException.class, () -> job.protect("late", 8));
            assertThrows(MisuseException.class, () -> job.steps(3));
            assertThrows(MisuseException.class, () -> job.allReduce(AtomicOp.SUM, DataType.INT64, memory,
                memory.asSlice(8)));
            countUnderALock(window, LockType.EXCLUSIVE, 1, 0);
            job.gsync();
            assertEquals(3L, window.getLong(1, 0));
        });
    }

    @Test
    void whatASupplierThrowsLeavesNoValue() {
        holds((job, script, window, memory) -> {
            assertThrows(IllegalStateException.class, () -> job.nondeterministic(() -> {
                throw new IllegalStateException("no value");
            }));
            assertEquals(5, job.nondeterministic(() -> 5));
            job.gsync();
        });
    }

    /** Others are in the call too, or were: nobody can say what this rank has of it. */
    @Test
    void whatLeavesTheLoopIsTheEndOfTheRank() {
        SimProgram program = new SimProgram() {
            @Override
            public String name() {
                return "caught in the loop";
            }

            @Override
            public void run(Job job, Results results) {
                Window window = job.allocateWindow("w", 64);
                job.onCommit(generation -> {
                    throw new IllegalStateException("disk full");
                });
                try {
                    while (job.nextStep() && job.step() < 9) {
                        job.gsync();
                    }
                } catch (IllegalStateException e) {
                    for (Runnable later : List.<Runnable>of(job::nextStep, () -> window.putLong(1, 0, 0), job::gsync,
                        () -> window.lock(LockType.SHARED, 0), () -> job.nondeterministic(() -> 1))) {
                        assertEquals(FtrmaException.Category.FATAL,
                            assertThrows(FtrmaException.class, later::run).category());
                    }
                }
            }
        };
        SimResult result = new SimCluster(JobOptions.of(Map.of("ranks", "3", "checksums", "1", "protocol",
            "coordinated", "interval", "1", "deadline", "2s")), program, 1).run();
        assertEquals(1, result.outcome().kind().exitCode(), result::story);
        assertTrue(result.outcome().message().contains(
            "this rank cannot go on after an earlier call: java.lang.IllegalStateException: disk full"), result::story);
    }

    /** The coordinator ends the job, or all go back: what was caught does not keep the rank. */
    @Test
    void aLossThatIsCaughtEndsTheRankAllTheSame() {
        SimResult result = story(CONFIGURATIONS.get(1), (job, script, window, memory) -> {
            if (job.rank() == 1) {
                script.reach(1);
                script.await(job, window, 9);
            } else if (job.rank() == 0) {
                script.await(job, window, 1);
                script.kill(1);
                try {
                    while (true) {
                        window.getLong(1, 0);
                    }
                } catch (PeerLostException e) {
                    memory.set(LONG, 0, 1);
                }
            }
        }).run(1, false, Set.of());
        assertTrue(result.outcome().kind().exitCode() != 0, result::story);
    }

    /** A replay would not know that the wait ended: all go back, and so do it once more. */
    @Test
    void aRankThatCaughtADeadlineIsNotReplayed() {
        for (String path : List.of("auto", "network")) {
            for (int buddyFirst = 0; buddyFirst < 2; buddyFirst++) {
                boolean losesBuddy = buddyFirst == 1;
                // what is not logged for another reason than want of room ends no job
                Map<String, String> options = Map.of("protocol", "full", "path", path, "log-overflow", "error");
                Story story = story(options, (job, script, window, memory) -> {
                    lockInVain(job, script, window);
                    if (job.rank() == 0) {
                        memory.set(LONG, 0, memory.get(LONG, 0) + 1);
                        countUnderALock(window, LockType.EXCLUSIVE, 2, 0);
                        if (losesBuddy) {
                            script.die(job, 3, 1);
                            script.await(job, window, () -> !script.hasFailures() || script.hasReplayed()
                                || script.hasRolledBack());
                        }
                        script.die(job, 4, 0);
                    }
                    job.gsync();
                });
                for (long seed = 1; seed <= 4; seed++) {
                    SimResult clean = story.run(seed, false, Set.of());
                    SimResult result = story.run(seed, true, Set.of());
                    assertNull(result.fault(clean.contents()), result::story);
                    assertTrue(result.outcome().rollbacks() > 0, result::story);
                    assertTrue(result.outcome().fallbacks().containsKey(FallbackReason.CAUGHT_EXCEPTION.name())
                        || losesBuddy && result.outcome().fallbacks().containsKey(FallbackReason.LOG_GAP.name())
                        || result.outcome().fallbacks().containsKey(FallbackReason.BEFORE_FIRST_CHECKPOINT.name()),
                        result::story);
                }
            }
        }
    }

    /** An image includes what the rank was told: from then on it is replayed as ever. */
    @Test
    void anImageIncludesWhatTheRankWasTold() {
        Map<String, String> options = new HashMap<>(Map.of("protocol", "full", "deadline", "2s"));
        Story story = new Story("after an image", 3, 1, "1", 3, (job, script, window, memory) -> {
            if (job.step() == 1) {
                lockInVain(job, script, window);
            } else if (job.rank() == 0 && job.step() == 3) {
                countUnderALock(window, LockType.EXCLUSIVE, 2, 0);
                script.await(job, window, () -> script.committed() >= 2 || script.hasRolledBack());
                script.die(job, 4, 0);
            }
        }, options);
        SimResult clean = story.run(1, false, Set.of());
        SimResult result = story.run(1, true, Set.of());
        assertNull(result.fault(clean.contents()), result::story);
        assertEquals(0, result.outcome().rollbacks(), result::story);
        assertEquals(1, result.outcome().localRecoveries(), result::story);
    }

    /** Every exception that the library has for programs is in the table, and each row has its test here. */
    @Test
    void everyExceptionHasARow() throws IOException, ReflectiveOperationException {
        Path root = Path.of("").toAbsolutePath();
        while (!Files.exists(root.resolve("docs/concepts.md"))) {
            root = root.getParent();
        }
        Path file = root.resolve("docs/concepts.md");
        Set<String> named = new TreeSet<>();
        for (String line : Files.readString(file).replaceAll("\n {2,}", " ").split("\n")) {
            Matcher row = ROW.matcher(line);
            if (row.matches()) {
                Matcher types = Pattern.compile("`(\\w+Exception)`").matcher(row.group(1));
                while (types.find()) {
                    named.add(types.group(1));
                }
                AfterExceptionsTest.class.getDeclaredMethod(row.group(2));
            }
        }
        Set<String> there = new TreeSet<>();
        try (Stream<Path> files = Files.list(root.resolve("ftrma-api/src/main/java/org/ftrma"))) {
            for (Path source : files.filter(one -> one.toString().endsWith(".java")).toList()) {
                String name = source.getFileName().toString().replace(".java", "");
                if (!name.contains("-") && Throwable.class.isAssignableFrom(Class.forName("org.ftrma." + name))) {
                    there.add(name);
                }
            }
        }
        assertEquals(there, named, "types of exceptions with a row in " + file);
    }
}
