package org.ftrma.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.jar.JarFile;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;
import org.ftrma.rank.RankLibrary;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a program finds in a rank's JVM: its own classes, the library, and nothing of the command. */
@Tag("long")
class RankClassPathTest {
    private static final List<String> OF_THE_COMMAND = List.of("picocli.CommandLine",
        "com.fasterxml.jackson.jr.ob.JSON",
        "me.tongfei.progressbar.ProgressBar", "org.jline.terminal.Terminal",
        "org.junit.jupiter.api.Test",
        "org.ftrma.testkit.SimCluster", "org.ftrma.launch.Main", "org.ftrma.launch.job.JobHost",
        "org.ftrma.apps.fft3d.Fft3d",
        "org.ftrma.apps.kvstore.KvStore", "org.ftrma.apps.npb.Cg", "org.ftrma.apps.samples.Stencil");
    private static final String PROGRAM = """
        import org.ftrma.Ftrma;

        public class Finder {
            public static void main(String[] args) {
                Ftrma.run(args, job -> {
                    for (String name : args) {
                        job.report(name, placeOf(name));
                    }
                });
            }

            private static String placeOf(String name) {
                try {
                    return Class.forName(name).getProtectionDomain().getCodeSource().getLocation().getPath();
                } catch (ClassNotFoundException e) {
                    return "nowhere";
                }
            }
        }
        """;

    @TempDir
    private Path place;

