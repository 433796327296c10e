package org.ftrma.rank;

import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The loader of a program's classes. A program finds the JDK, what is in its own places, and of the library what is for
 * programs: the packages {@code org.ftrma} and {@code org.ftrma.options}. Nothing else of the library hides a class of
 * the program, or can be reached by it. The class path of the process has the library alone, the same one for every
 * program, so that an ahead-of-time cache fits. Any thread.
 */
final class ProgramLoader extends URLClassLoader {
    private static final String LIBRARY = "org.ftrma.";
    private static final String OPTIONS = "org.ftrma.options.";
    /** The library's binding of UCX is its own matter. */
    private static final String BINDING = "org.openucx.";
    private static final String EVERY_JAR = "*";
    /** How names begin for which the JDK comes first. */
    private static final List<String> PLATFORM = List.of("java.", "javax.", "jdk.", "sun.", "com.sun.", "org.w3c.",
        "org.xml.");

    static {
        registerAsParallelCapable();
    }

    private final ClassLoader library;

    /**
     * A loader of what is in these places.
     *
     * @param places folders, jars, and folders of jars ({@code lib/*}), separated by colons, as in a class path
     * @param library the loader of this class and its library
     */
    ProgramLoader(String places, ClassLoader library) {
        super(urls(places), library); // without a name, which each line of a stack trace would begin with
        this.library = library;
    }

    private static URL[] urls(String places) {
        List<URL> urls = new ArrayList<>();
        for (String place : places.split(":")) {
            if (place.equals(EVERY_JAR) || place.endsWith("/" + EVERY_JAR)) {
                String folder = place.substring(0, place.length() - EVERY_JAR.length());
                jars(Path.of(folder.isEmpty() ? "." : folder)).forEach(jar -> urls.add(url(jar)));
            } else {
                urls.add(url(Path.of(place)));
            }
        }
        return urls.toArray(URL[]::new);
    }

    /** As the virtual machine expands a class path: all jars of the folder, and none of the folders in it. */
    private static List<Path> jars(Path folder) {
        List<Path> jars = new ArrayList<>();
        try (DirectoryStream<Path> found = Files.newDirectoryStream(folder, "*.{jar,JAR}")) {
            found.forEach(jars::add);
        } catch (NoSuchFileException e) {
            return List.of(); // the launcher has seen it; what is gone since then is missed where it is needed
        } catch (IOException e) {
            throw new IllegalArgumentException(folder + ": its jars cannot be listed: " + e, e);
        }
        Collections.sort(jars);
        return jars;
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

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
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
        if (PLATFORM.stream().anyMatch(name::startsWith)) {
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
                throw new ClassNotFoundException(name + ": the program does not have it, and the library has for"
                    + " programs org.ftrma and org.ftrma.options");
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
