package org.ftrma.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.source.tree.AnnotationTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreeScanner;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import javax.lang.model.element.Modifier;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;

/**
 * Long lists of parameters: no method, constructor or record has eight and more where four of one type stand side by
 * side, since nobody sees there that two of them have changed places. Objects that are filled by name are in their
 * stead. Only the strided accesses of {@code Window} have such lists, and what overrides them.
 */
class ParameterRulesTest {
    private static final Path ROOT = root();
    private static final int MANY = 8;
    private static final int ALIKE = 4;

    private static Path root() {
        Path place = Path.of("").toAbsolutePath();
        while (!Files.exists(place.resolve("docs/README.md"))) {
            place = place.getParent();
        }
        return place;
    }

    /** The lists of parameters of a source that are too long. */
    private static final class LongLists extends TreeScanner<Void, Void> {
        private final List<String> found = new ArrayList<>();
        private final String file;
        /** What {@code Window} declares: it may be overridden. */
        private final Set<String> allowed;

        LongLists(CompilationUnitTree source, Set<String> allowed) {
            this.file = Path.of(source.getSourceFile().toUri()).getFileName().toString();
            this.allowed = allowed;
            scan(source, null);
        }

        @Override
        public Void visitClass(ClassTree type, Void nothing) {
            if (type.getKind() == Tree.Kind.RECORD) {
                List<VariableTree> components = new ArrayList<>();
                for (Tree member : type.getMembers()) {
                    if (member instanceof VariableTree field
                        && !field.getModifiers().getFlags().contains(Modifier.STATIC)) {
                        components.add(field);
                    }
                }
                judge("record " + type.getSimpleName(), components, false);
            }
            return super.visitClass(type, nothing);
        }

        @Override
        public Void visitMethod(MethodTree method, Void nothing) {
            boolean overrides = false;
            for (AnnotationTree annotation : method.getModifiers().getAnnotations()) {
                overrides |= annotation.getAnnotationType().toString().equals("Override");
            }
            judge(method.getName().toString(), method.getParameters(), overrides);
            return super.visitMethod(method, nothing);
        }

        private void judge(String name, List<? extends VariableTree> parameters, boolean overrides) {
            List<String> types = parameters.stream().map(parameter -> parameter.getType().toString()).toList();
            String signature = name + types;
            if (types.size() >= MANY && mostAlike(types) >= ALIKE && !(overrides && allowed.contains(signature))) {
                found.add(file + ": " + signature);
            }
        }

        private static int mostAlike(List<String> types) {
            int most = 0;
            int alike = 0;
            for (int i = 0; i < types.size(); i++) {
                alike = i > 0 && types.get(i).equals(types.get(i - 1)) ? alike + 1 : 1;
                most = Math.max(most, alike);
            }
            return most;
        }
    }

    /** The lists of parameters that are too long in some sources. */
    private static List<String> longLists(Iterable<? extends JavaFileObject> sources, Set<String> allowed)
        throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        assertNotNull(compiler, "this Java has no compiler: run the tests with a JDK");
        List<String> found = new ArrayList<>();
        JavacTask task = (JavacTask) compiler.getTask(null, null, null, null, null, sources);
        for (CompilationUnitTree source : task.parse()) {
            found.addAll(new LongLists(source, allowed).found);
        }
        return found;
    }

    private static List<String> longLists(List<Path> sources, Set<String> allowed) throws IOException {
        try (StandardJavaFileManager files = ToolProvider.getSystemJavaCompiler().getStandardFileManager(null, null,
            null)) {
            return longLists(files.getJavaFileObjectsFromPaths(sources), allowed);
        }
    }

    private static Path window() {
        return ROOT.resolve("ftrma-api/src/main/java/org/ftrma/Window.java");
    }

    /** What the accesses of {@code Window} are that have such lists. */
    private static Set<String> stridedAccesses() throws IOException {
        Set<String> accesses = new TreeSet<>();
        for (String access : longLists(List.of(window()), Set.of())) {
            accesses.add(access.substring("Window.java: ".length()));
        }
        return accesses;
    }

    @Test
    void noListHasEightParametersWhereFourAlikeStandSideBySide() throws IOException {
        List<Path> sources = new ArrayList<>();
        try (Stream<Path> modules = Files.list(ROOT)) {
            for (Path module : modules.filter(place -> Files.exists(place.resolve("src/main/java"))).toList()) {
                try (Stream<Path> files = Files.walk(module.resolve("src/main/java"))) {
                    files.filter(file -> file.toString().endsWith(".java") && !file.equals(window()))
                        .forEach(sources::add);
                }
            }
        }
        assertTrue(sources.size() > 300, "the sources of all modules: " + sources.size());
        assertEquals(List.of(), longLists(sources, stridedAccesses()),
            "these have many parameters, and two could change places unseen: an object that is filled by name, such as "
            + "org.ftrma.spi.Blocks, can have them, or records of what belongs together");
    }

    @Test
    void theExceptionsAreTheStridedAccessesOfWindow() throws IOException {
        Set<String> names = new TreeSet<>();
        stridedAccesses().forEach(access -> names.add(access.substring(0, access.indexOf('['))));
        assertEquals(Set.of("putStrided", "getStrided", "accumulateStrided", "getAccumulateStrided", "rputStrided",
            "rgetStrided", "raccumulateStrided", "rgetAccumulateStrided"), names);
    }

    private static JavaFileObject source(String text) {
        return new SimpleJavaFileObject(URI.create("file:///Some.java"), JavaFileObject.Kind.SOURCE) {
            @Override
            public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                return text;
            }
        };
    }

    @Test
    void methodsConstructorsAndRecordsAreFound() throws IOException {
        JavaFileObject some = source("""
            class Some {
                static final int NONE = 0;
                Some(String a, long b, long c, long d,
                    long e, int f, int g, int h) {
                }
                record Seven(int a, int b, int c, int d, int e, int f, int g) {
                    static final int EIGHTH = 0;
                }
                record Eight(int a, int b, int c, int d, String e, String f, String g,
                    String... h) {
                }
                interface Inner {
                    void three(int a, int b, int c, long d, int e, int f, int g, long h);
                    void four(int a, int b, int c, int d, long e, int f, int g, long h);
                }
                @Override
                public void allowed(int a, int b, int c, int d, int e, int f, int g, int h) {
                }
                @Override
                public void allowed(long a, long b, long c, long d, int e, int f, int g, int h) {
                }
                void overridesNothing(int a, int b, int c, int d, int e, int f, int g, int h) {
                }
            }
            """);
        assertEquals(List.of("Some.java: <init>[String, long, long, long, long, int, int, int]",
            "Some.java: record Eight[int, int, int, int, String, String, String, String[]]",
            "Some.java: four[int, int, int, int, long, int, int, long]",
            "Some.java: allowed[long, long, long, long, int, int, int, int]",
            "Some.java: overridesNothing[int, int, int, int, int, int, int, int]"),
            longLists(List.of(some), Set.of("allowed[int, int, int, int, int, int, int, int]",
                "overridesNothing[int, int, int, int, int, int, int, int]")));
    }
}
