package org.ftrma.rank;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.util.concurrent.locks.LockSupport;
import org.ftrma.FtrmaException;
import org.ftrma.Program;
import org.ftrma.options.JobOptions;
import org.ftrma.options.Protocol;
import org.ftrma.rank.control.RankOptions;
import org.ftrma.rank.control.SocketControlPlane;
import org.ftrma.rank.rehearsal.Rehearsal;
import org.ftrma.rank.rehearsal.RehearsedAccesses;
import org.ftrma.rank.rehearsal.RehearsedMessages;
import org.ftrma.ucx.UcxFabric;
import org.ftrma.ucx.UcxOptions;
import org.ftrma.xor.ReedSolomon;
import org.ftrma.xor.XorCode;

/**
 * Prepares an idle spare to take over at once. It loads the program's class and, by opening a fabric and closing it
 * again, UCX with all its bindings; it links what streamed puts need, finds out what processor and system have, has the
 * loops of parities compiled, and has the program warm up and rehearse. Afterwards it holds memory for classes, and
 * what the fabric was told to provide. Data thread.
 */
final class Preloading {
    /** A process that is a member from the start hears of its role sooner than this. */
    private static final long ROLE_NANOS = 30_000_000L;

    /** So often, and so long at most, a spare rehearses: most is compiled then. */
    private static final int REHEARSALS = 4;
    private static final long REHEARSAL_NANOS = 30_000_000_000L;
    private static final long PATIENCE_NANOS = 1_000_000_000L;

    private final RankOptions options;
    private final ClassLoader program;
    private final boolean replacement;
    private boolean warm;
    private boolean rehearsed;

    Preloading(RankOptions options, int process, ClassLoader program) {
        this.options = options;
        this.program = program;
        this.replacement = options.isReplacement(process);
    }

    void whileSpare(SocketControlPlane control) {
        long end = System.nanoTime() + ROLE_NANOS;
        while (!control.isAsked()) {
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
    private void preload(SocketControlPlane control) {
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
        if (replacement && !control.isAsked()) {
            warmUp();
        }
    }

    /** As {@link Program#warmUp} says. */
    private void warmUp() {
        warm = true;
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
            RankMessages.warn("a spare goes on without warmUp of " + options.mainClass() + ": "
                + MainMethod.describe(e instanceof InvocationTargetException thrown ? thrown.getCause() : e));
        }
    }

    /**
     * A small job inside of this process, again and again, as {@link Program#rehearsal} says. What it needs to know of
     * the real job it knows when that has begun; it lets a while pass, since processes have much to compile then.
     */
    void rehearse(JobOptions job, SocketControlPlane control) {
        if (replacement && !warm && !control.isAsked()) {
            warmUp(); // the job had begun before this process was there
        }
        if (!replacement || rehearsed || !job.protocol().takesCheckpoints()) {
            return;
        }
        rehearsed = true;
        long begin = System.nanoTime() + PATIENCE_NANOS;
        for (long left = PATIENCE_NANOS; left > 0 && !control.isAsked(); left = begin - System.nanoTime()) {
            LockSupport.parkNanos(this, left);
        }
        try {
            Class<?> main = Class.forName(options.mainClass(), false, program);
            boolean isOwn = rehearsalOf(main) != null;
            long end = System.nanoTime() + REHEARSAL_NANOS;
            for (int i = 0; i < REHEARSALS && System.nanoTime() < end && !control.isAsked(); i++) {
                new Rehearsal(job.protocol(), new SystemClock(true, true),
                    () -> isOwn ? rehearsalOf(main) : ownRehearsal(job.protocol()), control::isAsked).run(end);
            }
        } catch (ClassNotFoundException | RuntimeException | Error e) {
            RankMessages.warn("a spare goes on without rehearsal of " + options.mainClass() + ": "
                + MainMethod.describe(e));
        }
    }

    private static Program ownRehearsal(Protocol protocol) {
        return protocol.logsMessages() ? new RehearsedMessages() : new RehearsedAccesses();
    }

    private Program rehearsalOf(Class<?> main) {
        try {
            Program made = made(main);
            return made == null ? null : made.rehearsal();
        } catch (InvocationTargetException e) {
            throw new IllegalStateException(MainMethod.describe(e.getCause()), e.getCause());
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e.toString(), e);
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
