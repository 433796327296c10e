package org.ftrma.mutations;

import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;

/**
 * The command {@code ./ftrma mutate}: tries the mutations of {@code mutations.txt}, or those that are named, and tells
 * what found each one. It needs nothing but the JDK, so that it can be run from its source.
 */
public final class MutateMain {
    private static final String MODULE = "ftrma-mutations";
    private static final String USAGE = """
        Usage: ftrma mutate [NAME...] [--list] [--json]
        Makes small changes to the protocol, one at a time and in a copy of the sources, and reports which test detects
        each.

          NAME...     only these of ftrma-mutations/mutations.txt; * matches anything
          --list      list them with what is wrong about each, and exit
          --json      print one JSON object as the last line of standard output: app, exitCode, outcome, message,
                      and mutations, each with name, outcome (found, hang, alive, harmless, not-compiled, stale),
                      test, detail and seconds
          -h, --help  show this help and exit

        Exit codes: 0 all were found, or are explained as harmless, 1 one was not, or a test fails without a change,
        2 wrong usage, 4 missing prerequisite, 130 interrupted
        """;

    /** What was asked for cannot be understood. */
    private static final class UsageException extends Exception {
        private static final long serialVersionUID = 1;

        UsageException(String message) {
            super(message);
        }
    }

    private final Path checkout;
    private final Path maven;
    private final PrintStream out;
    private boolean json;

    MutateMain(Path checkout, Path maven, PrintStream out) {
        this.checkout = checkout;
        this.maven = maven;
        this.out = out;
    }

    /**
     * Arguments as on the command line; properties: {@code ftrma.root} the checkout, {@code ftrma.maven} Maven's
     * command.
     */
    public static void main(String[] arguments) {
        Path root = Path.of(System.getProperty("ftrma.root", "")).toAbsolutePath();
        System.exit(new MutateMain(root, Path.of(System.getProperty("ftrma.maven", "mvn")), System.out).run(arguments));
    }

    /** Returns the status. */
    int run(String[] arguments) {
        boolean list = false;
        List<String> names = new ArrayList<>();
        for (String argument : arguments) {
            switch (argument) {
                case "--json" -> json = true;
                case "--list" -> list = true;
                case "--help", "-h" -> {
                    out.print(USAGE);
                    return 0;
                }
                default -> names.add(argument);
            }
        }
        try {
            List<Mutation> mutations = chosen(MutationFile.parse(Files.readString(checkout.resolve(MODULE)
                .resolve("mutations.txt"))), names);
            if (list) {
                mutations.forEach(mutation -> out.printf("%-36s %s%n", mutation.name(), mutation.why()));
                return end(0, "", List.of());
            }
            return tryAll(mutations);
        } catch (IllegalArgumentException e) {
            say("mutations.txt: " + e.getMessage());
            return end(1, "mutations.txt: " + e.getMessage(), List.of());
        } catch (UsageException e) {
            System.err.print("ftrma: " + e.getMessage() + "\n" + USAGE);
            return end(2, e.getMessage(), List.of());
        } catch (IOException | UncheckedIOException e) {
            System.err.println("ftrma: " + e.getMessage());
            return end(1, e.getMessage(), List.of());
        } catch (InterruptedException e) {
            return 130;
        }
    }

    private static List<Mutation> chosen(List<Mutation> all, List<String> names) throws UsageException {
        Set<Mutation> chosen = new LinkedHashSet<>();
        for (String name : names) {
            String pattern = ("\\Q" + name + "\\E").replace("*", "\\E.*\\Q");
            List<Mutation> some = name.startsWith("-") ? List.of()
                : all.stream().filter(mutation -> mutation.name().matches(pattern)).toList();
            if (some.isEmpty()) {
                throw new UsageException(name + ": there is no such "
                    + (name.startsWith("-") ? "option of ftrma mutate" : "mutation"));
            }
            chosen.addAll(some);
        }
        return names.isEmpty() ? all : List.copyOf(chosen);
    }

