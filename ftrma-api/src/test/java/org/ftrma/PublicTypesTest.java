package org.ftrma;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What programs can name is what is for them; no signature of it leads on to what is not. */
class PublicTypesTest {
    /** A type that comes here is for users, for as long as there are any. */
    private static final Set<String> FOR_PROGRAMS = new TreeSet<>(List.of(
        "AtomicOp", "Channel", "Comparison", "Counters", "DataType", "DeadlineException", "Distribution",
        "Distribution$Kind", "Distribution$Placement", "DoubleCell", "Ftrma",
        "FtrmaException", "FtrmaException$Category", "Generation", "Job", "JobRuntime", "LocalJobs", "LocalMain",
        "LocalOptions", "LocalProgram", "LocalResult", "LockType", "LongCell", "Message",
        "MessageRequest", "MisuseException", "PeerLostException", "Program", "RecordCell", "Request", "RotatingSegment",
        "Strides", "Team",
        "Window", "WindowKind",
        "options.AccessPath",
        "options.CommandOption", "options.DemandForm", "options.EventLoggerForm", "options.Interval",
        "options.Interval$Daly",
        "options.Interval$EverySteps", "options.Interval$EveryTime", "options.Interval$Never", "options.JobOption",
        "options.JobOptions", "options.JobOptions$Builder", "options.LogOverflow", "options.OptionForm",
        "options.OptionForm$Reader", "options.OptionTable", "options.OptionText", "options.OptionValues",
        "options.OptionWord", "options.Protocol", "options.ShellLine", "options.Staging", "options.Units"));

    private static List<Class<?>> publicTypes() throws IOException, URISyntaxException, ClassNotFoundException {
        Path classes = Path.of(Job.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        List<Class<?>> types = new ArrayList<>();
        for (String folder : List.of("org/ftrma", "org/ftrma/options")) {
            List<Path> files;
            try (Stream<Path> all = Files.list(classes.resolve(folder))) {
                files = all.filter(file -> file.toString().endsWith(".class")).sorted().toList();
            }
            for (Path file : files) {
                String name = file.getFileName().toString().replace(".class", "");
                if (!name.endsWith("-info")) {
                    Class<?> type = Class.forName(folder.replace('/', '.') + "." + name);
                    if (isReachable(type)) {
                        types.add(type);
                    }
                }
            }
        }
        return types;
    }

    private static boolean isReachable(Class<?> type) {
        for (Class<?> outer = type; outer != null; outer = outer.getEnclosingClass()) {
            if (!Modifier.isPublic(outer.getModifiers()) || outer.isAnonymousClass()) {
                return false;
            }
        }
        return true;
    }

    private static void addAll(Set<Class<?>> found, Type... types) {
        for (Type type : types) {
            switch (type) {
                case Class<?> one -> found.add(one.isArray() ? one.getComponentType() : one);
                case ParameterizedType one -> {
                    addAll(found, one.getRawType());
                    addAll(found, one.getActualTypeArguments());
                }
                case GenericArrayType one -> addAll(found, one.getGenericComponentType());
                case WildcardType one -> {
                    addAll(found, one.getUpperBounds());
                    addAll(found, one.getLowerBounds());
                }
                case TypeVariable<?> one -> one.getName();
                default -> throw new AssertionError(type);
            }
        }
    }

    private static boolean isVisible(Member member) {
        return !member.isSynthetic() && (member.getModifiers() & (Modifier.PUBLIC | Modifier.PROTECTED)) != 0;
    }

    private static Set<Class<?>> namedBy(Class<?> type) {
        Set<Class<?>> found = new HashSet<>();
        addAll(found, type.getGenericInterfaces());
        if (type.getGenericSuperclass() != null) {
            addAll(found, type.getGenericSuperclass());
        }
        for (Method method : type.getDeclaredMethods()) {
            if (isVisible(method)) {
                addAll(found, method.getGenericReturnType());
                addAll(found, method.getGenericParameterTypes());
                addAll(found, method.getGenericExceptionTypes());
            }
        }
        for (Constructor<?> constructor : type.getDeclaredConstructors()) {
            if (isVisible(constructor)) {
                addAll(found, constructor.getGenericParameterTypes());
            }
        }
        for (Field field : type.getDeclaredFields()) {
            if (isVisible(field)) {
                addAll(found, field.getGenericType());
            }
        }
        return found;
    }

    @Test
    void whatProgramsCanNameIsWhatIsForThem() throws Exception {
        Set<String> names = new TreeSet<>();
        publicTypes().forEach(type -> names.add(type.getName().substring("org.ftrma.".length())));
        assertEquals(FOR_PROGRAMS, names);
    }

    @Test
    void noSignatureLeadsToWhatIsNotForPrograms() throws Exception {
        List<Class<?>> types = publicTypes();
        for (Class<?> type : types) {
            for (Class<?> named : namedBy(type)) {
                assertTrue(named.isPrimitive() || named.getName().startsWith("java.") || types.contains(named),
                    type.getName() + " names " + named.getName());
            }
        }
    }
}
