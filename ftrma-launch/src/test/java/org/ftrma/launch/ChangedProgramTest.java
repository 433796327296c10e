package org.ftrma.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Programs that are compiled anew while a job runs them: all ranks run the same code, or the job fails. */
class ChangedProgramTest {
    /** In step 5 rank 0 copies other classes over its own; at the end a class is loaded that nobody has needed yet. */
    private static final String SOURCE = """
        import java.io.IOException;
        import java.lang.foreign.MemorySegment;
        import java.lang.foreign.ValueLayout;
        import java.nio.file.*;
        import org.ftrma.*;

        public class Adder {
            static final long VALUE = %1$d;

            public static void main(String[] args) {
                Ftrma.run(args, job -> {
                    MemorySegment sum = job.protect("sum", 8);
                    for (long step : job.steps(30)) {
                        if (step == 5 && job.rank() == 0 && args.length > 0) {
                            copy(Path.of(args[0]), Path.of(args[1]), args.length > 2 ? args[2] : "");
                        }
                        job.barrier();
                        sum.set(ValueLayout.JAVA_LONG, 0, sum.get(ValueLayout.JAVA_LONG, 0) + VALUE);
                    }
                    job.report("sum", job.allReduce(AtomicOp.SUM, sum.get(ValueLayout.JAVA_LONG, 0)));
                    job.report("late", Late.value());
                });
            }

            private static void copy(Path from, Path to, String only) {
                try (DirectoryStream<Path> files = Files.newDirectoryStream(from)) {
                    for (Path file : files) {
                        if (file.getFileName().toString().startsWith(only)) {
                            Files.copy(file, to.resolve(file.getFileName()), StandardCopyOption.REPLACE_EXISTING);
                        }
                    }
                } catch (IOException e) {
                    throw new java.io.UncheckedIOException(e);
                }
            }
        }

        class Late {
            static long value() {
                return %1$d;
            }
        }
        """;

    @TempDir
    private Path place;
    private Path out;
    private Path other;

    @BeforeEach
    void compile() throws IOException {
        out = place.resolve("out");
        other = place.resolve("other");
        ProgramSource.compile(out, "Adder.java", SOURCE.formatted(1));
        ProgramSource.compile(other, "Adder.java", SOURCE.formatted(1000));
    }

    private Command run(String options, String arguments) {
        return Command.line("run --ranks 2 --timeout 120s --json " + options + " --class-path " + out + " -- Adder "
            + arguments);
    }

    @ParameterizedTest
    @ValueSource(strings = {"--spares 0 --protocol coordinated", "--spares 1 --protocol coordinated",
        "--spares 1 --protocol full --log-budget 16MiB"})
    void aReplacementThatWouldRunOtherCodeEndsTheJob(String options) {
        Command command = run("--checksums 1 --interval 3 --kill 1@20 " + options, other + " " + out + " Adder")
            .exits(1);
        command.tells("rank 1 failed: the program has changed since the job began: Adder.class in " + out
            + " holds something else").tells("build into another directory");
        assertEquals("failed", command.json().get("outcome"));
        assertEquals(1, command.json().get("faultsInjected"));
        assertEquals(4, command.json().get("processes"), "nobody is replaced a second time");
    }

    @Test
    void aClassThatIsLoadedAtTheEndIsThatOfTheBeginning() {
        run("", other + " " + out).exits(1).tells("the program has changed since the job began: ")
            .tells("Late.class in " + out + " holds something else");
    }

    @Test
    void aProgramThatIsCompiledToTheSameIsReplaced() throws IOException {
        ProgramSource.compile(other, "Adder.java", SOURCE.formatted(1));
        Command command = run("--checksums 1 --interval 3 --kill 1@20", other + " " + out).exits(0);
        Map<?, ?> reports = (Map<?, ?>) command.json().get("reports");
        assertEquals(60, ((Number) reports.get("sum")).longValue());
        assertEquals(1, command.json().get("rollbacks"));
    }

    @Test
    void whatIsAddedToThePlaceDisturbsNobody() throws IOException {
        ProgramSource.compile(place.resolve("more"), "Another.java", "public class Another { }");
        Command command = run("--checksums 1 --interval 3 --kill 1@20", place.resolve("more") + " " + out).exits(0);
        assertEquals(1, command.json().get("rollbacks"));
        assertTrue(out.resolve("Another.class").toFile().exists());
        assertFalse(command.err().contains("has changed"), command.err());
    }
}
