package org.ftrma.rank;

import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.Collections;
import java.util.Enumeration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.ftrma.FtrmaException;
import org.ftrma.rank.program.ClassPathDigest;
import org.ftrma.rank.program.CodeCheck;
import org.ftrma.rank.program.ProgramPlaces;

/**
 * The loader of a program's classes. A program finds the JDK, what is in its own places, and of the library what is for
 * programs: the packages {@code org.ftrma} and {@code org.ftrma.options}. Nothing else of the library hides a class of
 * the program, or can be reached by it. The class path of the process has the library alone, the same one for every
 * program, so that an ahead-of-time cache fits. Each class is the one that was there when the job began, or the loader
 * refuses it, and all others from then on. Any thread.
 */
final class ProgramLoader extends URLClassLoader {
    private static final String LIBRARY = "org.ftrma.";
    private static final String OPTIONS = "org.ftrma.options.";
    /** The library's binding of UCX is its own matter. */
    private static final String BINDING = "org.openucx.";
    /** How names begin for which the JDK comes first. */
    private static final List<String> PLATFORM = List.of("java.", "javax.", "jdk.", "sun.", "com.sun.", "org.w3c.",
        "org.xml.");

    static {
        registerAsParallelCapable();
    }

    private final ClassPathDigest program;
    private final CodeCheck check;
    private final ClassLoader library;
    /** What has changed; null: nothing that is known. */
    private volatile String changed;

    /**
     * A loader of what is in these places.
     *
     * @param program the places, and what was in them when the job began
     * @param library the loader of this class and its library
     */
    ProgramLoader(ClassPathDigest program, ClassLoader library) {
        // without a name, which each line of a stack trace would begin with
        super(ProgramPlaces.of(program.classPath()).stream().map(ProgramLoader::url).toArray(URL[]::new), library);
        this.program = program;
        this.check = new CodeCheck(program);
        this.library = library;
    }

    /**
     * Compares all places with what was in them when the job began. What has been added counts only where it is loaded.
     *
     * @throws FtrmaException if a class or a jar has changed, or is gone
     */
    void requireTheSame() {
        program.differences(program.again()).stream()
            .filter(found -> found.kind() != ClassPathDigest.Kind.ADDED).findFirst()
            .ifPresent(found -> refuse(found.toString()));
    }

    private void refuse(String what) {
        changed = what;
        throw new FtrmaException(FtrmaException.Category.MISUSE, "the program has changed since the job began: "
            + what + ". Restart the job; build into another directory while one runs");
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        Class<?> type = super.findClass(name);
        CodeSource source = type.getProtectionDomain().getCodeSource();
        ClassPathDigest.Difference found = source == null ? null : check.loaded(name, source.getLocation());
        if (found != null) {
            refuse(found.toString());
        }
        return type;
    }

    private static URL url(Path place) {
        try {
            return place.toUri().toURL();
        } catch (MalformedURLException e) {
            throw new IllegalArgumentException(place + ": no place of classes: " + e.getMessage(), e);
        }
    }

    /** Whether a class of that name is for programs. */
    static boolean isForPrograms(String name) {
        return name.startsWith(OPTIONS) || name.startsWith(LIBRARY) && name.indexOf('.', LIBRARY.length()) < 0;
    }

    private static boolean isOfPlatform(String name) {
        return PLATFORM.stream().anyMatch(name::startsWith);
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (changed != null && !isForPrograms(name) && !isOfPlatform(name)) {
            refuse(changed); // whoever caught it the first time does not get the class
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> type = findLoadedClass(name);
            if (type == null) {
                type = isForPrograms(name) ? ofLibrary(name) : find(name);
            }
            if (resolve) {
                resolveClass(type);
            }
            return type;
        }
    }

    private Class<?> ofLibrary(String name) throws ClassNotFoundException {
        try {
            return library.loadClass(name);
        } catch (ClassNotFoundException e) {
            return find(name); // a program's own class in the same package
        }
    }

    private Class<?> find(String name) throws ClassNotFoundException {
        if (isOfPlatform(name)) {
            try {
                return getPlatformClassLoader().loadClass(name);
            } catch (ClassNotFoundException e) {
                return findClass(name); // javax.inject, and others that the JDK does not have
            }
        }
        try {
            return findClass(name);
        } catch (ClassNotFoundException e) {
            if (name.startsWith(LIBRARY) || name.startsWith(BINDING)) {
                throw new ClassNotFoundException(name + ": not in the program, and not public API"
                    + " (org.ftrma, org.ftrma.options)");
            }
            return library.loadClass(name); // of an agent, or of the JDK
        }
    }

    @Override
    public URL getResource(String name) {
        URL own = findResource(name);
        return own != null ? own : library.getResource(name);
    }

    @Override
    public Enumeration<URL> getResources(String name) throws IOException {
        Set<URL> all = new LinkedHashSet<>(Collections.list(findResources(name)));
        all.addAll(Collections.list(library.getResources(name)));
        return Collections.enumeration(all);
    }
}
