package org.ftrma.mutations;

import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;

/**
 * Tries mutations in a workspace that is built: the module is compiled with the change, apart from the build, and its
 * classes come before the built ones when the tests run. Tests run in processes of their own, which have a time limit
 * that comes from how long they take without a change.
 */
final class Mutator {
    /** Seconds that any test may take besides, and how many times as long as without a change it may take. */
    private static final long LEAST_SECONDS = 30;
    private static final long TIMES = 8;
    private static final long BASELINE_SECONDS = 900;

    private final Workspace workspace;
    private final Path jdk;
    private final String runner;
    private final long leastSeconds;
    private final Map<String, Long> millis = new HashMap<>();

    /**
     * Tries mutations in a workspace.
     *
     * @param runner class path of {@link TestMain}
     */
    Mutator(Workspace workspace, Path jdk, String runner) {
        this(workspace, jdk, runner, LEAST_SECONDS);
    }

    Mutator(Workspace workspace, Path jdk, String runner, long leastSeconds) {
        this.workspace = workspace;
        this.jdk = jdk;
        this.runner = runner;
        this.leastSeconds = leastSeconds;
    }

    /** What came of one test. */
    private record Outcome(String test, boolean passed, long millis, String method, String reason) {
    }

    /** Runs each test once without a change, and tells which ones come next. Returns which fail, and why. */
    List<String> baseline(Collection<String> tests, Consumer<String> next) throws IOException, InterruptedException {
        Map<String, List<String>> byModule = new TreeMap<>();
        for (String test : tests) {
            byModule.computeIfAbsent(workspace.sources().moduleOf(test), _ -> new ArrayList<>()).add(test);
        }
        List<String> failed = new ArrayList<>();
        for (Map.Entry<String, List<String>> module : byModule.entrySet()) {
            List<String> left = new ArrayList<>(module.getValue());
            while (!left.isEmpty()) {
                next.accept(left.size() + " tests of " + module.getKey());
                List<Outcome> outcomes = run(module.getKey(), left, null, BASELINE_SECONDS);
                for (Outcome outcome : outcomes) {
                    millis.put(outcome.test(), outcome.millis());
                    if (!outcome.passed()) {
                        failed.add(outcome.test() + ": " + outcome.method() + " " + outcome.reason());
                    }
                }
                if (outcomes.isEmpty()) {
                    failed.add(left.getFirst() + ": ended without an outcome, or did not end in " + BASELINE_SECONDS
                        + " s");
                }
                left.subList(0, Math.max(1, outcomes.size())).clear();
            }
        }
        return failed;
    }

    /** Tries one mutation; its tests are run from the quickest on, up to the first that fails. */
    Trial tryOut(Mutation mutation) throws IOException, InterruptedException {
        long began = System.nanoTime();
        Path source = workspace.sources().ofClass(mutation.module(), mutation.type());
        String changed;
        try {
            changed = mutation.apply(Files.readString(source));
        } catch (IllegalArgumentException e) {
            return trial(mutation, Trial.End.STALE, "", e.getMessage(), began);
        }
        Path classes = workspace.scratch("changed");
        try {
            String errors = compile(mutation.module(), source, changed, classes);
            if (!errors.isEmpty()) {
                return trial(mutation, Trial.End.NOT_COMPILED, "", errors, began);
            }
            Map<String, List<String>> byModule = new LinkedHashMap<>();
            List<String> tests = new ArrayList<>(mutation.tests());
            tests.sort(Comparator.comparing(test -> millis.getOrDefault(test, 0L)));
            for (String test : tests) {
                byModule.computeIfAbsent(workspace.sources().moduleOf(test), _ -> new ArrayList<>()).add(test);
            }
            for (Map.Entry<String, List<String>> module : byModule.entrySet()) {
                long limit = leastSeconds + module.getValue().stream().mapToLong(test -> millis.getOrDefault(test, 0L))
                    .sum() * TIMES / 1000;
                List<Outcome> outcomes = run(module.getKey(), module.getValue(), classes, limit);
                if (!outcomes.isEmpty() && !outcomes.getLast().passed()) {
                    Outcome last = outcomes.getLast();
                    String by = last.method().isEmpty() || last.test().indexOf('#') >= 0 ? last.test()
                        : last.test() + "#" + last.method();
                    return trial(mutation, Trial.End.FOUND, by, last.reason(), began);
                }
                if (outcomes.size() < module.getValue().size()) {
                    return trial(mutation, Trial.End.HANG, module.getValue().get(outcomes.size()),
                        "no end after " + limit + " s of the processor, or several times as long", began);
                }
            }
        } finally {
            Workspace.remove(classes);
        }
        return trial(mutation, mutation.isHarmless() ? Trial.End.HARMLESS : Trial.End.ALIVE, "", "", began);
    }