    private int tryAll(List<Mutation> mutations) throws IOException, InterruptedException {
        Path jdk = Path.of(System.getProperty("java.home"));
        AtomicBoolean interrupted = new AtomicBoolean();
        try (Workspace workspace = Workspace.copyOf(checkout)) {
            Runtime.getRuntime().addShutdownHook(new Thread(() -> {
                interrupted.set(true);
                closeAtEnd(workspace);
            }));
            Set<String> tests = new LinkedHashSet<>();
            Set<String> modules = new TreeSet<>(Set.of(MODULE));
            for (Mutation mutation : mutations) {
                workspace.sources().ofClass(mutation.module(), mutation.type());
                modules.add(mutation.module());
                for (String test : mutation.tests()) {
                    modules.add(workspace.sources().moduleOf(test));
                    tests.add(test);
                }
            }
            say("building a copy of the sources");
            workspace.build(maven, jdk, modules);
            Mutator mutator = new Mutator(workspace, jdk,
                workspace.classes(MODULE).getLast() + ":" + workspace.dependencies(MODULE));
            say("running " + tests.size() + " tests without a change");
            List<String> failing = mutator.baseline(tests, test -> progress("without a change: " + test));
            progress("");
            if (!failing.isEmpty()) {
                failing.forEach(MutateMain::say);
                return end(1, "tests fail without a change: " + String.join("; ", failing), List.of());
            }
            List<Trial> trials = new ArrayList<>();
            for (Mutation mutation : mutations) {
                progress(trials.size() + 1 + "/" + mutations.size() + " " + mutation.name());
                Trial trial = mutator.tryOut(mutation);
                progress("");
                trials.add(trial);
                out.printf("%3d/%d %-36s %s%n", trials.size(), mutations.size(), mutation.name(), trial.line());
            }
            return table(trials);
        } catch (IOException | RuntimeException e) {
            if (interrupted.get()) {
                throw new InterruptedException(); // the copy is gone
            }
            throw e;
        }
    }

    private int table(List<Trial> trials) {
        out.println();
        for (Trial.End end : Trial.End.values()) {
            List<Trial> such = trials.stream().filter(trial -> trial.end() == end).toList();
            if (!such.isEmpty()) {
                out.printf("%3d %s%s%n", such.size(), end.text(),
                    end == Trial.End.FOUND ? "" : ": " + such.stream().map(trial -> trial.mutation().name())
                    .collect(Collectors.joining(", ")));
            }
        }
        long bad = trials.stream().filter(trial -> !trial.end().isGood()).count();
        return end(bad == 0 ? 0 : 1, bad == 0 ? "" : bad + " of " + trials.size() + " mutations were not found",
            trials);
    }

    private int end(int status, String message, List<Trial> trials) {
        if (json) {
            String all = trials.stream().map(trial -> String.format(Locale.ROOT,
                "{\"name\":%s,\"outcome\":%s,\"test\":%s,\"detail\":%s,\"seconds\":%.1f}",
                quoted(trial.mutation().name()), quoted(trial.word()),
                quoted(trial.test()), quoted(trial.detail()), trial.seconds()))
                .collect(Collectors.joining(",", "[", "]"));
            out.println("{\"app\":\"mutate\",\"exitCode\":" + status + ",\"outcome\":"
                + quoted(status == 0 ? "success" : "failed") + ",\"message\":"
                + quoted(message) + ",\"mutations\":" + all + "}");
        }
        return status;
    }

    private static String quoted(String text) {
        return "\"" + text.replace("\\", "\\\\").replace("\"", "\\\"").replaceAll("\\p{Cntrl}", " ") + "\"";
    }

    private static void say(String text) {
        System.err.println("ftrma: " + text);
    }

    /** On a terminal: what is being done, in a line that goes again. */
    private static void progress(String text) {
        if (System.console() != null && System.console().isTerminal()) {
            System.err.print("\r\033[K" + text);
        }
    }

    private static void closeAtEnd(Workspace workspace) {
        try {
            workspace.close();
        } catch (IOException e) {
            say(e.getMessage());
        }
    }
}
