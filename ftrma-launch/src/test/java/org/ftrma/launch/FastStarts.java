package org.ftrma.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.ftrma.rank.RankLibrary;

/**
 * Most of the time of a test's job is that of starting JVMs. They start as those of the ftrma command do, from jars and
 * with an ahead-of-time cache, which are made in the build's folder before the first job of a test process. Any thread.
 */
final class FastStarts {
    private static final String TRAINED = "ftrma.train.aot";
    private static final String LIBRARY = "ftrma.rank.class.path";
    private static final String USED = "ftrma.rank.aot";
    private static final String SAMPLE = "sample";
    /** Commands that run a job; from {@link #SAMPLE} on those whose second word is the program's name. */
    private static final List<String> JOBS = List.of("run", "fft", "kv", SAMPLE, "npb");
    private static final long TRAINING_SECONDS = 400;
    private static final String TRAINING =
        "fft --class S --ranks 2 --checksums 1 --spares 1 --protocol full --interval 10 --log-budget 12MiB"
        + " --warm-up 0 --iterations 24 --kill 1@19 --timeout 400s --json";
    private static final Path FOLDER = Path.of("target", "fast-starts",
        System.getProperty("ftrma.test.fork", "fork1")).toAbsolutePath();
    private static final Path LAUNCHER = FOLDER.resolve("launcher.aot");
    private static final boolean QUICK = Boolean.getBoolean("ftrma.test.quick");
    private static String classPath;

    private FastStarts() {
    }

    /** Ends a test that is about to start a job's processes, where only quick ones are to run. */
    private static void assumeJobs() {
        assumeFalse(QUICK, "--quick leaves out tests that start processes of jobs");
    }

    /** Where the classes of this test run are, in jars: caches hold no others. */
    static synchronized String classPath() {
        if (QUICK) {
            return LauncherProcess.classPath();
        }
        if (classPath == null) {
            try {
                Files.createDirectories(FOLDER);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            System.setProperty(LIBRARY,
                Stream.of(RankLibrary.classPath().split(":")).map(FastStarts::jar).collect(Collectors.joining(":")));
            String jars = Stream.of(LauncherProcess.classPath().split(":")).map(FastStarts::jar)
                .collect(Collectors.joining(":"));
            train(jars);
            classPath = jars;
        }
        return classPath;
    }

    /**
     * The words of a command line: where they start ranks, whose code is compiled only as quickly as it can be. Most
     * tests ask for what is right, and a job of a second has no use for better code. Those that need it say
     * {@code -XX:+TieredCompilation}.
     */
    static List<String> quick(List<String> words) {
        List<String> quick = new ArrayList<>(words);
        int name = words.isEmpty() ? -1 : JOBS.indexOf(words.getFirst());
        int after = name < 0 ? 0 : name < JOBS.indexOf(SAMPLE) ? 1 : 2;
        if (after > 0 && !words.contains("--help")) {
            assumeJobs();
        }
        boolean isChosen = words.stream().anyMatch(word -> word.endsWith("TieredCompilation"));
        if (after > 0 && !isChosen && words.size() >= after && !(after == 2 && words.get(1).startsWith("-"))) {
            quick.addAll(after, List.of("--jvm-arg", "-XX:TieredStopAtLevel=1"));
        }
        return quick;
    }

    /** Where the library of a rank is, in jars. */
    static String library() {
        assumeJobs();
        classPath();
        return System.getProperty(LIBRARY);
    }

    /** The start of a launcher's or an agent's command line: all but the main class. */
    static List<String> launcher() {
        assumeJobs();
        return launcher(classPath(), List.of("-Xlog:aot*=off", "-XX:AOTCache=" + LAUNCHER, "-D" + USED + "="
            + System.getProperty(USED)));
    }

    private static List<String> launcher(String jars, List<String> cache) {
        List<String> line = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:-UsePerfData", "--enable-native-access=ALL-UNNAMED"));
        line.addAll(cache);
        line.addAll(List.of("-Dftrma.class.path=" + jars, "-cp", jars));
        return line;
    }

    private static void train(String jars) {
        Path cache = FOLDER.resolve("rank.aot");
        List<Path> made = List.of(LAUNCHER, cache, FOLDER.resolve("checksum.aot"), FOLDER.resolve("spare.aot"));
        List<String> line = launcher(jars, List.of("-XX:AOTCacheOutput=" + LAUNCHER, "-D" + TRAINED + "=" + cache,
            "-D" + LIBRARY + "=" + System.getProperty(LIBRARY)));
        line.add(Main.class.getName());
        line.addAll(List.of(TRAINING.split(" ")));
        Path told = FOLDER.resolve("training.txt");
        try {
            for (Path one : made) {
                Files.deleteIfExists(one);
            }
            Process training = new ProcessBuilder(line).redirectErrorStream(true).redirectOutput(told.toFile()).start();
            boolean ended = training.waitFor(TRAINING_SECONDS, TimeUnit.SECONDS);
            training.destroyForcibly();
            String text = Files.readString(told);
            assertTrue(ended, () -> "the training job did not end within " + TRAINING_SECONDS + " s:\n" + text);
            assertEquals(0, training.exitValue(), text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
        made.forEach(one -> assertTrue(Files.isReadable(one), () -> "no cache was made: " + one));
        System.setProperty(USED, cache.toString());
    }

    private static String jar(String place) {
        Path path = Path.of(place);
        if (!Files.isDirectory(path)) {
            return place;
        }
        String jar = FOLDER.resolve(path.toString().replace('/', '_') + ".jar").toString();
        int status = ToolProvider.findFirst("jar").orElseThrow()
            .run(System.out, System.err, "--create", "--file", jar, "-C", place, ".");
        assertEquals(0, status, place);
        return jar;
    }
}
