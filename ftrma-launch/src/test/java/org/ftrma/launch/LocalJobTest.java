package org.ftrma.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.ftrma.AtomicOp;
import org.ftrma.Ftrma;
import org.ftrma.Job;
import org.ftrma.LocalOptions;
import org.ftrma.LocalProgram;
import org.ftrma.LocalResult;
import org.ftrma.LongCell;
import org.ftrma.MisuseException;
import org.ftrma.Program;
import org.ftrma.launch.agent.JobDirectory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/** Jobs that a process runs which is no command: this one. */
@Tag("long")
class LocalJobTest {
    private static final int STEPS = 12;

    private static Set<Path> places() throws IOException {
        String ours = "ftrma-" + ProcessHandle.current().pid() + "-";
        try (Stream<Path> files = Stream.concat(Files.list(JobDirectory.base()), Files.list(Path.of("/dev/shm")))) {
            return files.filter(file -> file.getFileName().toString().startsWith(ours)).collect(Collectors.toSet());
        }
    }

    @AfterEach
    void nothingIsLeft() throws IOException {
        assertEquals(Set.of(), places());
        List<Long> children = ProcessHandle.current().children().filter(ProcessHandle::isAlive)
            .map(ProcessHandle::pid).toList();
        assertEquals(List.of(), children);
        assertEquals(List.of(), Thread.getAllStackTraces().keySet().stream().map(Thread::getName)
            .filter(name -> name.equals("ftrma-local")).toList());
    }

    @Test
    void aLambdaThatIsKilledEndsWithTheRightSumAndItsFacts() {
        long first = 7;
        LocalOptions options = LocalOptions.none().with("protocol", "full").with("checksums", 1).with("interval", 3)
            .with("kill", "1@8").with("verbose");
        List<LogRecord> logged = new CopyOnWriteArrayList<>();
        Logger logger = Logger.getLogger("org.ftrma");
        Handler handler = handler(logged);
        logger.setUseParentHandlers(false);
        logger.addHandler(handler);
        LocalResult result;
        try {
            result = killed(first, options);
        } finally {
            logger.removeHandler(handler);
            logger.setUseParentHandlers(true);
        }
        assertTrue(result.succeeded() && result.verified(), result::json);
        assertEquals("success", result.outcome());
        assertEquals(324L, ((Number) result.report("sum")).longValue(), result::json);
        assertEquals(1, ((Number) result.facts().get("faultsInjected")).intValue(), result::json);
        assertEquals(STEPS, ((Number) result.facts().get("iterations")).intValue(), result::json);
        assertEquals(LocalJobTest.class.getName(), result.facts().get("app"));
        List<String> texts = logged.stream().map(LogRecord::getMessage).toList();
        assertEquals(1, texts.stream().filter(text -> text.contains("rank 1 is lost in step 8: killed by SIGKILL"))
            .count(), texts::toString);
        assertTrue(logged.stream().allMatch(one -> one.getLevel() == Level.INFO
            && !one.getMessage().contains("ftrma:")), texts::toString);
    }

    private static Handler handler(List<LogRecord> logged) {
        return new Handler() {
            @Override
            public void publish(LogRecord one) {
                logged.add(one);
            }

            @Override
            public void flush() {
                // nothing waits
            }

            @Override
            public void close() {
                // nothing is open
            }
        };
    }

    private static LocalResult killed(long first, LocalOptions options) {
        return Ftrma.local(2, options, job -> {
            LongCell sum = job.protectLong("sum");
            for (long step : job.steps(STEPS)) {
                sum.set(sum.get() + job.allReduce(AtomicOp.SUM, first + step));
            }
            job.report("sum", sum.get());
            job.report("verified", sum.get() == 2 * (STEPS * first + STEPS * (STEPS + 1) / 2));
        });
    }

    /** A program with a main method. */
    static final class Failing {
        private Failing() {
        }

        public static void main(String[] args) {
            Ftrma.run(args, job -> {
                throw new IllegalStateException("wrong at " + args[0]);
            });
        }
    }

    /**
     * A program whose first step lasts until so many processes have warmed up.
     *
     * @param file has a line for each
     */
    record Warm(String file, int processes) implements LocalProgram {
        private static final long LIMIT_NANOS = 100_000_000_000L;

        @Override
        public void run(Job job) throws IOException {
            LongCell sum = job.protectLong("sum");
            for (long step : job.steps(STEPS)) {
                long until = System.nanoTime() + LIMIT_NANOS;
                while (Files.readAllLines(Path.of(file)).size() < processes) {
                    if (System.nanoTime() > until) {
                        throw new IllegalStateException("only these have warmed up: "
                            + Files.readAllLines(Path.of(file)));
                    }
                    LockSupport.parkNanos(1_000_000);
                }
                sum.set(job.allReduce(AtomicOp.SUM, sum.get() + step));
            }
        }

