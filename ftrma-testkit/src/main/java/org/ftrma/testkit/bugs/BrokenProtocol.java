package org.ftrma.testkit.bugs;

import java.io.Serializable;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Map;
import java.util.Set;
import org.ftrma.MisuseException;

/**
 * Runs tasks where the library, the simulator and its tests are loaded once more, with bugs in the protocol. What a
 * task has captured gets there, and its result comes back, as a copy ({@link Crossing}). Any thread.
 */
public final class BrokenProtocol {
    private static Map.Entry<Set<String>, ProtocolLoader> newest;

    private BrokenProtocol() {
    }

    /**
     * What is run there.
     *
     * @param <T> its result
     */
    @FunctionalInterface
    public interface Task<T> extends Serializable {
        /** Runs it. */
        T run();
    }

    /** Runs a task with these bugs, of {@link ProtocolBugs}; without any it is just run. */
    @SuppressWarnings("unchecked") // it is the copy of a T
    public static <T> T call(Set<String> bugs, Task<T> task) {
        if (bugs.isEmpty()) {
            return task.run();
        }
        ProtocolLoader loader = loader(Set.copyOf(bugs));
        try {
            Method inside = loader.loadClass(BrokenProtocol.class.getName()).getDeclaredMethod("inside", byte[].class);
            inside.setAccessible(true);
            return (T) Crossing.read((byte[]) inside.invoke(null, Crossing.write(task)));
        } catch (InvocationTargetException e) {
            throw ofHere(e.getCause());
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    private static byte[] inside(byte[] task) {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(BrokenProtocol.class.getClassLoader());
        try {
            return Crossing.write(((Task<?>) Crossing.read(task)).run());
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    /** Only the newest one is kept: it takes much memory, and tests have one bug after the other. */
    private static synchronized ProtocolLoader loader(Set<String> bugs) {
        if (newest == null || !newest.getKey().equals(bugs)) {
            newest = Map.entry(bugs, new ProtocolLoader(ProtocolLoader.nameHere(), ProtocolBugs.compiled(bugs),
                ProtocolLoader::changeHere));
        }
        return newest.getValue();
    }

    /** What was thrown where the classes are others, as it can be thrown here. */
    public static RuntimeException ofHere(Throwable thrown) {
        if (thrown.getClass().getName().equals(MisuseException.class.getName())) {
            return new MisuseException(thrown.getMessage()); // the same class, of the other loader
        }
        if (thrown instanceof Error error) {
            throw error;
        }
        return new IllegalStateException("a simulation broke down: " + thrown, thrown);
    }
}
