package org.ftrma.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Programs that never come to {@code Ftrma.run}: that is their failure, and no loss that a replacement could mend. */
class EarlyFailureTest {
    @TempDir
    private Path place;

    private Command run(String program, String source) throws IOException {
        ProgramSource.compile(place.resolve("out"), program + ".java", source);
        return run(program);
    }

    private Command run(String program) {
        Command command = Command.line("run --ranks 2 --checksums 1 --spares 1 --timeout 120s --json --class-path "
            + place.resolve("out") + " -- " + program).exits(1);
        assertEquals("failed", command.json().get("outcome"));
        assertEquals(4, command.json().get("processes"), "nobody is replaced");
        assertEquals(0, command.json().get("rollbacks"));
        assertFalse(command.err().contains("lost"), command.err());
        assertTrue(command.err().lines().count() <= 8, command.err());
        return command;
    }

    @Test
    void aStaticInitializerThatThrows() throws IOException {
        run("Broken", """
            public class Broken {
                static final int VALUE = Integer.parseInt("many");

                public static void main(String[] args) {
                }
            }
            """).tells("failed: the class Broken cannot be initialized: java.lang.NumberFormatException: ")
            .tells("\"many\"").tells("at Broken.<clinit>(Broken.java:2)");
    }

    @Test
    void aClassThatTheMainClassNeedsIsNotThere() throws IOException {
        ProgramSource.compile(place.resolve("out"), "Needs.java", """
            public class Needs extends Needed {
                public static void main(String[] args) {
                }
            }

            class Needed {
            }
            """);
        Files.delete(place.resolve("out/Needed.class"));
        run("Needs").tells("failed: java.lang.NoClassDefFoundError: Needed");
    }

    @Test
    void anExceptionInMainHasTheTraceOfTheProgramAlone() throws IOException {
        Command command = run("Throws", """
            public class Throws {
                public static void main(String[] args) {
                    throw new IllegalArgumentException("not like this");
                }
            }
            """).tells("failed: java.lang.IllegalArgumentException: not like this\n"
                + "    at Throws.main(Throws.java:3)\n");
        assertEquals(2, command.err().lines().count(), command.err());
    }

    @Test
    void aMainClassWithoutMainMethod() throws IOException {
        Command command = run("Bare", "public class Bare { }")
            .tells("failed: Bare has no public static void main(String[])\n");
        assertEquals(1, command.err().lines().count(), command.err());
    }

    @Test
    void anEndOfTheProcess() throws IOException {
        run("Exits", """
            public class Exits {
                public static void main(String[] args) {
                    if (args.length == 0) {
                        System.exit(5);
                    }
                }
            }
            """).tells("failed: Exits ended its process before it had called Ftrma.run: System.exit at "
            + "Exits.main(Exits.java:4)");
    }

    @Test
    void anEndOfTheProcessInAnInitializer() throws IOException {
        run("Ends", """
            public class Ends {
                static {
                    Runtime.getRuntime().exit(0);
                }

                public static void main(String[] args) {
                }
            }
            """).tells("failed: Ends ended its process before it had called Ftrma.run: System.exit at "
            + "Ends.<clinit>(Ends.java:3)");
    }

    @Test
    void aMistypedNameIsToldInOneLineWithWhatWasMeant() throws IOException {
        ProgramSource.compile(place.resolve("out"), "Heat.java", "package org.example; public class Heat { }");
        Command command = run("org.example.Haet").tells("failed: no class org.example.Haet in --class-path="
            + place.resolve("out") + "; there is org.example.Heat\n");
        assertEquals(1, command.err().lines().count(), command.err());
    }
}