        @Override
        public void warmUp() {
            try {
                Files.writeString(Path.of(file), ProcessHandle.current().pid() + "\n", StandardOpenOption.APPEND);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    @Test
    void ranksAndSparesWarmUpOnceAndASpareThatTakesOverNotAgain(@TempDir Path place) throws IOException {
        Path file = Files.createFile(place.resolve("warm"));
        LocalOptions options = LocalOptions.none().with("protocol", "full").with("checksums", 1).with("spares", 1)
            .with("interval", 3).with("kill", "1@8").with("deadline", "120s");
        LocalResult result = Ftrma.local(2, options, new Warm(file.toString(), 3));
        assertTrue(result.succeeded(), result::json);
        assertEquals(1, ((Number) result.facts().get("faultsInjected")).intValue(), result::json);
        List<String> lines = Files.readAllLines(file);
        assertEquals(3, lines.size(), lines::toString);
        assertEquals(3, Set.copyOf(lines).size(), lines::toString);
    }

    /**
     * A program whose fifth step lasts until a spare has rehearsed.
     *
     * @param file has a line for each rank that came to the end of a rehearsal
     */
    record Rehearsed(String file) implements LocalProgram {
        private static final long LIMIT_NANOS = 100_000_000_000L;

        @Override
        public void run(Job job) throws IOException {
            LongCell sum = job.protectLong("sum");
            for (long step : job.steps(STEPS)) {
                long until = System.nanoTime() + LIMIT_NANOS;
                while (step == 5 && Files.readAllLines(Path.of(file)).size() < 2) {
                    if (System.nanoTime() > until) {
                        throw new IllegalStateException("no spare has rehearsed: " + Files.readAllLines(Path.of(file)));
                    }
                    LockSupport.parkNanos(1_000_000);
                }
                sum.set(job.allReduce(AtomicOp.SUM, sum.get() + step));
            }
            job.report("verified", sum.get() > 0);
        }

        @Override
        public Program rehearsal() {
            return job -> {
                LongCell sum = job.protectLong("small");
                for (long step : job.steps(20)) {
                    sum.set(job.allReduce(AtomicOp.SUM, sum.get() + step));
                }
                Files.writeString(Path.of(file), ProcessHandle.current().pid() + " " + job.incarnation() + "\n",
                    StandardOpenOption.APPEND);
            };
        }
    }

    @Test
    void aSpareRehearsesALossInItsOwnProcess(@TempDir Path place) throws IOException {
        Path file = Files.createFile(place.resolve("rehearsed"));
        LocalOptions options = LocalOptions.none().with("protocol", "full").with("checksums", 1).with("spares", 1)
            .with("interval", 3).with("kill", "1@8").with("deadline", "120s");
        LocalResult result = Ftrma.local(2, options, new Rehearsed(file.toString()));
        assertTrue(result.succeeded(), result::json);
        assertEquals(1, ((Number) result.facts().get("localRecoveries")).intValue(), result::json);
        List<String> ofFirst = Files.readAllLines(file).subList(0, 2);
        assertEquals(1, ofFirst.stream().map(line -> line.split(" ")[0]).distinct().count(), ofFirst::toString);
        assertEquals(Set.of("0", "1"), ofFirst.stream().map(line -> line.split(" ")[1]).collect(Collectors.toSet()),
            ofFirst::toString);
    }

    @Test
    void aProgramThatFailsIsAResultThatSaysWhy() {
        LocalResult result = Ftrma.local(1, LocalOptions.none(), Failing.class, "noon");
        assertFalse(result.succeeded(), result::json);
        assertEquals(1, result.exitCode());
        assertEquals(false, result.verified());
        assertTrue(result.message().contains("wrong at noon"), result.message());
    }

    @Test
    void anInterruptEndsTheJob() throws InterruptedException {
        Thread caller = Thread.ofVirtual().unstarted(() -> {
            Thread.currentThread().interrupt();
            LocalResult result = Ftrma.local(1, LocalOptions.none(), Failing.class, "night");
            assertEquals(130, result.exitCode(), result::json);
            assertTrue(Thread.interrupted());
        });
        List<Throwable> thrown = new CopyOnWriteArrayList<>();
        caller.setUncaughtExceptionHandler((thread, e) -> thrown.add(e));
        caller.start();
        assertTrue(caller.join(Duration.ofSeconds(60)), "the job has not ended");
        assertEquals(List.of(), thrown);
    }

    @Test
    void wrongUseIsRefusedAtTheCall() {
        Object captured = new Object();
        refused("captures an object of java.lang.Object", () -> Ftrma.local(1, LocalOptions.none(),
            job -> job.report("captured", captured.toString())));
        refused("protocoll", () -> local(LocalOptions.none().with("protocoll", "full")));
        refused("--protocol=fuller", () -> local(LocalOptions.none().with("protocol", "fuller").with("checksums", 1)));
        refused("--ranks=0", () -> Ftrma.local(0, LocalOptions.none(), Failing.class));
        refused("option=ranks", () -> LocalOptions.none().with("ranks", 3));
        refused("without dashes", () -> LocalOptions.none().with("--protocol", "full"));
    }

    private static void local(LocalOptions options) {
        Ftrma.local(1, options, Failing.class);
    }

    private static void refused(String text, Executable call) {
        MisuseException refusal = assertThrows(MisuseException.class, call);
        assertTrue(refusal.getMessage().contains(text), refusal.getMessage());
    }
}