    private static Trial trial(Mutation mutation, Trial.End end, String test, String detail, long began) {
        return new Trial(mutation, end, test, detail, (System.nanoTime() - began) / 1e9);
    }

    /** Compiles a module with one file changed; the file itself stays as it is. Returns the first error. */
    private String compile(String module, Path source, String changed, Path classes) throws IOException {
        Path replaced = workspace.scratch("changed").resolve("source").resolve(source.getFileName());
        Files.createDirectories(replaced.getParent());
        Files.writeString(replaced, changed);
        Path sources = workspace.tree().resolve(module).resolve("src/main/java");
        List<String> files;
        try (Stream<Path> all = Files.walk(sources)) {
            files = all.filter(file -> file.toString().endsWith(".java") && !file.equals(source)).map(Path::toString)
                .collect(Collectors.toCollection(ArrayList::new));
        }
        files.add(replaced.toString());
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter messages = new StringWriter();
        boolean compiled = compiler.getTask(messages, null, null,
            List.of("-d", classes.toString(), "-nowarn", "-proc:none", "-implicit:none", "-cp",
            workspace.dependencies(module)), null,
            compiler.getStandardFileManager(null, null, null).getJavaFileObjectsFromStrings(files)).call();
        return compiled ? "" : messages.toString().lines().findFirst().orElse("without a reason")
            .replaceFirst(".*/", "");
    }

    /**
     * Outcomes of the first tests, up to one that fails; fewer than that if the process did not end in time, or ended
     * by itself.
     */
    private List<Outcome> run(String module, List<String> tests, Path changed, long seconds) throws IOException,
        InterruptedException {
        Path outcomes = workspace.scratch("outcomes");
        Files.deleteIfExists(outcomes);
        List<String> classPath = new ArrayList<>();
        if (changed != null) {
            classPath.add(changed.toString());
        }
        workspace.classes(module).forEach(classes -> classPath.add(classes.toString()));
        classPath.add(workspace.dependencies(module));
        classPath.add(runner);
        List<String> command = new ArrayList<>(List.of(jdk.resolve("bin/java").toString()));
        command.addAll(workspace.jvmArguments(module));
        command.addAll(List.of("-cp", String.join(File.pathSeparator, classPath), "org.ftrma.mutations.TestMain",
            outcomes.toString()));
        for (String test : tests) {
            command.add(workspace.sources().binaryName(test));
        }
        ProcessBuilder builder = new ProcessBuilder(command).directory(workspace.tree().resolve(module).toFile())
            .redirectErrorStream(true)
            .redirectOutput(workspace.scratch("output").toFile());
        builder.environment().put("UCX_ERROR_SIGNALS", "");
        builder.environment().put("JAVA_HOME", jdk.toString());
        workspace.run(builder, seconds);
        List<Outcome> read = new ArrayList<>();
        for (String line : Files.exists(outcomes) ? Files.readAllLines(outcomes) : List.<String>of()) {
            String[] words = line.split("\t", -1);
            read.add(new Outcome(tests.get(read.size()), words[0].equals("passed"), Long.parseLong(words[1]), words[2],
                words.length > 3 ? words[3] : ""));
        }
        return read;
    }
}
