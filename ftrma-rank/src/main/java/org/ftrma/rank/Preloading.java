package org.ftrma.rank;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.util.concurrent.locks.LockSupport;
import org.ftrma.FtrmaException;
import org.ftrma.Program;
import org.ftrma.options.JobOptions;
import org.ftrma.rank.control.RankOptions;
import org.ftrma.rank.rehearsal.Rehearsal;
import org.ftrma.rank.rehearsal.RehearsedAccesses;
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

    private static final int REHEARSALS = 4;
    private static final long REHEARSAL_NANOS = 5_000_000_000L;

    private final RankOptions options;
    private final ClassLoader program;
    private boolean rehearsed;
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

    /**
     * A small job inside of this process, again and again, as {@link Program#rehearsal} says: what it needs of the real
     * job is known.
     */
    void rehearse(JobOptions job, ControlPlane control) {
        if (!replacement || rehearsed || !job.protocol().recoversLocally()) {
            return;
        }
        rehearsed = true;
        try {
            Class<?> main = Class.forName(options.mainClass(), false, program);
            boolean hasOwn = hasOwnRehearsal(main);
            if (!hasOwn && job.protocol().logsMessages()) {
                return; // it would have to exchange messages
            }
            long end = System.nanoTime() + REHEARSAL_NANOS;
            for (int i = 0; i < REHEARSALS && System.nanoTime() < end && !control.ready(); i++) {
                new Rehearsal(job.protocol(), () -> hasOwn ? rehearsalOf(main) : new RehearsedAccesses(),
                    control::ready).run(end);
            }
        } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
            Thread.onSpinWait(); // its first steps take longer then
        }
    }

    private boolean hasOwnRehearsal(Class<?> main) throws ReflectiveOperationException {
        Program made = made(main);
        return made != null && made.rehearsal() != null;
    }

    private Program rehearsalOf(Class<?> main) {
        try {
            return made(main).rehearsal();
        } catch (ReflectiveOperationException e) {
            throw new FtrmaException(FtrmaException.Category.FATAL, "no rehearsal of " + main.getName(), e);
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