    private void compile(String name, String source) throws IOException {
        Path file = place.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, source);
        int status = ToolProvider.findFirst("javac").orElseThrow().run(System.out, System.err, "-proc:none", "-cp",
            LauncherProcess.classPath(), "-d", place.resolve("out").toString(), file.toString());
        assertEquals(0, status, name);
    }

    private Map<?, ?> found(String options, List<String> names) {
        return (Map<?, ?>) Command.line("run --ranks 2 --json --timeout 60s " + options + " -- Finder "
            + String.join(" ", names)).exits(0)
            .json().get("reports");
    }

    @Test
    void nothingOfTheCommandIsThere() throws IOException {
        compile("Finder.java", PROGRAM);
        Map<?, ?> found = found("--class-path " + place.resolve("out"), OF_THE_COMMAND);
        for (String name : OF_THE_COMMAND) {
            assertEquals("nowhere", found.get(name), name);
        }
    }

    @Test
    void aProgramHasItsOwnLibrariesWhateverTheCommandUses() throws IOException {
        compile("Finder.java", PROGRAM);
        compile("JSON.java", "package com.fasterxml.jackson.jr.ob; public class JSON { }");
        compile("CommandLine.java", "package picocli; public class CommandLine { }");
        Path jar = place.resolve("mine.jar");
        assertEquals(0, ToolProvider.findFirst("jar").orElseThrow()
            .run(System.out, System.err, "--create", "--file", jar.toString(), "-C",
            place.resolve("out").toString(), "."));
        List<String> names = List.of("com.fasterxml.jackson.jr.ob.JSON", "picocli.CommandLine", "Finder",
            "org.ftrma.Job");
        Map<?, ?> found = found("--class-path " + jar, names);
        for (String name : names.subList(0, 3)) {
            assertEquals(jar.toString(), found.get(name), name);
        }
        assertTrue(RankLibrary.classPath().contains(found.get("org.ftrma.Job").toString()), found::toString);
    }

    /** The library's own copy is in the process too, on the class path: it hides nothing. */
    @Test
    void aProgramHasItsOwnBindingOfUcxAndItsOwnJarsInTheirOrder() throws IOException {
        compile("Finder.java", PROGRAM);
        compile("UcxException.java", "package org.openucx.jucx; public class UcxException { }");
        Path jars = Files.createDirectory(place.resolve("jars"));
        for (String jar : List.of("b.jar", "a.jar", "a.txt")) {
            assertEquals(0, ToolProvider.findFirst("jar").orElseThrow().run(System.out, System.err, "--create",
                "--file", jars.resolve(jar).toString(), "-C", place.resolve("out").toString(), "."));
        }
        String ucx = "org.openucx.jucx.UcxException";
        assertEquals(jars.resolve("a.jar").toString(),
            found("--class-path " + jars + "/*", List.of(ucx)).get(ucx));
        assertEquals(jars.resolve("b.jar").toString(),
            found("--class-path " + jars.resolve("b.jar") + ":" + jars + "/*", List.of(ucx)).get(ucx));
    }

    /** Its own, in a package of the library too; and from threads that it did not start. */
    @Test
    void aProgramFindsItsClassesWhereverItLooksForThem() throws IOException {
        compile("Looker.java", """
            import java.util.concurrent.CompletableFuture;
            import org.ftrma.Ftrma;

            public class Looker {
                public static void main(String[] args) {
                    Ftrma.run(args, job -> job.report("found", CompletableFuture.supplyAsync(() -> {
                        try {
                            ClassLoader loader = Thread.currentThread().getContextClassLoader();
                            return Thread.currentThread().getName().startsWith("ForkJoinPool.commonPool")
                                + " " + Class.forName("Looker", false, loader).getSimpleName()
                                + " " + Class.forName("org.ftrma.Mine", false, loader).getSimpleName();
                        } catch (ClassNotFoundException e) {
                            return e.toString();
                        }
                    }).join()));
                }
            }
            """);
        compile("Mine.java", "package org.ftrma; public class Mine { }");
        Map<?, ?> reports = (Map<?, ?>) Command.line("run --ranks 2 --json --timeout 60s --class-path "
            + place.resolve("out") + " -- Looker").exits(0).json().get("reports");
        assertEquals("true Looker Mine", reports.get("found"));
    }

    @Test
    void ofTheLibraryAProgramReachesWhatIsForPrograms() throws IOException {
        compile("Finder.java", PROGRAM);
        List<String> closed = List.of("org.ftrma.core.session.Session", "org.ftrma.rma.window.WindowImpl",
            "org.ftrma.runtime.RankProcess", "org.ftrma.spi.Fabric", "org.ftrma.ucx.UcxFabric", "org.ftrma.ucp.Ucp",
            "org.ftrma.xor.XorCode", "org.ftrma.rank.RankMain", "org.ftrma.check.race.RaceCheck",
            "org.openucx.jucx.UcxException");
        List<String> open = List.of("org.ftrma.Job", "org.ftrma.Window", "org.ftrma.options.JobOptions");
        Map<?, ?> found = found("--class-path " + place.resolve("out"),
            Stream.concat(closed.stream(), open.stream()).toList());
        closed.forEach(name -> assertEquals("nowhere", found.get(name), name));
        open.forEach(name -> assertTrue(found.get(name).toString().contains("ftrma-api"), name));
    }

    /** So no class of a program is hidden by one that comes before it. */
    @Test
    void theLibraryHoldsNothingButItselfAndTheBindingOfUcx() throws IOException {
        FastStarts.classPath();
        for (String library : RankLibrary.classPath().split(":")) {
            try (JarFile jar = new JarFile(library)) {
                jar.stream().filter(entry -> entry.getName().endsWith(".class")).forEach(entry ->
                    assertTrue(entry.getName().startsWith("org/ftrma/") || entry.getName().startsWith("org/openucx/"),
                    library + " has "
                        + entry));
                assertFalse(jar.stream().anyMatch(entry -> entry.getName().startsWith("org/ftrma/apps/")
                    || entry.getName().startsWith("org/ftrma/testkit/")
                    || entry.getName().startsWith("org/ftrma/launch/")), library);
            }
        }
    }

    /** With this mode the JVM ends where it cannot use the cache that it is given. */
    @Test
    void theAheadOfTimeCacheFitsEveryProgram() throws IOException {
        compile("Finder.java", PROGRAM);
        found("--class-path " + place.resolve("out") + " --jvm-arg -XX:AOTMode=on", List.of("org.ftrma.Job"));
        Command.line("sample stencil --ranks 2 --steps 5 --json --jvm-arg -XX:AOTMode=on --timeout 60s").exits(0);
    }
}
