package org.ftrma.testkit.bugs;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.ftrma.MisuseException;

/**
 * Bugs that tests put into the protocol and into the simulated transport: changes of their sources, which
 * protocol-bugs.txt lists in the form of mutations.txt. Any thread.
 */
public final class ProtocolBugs {
    private static final String LIST = "protocol-bugs.txt";
    private static final Map<String, List<Change>> BUGS = parse(list());
    private static final Map<Set<String>, Map<String, byte[]>> COMPILED = new ConcurrentHashMap<>();

    private ProtocolBugs() {
    }

    /** Lines of a class's source, and those that replace them. Indentation does not count. */
    private record Change(String module, String type, List<String> before, List<String> after) {
        Change(String place) {
            this(place.replaceAll("/.*", ""), place.replaceAll(".*/", ""), new ArrayList<>(), new ArrayList<>());
        }

        String apply(String bug, String source) {
            Matcher matcher = Pattern.compile(before.stream().map(Pattern::quote)
                .collect(Collectors.joining("\\s*\\n\\s*"))).matcher(source);
            long found = matcher.results().count();
            if (found != 1) {
                throw new MisuseException("bug=" + bug + ": what it changes is there " + found + " times in " + module
                    + "/" + type + " (another bug may change it, too): " + String.join(" ", before));
            }
            return matcher.reset().replaceFirst(Matcher.quoteReplacement(String.join("\n", after)));
        }
    }

    /** Their names. */
    public static Set<String> names() {
        return BUGS.keySet();
    }

    private static String list() {
        try (InputStream in = ProtocolBugs.class.getResourceAsStream(LIST)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(LIST, e);
        }
    }

    private static Map<String, List<Change>> parse(String text) {
        Map<String, List<Change>> bugs = new LinkedHashMap<>();
        List<Change> changes = List.of();
        String place = "";
        for (String line : text.lines().toList()) {
            String[] words = line.split(" ", 2);
            String rest = words.length > 1 ? words[1].strip() : "";
            switch (words[0]) {
                case "mutation" -> {
                    changes = new ArrayList<>();
                    bugs.put(rest, changes);
                }
                case "in" -> place = rest;
                case "-" -> {
                    if (changes.isEmpty() || !changes.getLast().after.isEmpty()) {
                        changes.add(new Change(place));
                    }
                    changes.getLast().before.add(rest);
                }
                case "+" -> changes.getLast().after.add(rest);
                default -> { } // what is wrong then, for people
            }
        }
        return bugs;
    }

    /**
     * Whether these bugs can be put in, all together.
     *
     * @throws MisuseException if not: there is no source, or it does not have what a bug changes
     */
    public static void check(Set<String> bugs) {
        compiled(bugs);
    }

    /** The classes that are others with these bugs. */
    static Map<String, byte[]> compiled(Set<String> bugs) {
        return bugs.isEmpty() ? Map.of() : COMPILED.computeIfAbsent(Set.copyOf(bugs), ProtocolBugs::compile);
    }

    private static Map<String, byte[]> compile(Set<String> bugs) {
        for (String bug : bugs) {
            if (!BUGS.containsKey(bug)) {
                throw new IllegalArgumentException("bug=" + bug + ": must be one of " + names());
            }
        }
        Path root = root(bugs);
        Map<Path, String> sources = new HashMap<>();
        BUGS.forEach((bug, changes) -> {
            for (Change change : bugs.contains(bug) ? changes : List.<Change>of()) {
                sources.compute(source(root, change), (path, text) ->
                    change.apply(bug, text != null ? text : read(path)));
            }
        });
        return compile(bugs, sources);
    }

    /** The checkout in which the classes are; or else the command, or the current directory. */
    private static Path root(Set<String> bugs) {
        URI classes = URI.create(ProtocolBugs.class.getProtectionDomain().getCodeSource().getLocation().toString());
        Path command = Path.of(System.getProperty("ftrma.command", "")).toAbsolutePath();
        for (Path start : List.of(Path.of(classes), command)) {
            for (Path root = start; root != null; root = root.getParent()) {
                if (Files.isDirectory(root.resolve("ftrma-testkit/src/main/java"))
                    && ToolProvider.getSystemJavaCompiler() != null) {
                    return root;
                }
            }
        }
        throw new MisuseException("bugs " + bugs + ": are changes of sources, which are compiled when they are asked "
            + "for: that takes a JDK and a checkout; neither " + classes + " nor " + command + " is in one");
    }

    private static Path source(Path root, Change change) {
        try (Stream<Path> files = Files.walk(root.resolve(change.module).resolve("src/main/java"))) {
            return files.filter(file -> file.getFileName().toString().equals(change.type + ".java")).findFirst()
                .orElseThrow(() -> new IllegalStateException(LIST + ": there is no class " + change.module + "/"
                    + change.type));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Map<String, byte[]> compile(Set<String> bugs, Map<Path, String> sources) {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        Map<String, ByteArrayOutputStream> classes = new HashMap<>();
        JavaFileManager inMemory = new ForwardingJavaFileManager<>(compiler.getStandardFileManager(null, null, null)) {
            @Override
            public JavaFileObject getJavaFileForOutput(Location location, String type, JavaFileObject.Kind kind,
                FileObject sibling) {
                return new SimpleJavaFileObject(URI.create("memory:///" + type), kind) {
                    @Override
                    public OutputStream openOutputStream() {
                        return classes.computeIfAbsent(type, name -> new ByteArrayOutputStream());
                    }
                };
            }
        };
        List<JavaFileObject> units = new ArrayList<>();
        sources.forEach((path, text) -> units.add(new SimpleJavaFileObject(path.toUri(), JavaFileObject.Kind.SOURCE) {
            @Override
            public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                return text;
            }
        }));
        StringWriter messages = new StringWriter();
        if (!compiler.getTask(messages, inMemory, null, List.of("-nowarn", "-proc:none", "-implicit:none", "-cp",
            System.getProperty("java.class.path")), null, units).call()) {
            throw new IllegalStateException(LIST + ": " + bugs + " cannot be compiled:\n" + messages);
        }
        return classes.entrySet().stream().collect(Collectors.toMap(Map.Entry::getKey, of -> of.getValue()
            .toByteArray()));
    }
}
