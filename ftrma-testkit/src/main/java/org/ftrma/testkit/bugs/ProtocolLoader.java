package org.ftrma.testkit.bugs;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.function.BiFunction;

/**
 * Loads the library, the simulator and its tests once more: some classes are replaced, and each may be changed. What is
 * not of {@code org.ftrma} comes from the parent. As a function it is the change, given a class's name and bytes, so
 * that a loader inside can make it, too. Any thread.
 */
public final class ProtocolLoader extends ClassLoader implements BiFunction<String, byte[], byte[]> {
    private static final String LIBRARY = "org.ftrma.";

    private final Map<String, byte[]> replaced;
    private final BiFunction<String, byte[], byte[]> change;

    /**
     * Loads nothing yet.
     *
     * @param name shown in stack frames of its classes; null for none
     * @param replaced the bytes of classes that take the place of those of the parent, by name
     * @param change made of each class, given its name and bytes
     */
    public ProtocolLoader(String name, Map<String, byte[]> replaced, BiFunction<String, byte[], byte[]> change) {
        super(name, ProtocolLoader.class.getClassLoader());
        this.replaced = replaced;
        this.change = change;
    }

    /** The name of the loader that has loaded this class, if that is such a loader; else null. */
    static String nameHere() {
        return here() == null ? null : ProtocolLoader.class.getClassLoader().getName();
    }

    /** The change that it makes. */
    static byte[] changeHere(String name, byte[] bytes) {
        return here() == null ? bytes : here().apply(name, bytes);
    }

    /** As a function, since its class is another one than this. */
    @SuppressWarnings("unchecked") // no other loader is a function
    private static BiFunction<String, byte[], byte[]> here() {
        return ProtocolLoader.class.getClassLoader() instanceof BiFunction<?, ?, ?> loader
            ? (BiFunction<String, byte[], byte[]>) loader : null;
    }

    @Override
    public byte[] apply(String name, byte[] bytes) {
        return change.apply(name, bytes);
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        synchronized (getClassLoadingLock(name)) {
            if (!name.startsWith(LIBRARY)) {
                return super.loadClass(name, resolve);
            }
            Class<?> loaded = findLoadedClass(name);
            return loaded != null ? loaded : findClass(name);
        }
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        byte[] code = apply(name, replaced.containsKey(name) ? replaced.get(name) : original(name));
        return defineClass(name, code, 0, code.length, ProtocolLoader.class.getProtectionDomain());
    }

    private byte[] original(String name) throws ClassNotFoundException {
        try (InputStream in = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
            if (in == null) {
                throw new ClassNotFoundException(name);
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException("class=" + name, e);
        }
    }
}
