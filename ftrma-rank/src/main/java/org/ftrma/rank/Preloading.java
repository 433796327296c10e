package org.ftrma.rank;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.util.concurrent.locks.LockSupport;
import org.ftrma.FtrmaException;
import org.ftrma.Program;
import org.ftrma.rank.control.RankOptions;
import org.ftrma.spi.ControlPlane;
import org.ftrma.ucx.UcxFabric;
import org.ftrma.ucx.UcxOptions;
import org.ftrma.xor.ReedSolomon;
import org.ftrma.xor.XorCode;

/**
 * What a spare does while it has no role, so that it takes over at once: it loads the program's class and, by opening a
 * fabric and closing it again, UCX with all its bindings; it links what streamed puts need, finds out what processor
 * and system have, has the loops of parities compiled, and has the program warm up. Afterwards it holds memory for
 * classes and nothing else. Data thread.
 */
final class Preloading {
    /** A process that is a member from the start hears of its role sooner than this. */
    private static final long ROLE_NANOS = 30_000_000L;

    private final RankOptions options;
    private final ClassLoader program;
    private final boolean replacement;

    Preloading(RankOptions options, int process, ClassLoader program) {
        this.options = options;
        this.program = program;
        this.replacement = options.isReplacement(process);
    }

    void whileSpare(ControlPlane control) {
        long end = System.nanoTime() + ROLE_NANOS;
        while (!control.ready()) {
            long left = end - System.nanoTime();
            if (left <= 0) {
                preload(control);
                return;
            }
            LockSupport.parkNanos(left);
        }
    }

    /** Makes parities, and images rebuilt from them, fast from the first byte on. */
    void parityLoops() {
        int size = options.groupSize() > 0 ? options.groupSize() : 2;
        XorCode.compile(size);
        if (options.losses() > 1) {
            new ReedSolomon(size, options.losses()).compile();
        }
    }

    /** What is missing is reported when it is really needed. */
    private void preload(ControlPlane control) {
        try {
            Class.forName(options.mainClass(), false, program);
            new UcxFabric(UcxOptions.of(UcxOptions.Path.AUTO)).close();
            UcxFabric.preload();
            if (replacement) {
                parityLoops();
            }
        } catch (ClassNotFoundException | LinkageError | FtrmaException e) {
            Thread.onSpinWait();
        }
        if (replacement && !control.ready()) {
            warmUp();
        }
    }

    /** As {@link Program#warmUp} says. */
    private void warmUp() {
        Class<?> main;
        try {
            main = Class.forName(options.mainClass(), false, program);
        } catch (ClassNotFoundException | LinkageError e) {
            return; // reported when it is really needed
        }
        try {
            Program made = made(main);
            if (made != null) {
                made.warmUp();
            }
        } catch (ReflectiveOperationException | RuntimeException | Error e) {
            System.err.println("ftrma: a spare goes on without warmUp of " + options.mainClass() + ": "
                + MainMethod.describe(e instanceof InvocationTargetException thrown ? thrown.getCause() : e));
        }
    }

    /** An object of a main class that is a program, or null. */
    private Program made(Class<?> main) throws ReflectiveOperationException {
        if (!Program.class.isAssignableFrom(main)) {
            return null;
        }
        for (Constructor<?> constructor : main.getDeclaredConstructors()) {
            Class<?>[] parameters = constructor.getParameterTypes();
            boolean takesArguments = parameters.length == 1 && parameters[0] == String[].class;
            if (parameters.length == 0 || takesArguments) {
                constructor.setAccessible(true);
                return (Program) (takesArguments
                    ? constructor.newInstance((Object) options.arguments().toArray(String[]::new))
                    : constructor.newInstance());
            }
        }
        return null;
    }
}
