package org.ftrma.rank;

import java.util.concurrent.locks.LockSupport;
import org.ftrma.FtrmaException;
import org.ftrma.rank.control.RankOptions;
import org.ftrma.spi.ControlPlane;
import org.ftrma.ucx.UcxFabric;
import org.ftrma.ucx.UcxOptions;
import org.ftrma.xor.ReedSolomon;
import org.ftrma.xor.XorCode;

/**
 * What a spare does while it has no role, so that it takes over at once: it loads the program's class and, by opening a
 * fabric and closing it again, UCX with all its bindings; it links what streamed puts need, finds out what processor
 * and system have, and has the loops of parities compiled. Afterwards it holds memory for classes and nothing else.
 * Data thread.
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
                preload();
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
    private void preload() {
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
    }
}
