package org.ftrma.testkit;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.security.ProtectionDomain;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.ftrma.Job;

/**
 * Loads the classes of a program's place, a folder or a jar, anew for each simulated process, as a virtual machine of
 * its own would: static variables are lost with the process, and no other process sees them. Classes of other places
 * are shared. Any thread.
 */
final class FreshClasses {
    private static final String LIBRARY = "org.ftrma.";

    private final Class<?> main;
    private final ProtectionDomain domain;
    /** Null where a class has no place: all are shared then. */
    private final URLClassLoader place;
    /** Whether the library is in the same place: it has to be the one of the simulator. */
    private final boolean holdsLibrary;
    private final Map<String, Optional<byte[]>> known = new ConcurrentHashMap<>();

    FreshClasses(Class<?> main) {
        this.main = main;
        domain = main.getProtectionDomain();
        URL location = locationOf(main);
        place = location == null ? null : new URLClassLoader(new URL[] {location}, null);
        holdsLibrary = location != null && location.equals(locationOf(Job.class));
    }

    private static URL locationOf(Class<?> type) {
        return type.getProtectionDomain().getCodeSource() == null ? null
            : type.getProtectionDomain().getCodeSource().getLocation();
    }

    /** The program's class, of one more process. */
    Class<?> load() throws ClassNotFoundException {
        return place == null ? main : Class.forName(main.getName(), true, new OfProcess());
    }

    private byte[] bytes(String name) {
        if (holdsLibrary && name.startsWith(LIBRARY)) {
            return null;
        }
        return known.computeIfAbsent(name, this::read).orElse(null);
    }

    private Optional<byte[]> read(String name) {
        URL file = place.findResource(name.replace('.', '/') + ".class");
        if (file == null) {
            return Optional.empty();
        }
        try (InputStream in = file.openStream()) {
            return Optional.of(in.readAllBytes());
        } catch (IOException e) {
            throw new IllegalStateException("class=" + name + ": cannot be read from " + file + ": " + e, e);
        }
    }

    /** The loader of one process. */
    private final class OfProcess extends ClassLoader {
        OfProcess() {
            super(main.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            synchronized (getClassLoadingLock(name)) {
                Class<?> type = findLoadedClass(name);
                byte[] code = type == null ? bytes(name) : null;
                if (code != null) {
                    type = defineClass(name, code, 0, code.length, domain);
                }
                return type != null ? type : super.loadClass(name, resolve);
            }
        }
    }
}
