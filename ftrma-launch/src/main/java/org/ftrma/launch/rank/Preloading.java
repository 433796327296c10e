package org.ftrma.launch.rank;

import java.util.concurrent.locks.LockSupport;
import org.ftrma.FtrmaException;
import org.ftrma.spi.ControlPlane;
import org.ftrma.ucx.UcxFabric;
import org.ftrma.ucx.UcxOptions;
import org.ftrma.xor.ReedSolomon;
import org.ftrma.xor.XorCode;

/**
 * What a spare does while it has no role, so that it takes over at once: it loads the program's class and, by opening a fabric and
 * closing it again, UCX with all its bindings; it links what streamed puts need, finds out what processor and system have, and has the
 * loops of parities compiled. Afterwards it holds memory for classes and nothing else. Data thread.
 */
final class Preloading {
    /** A process that is a member from the start hears of its role sooner than this. */
    private static final long ROLE_NANOS = 30_000_000L;

    private Preloading() {
    }

    static void whileSpare(ControlPlane control, String mainClass) {
        long end = System.nanoTime() + ROLE_NANOS;
        while (!control.ready()) {
            long left = end - System.nanoTime();
            if (left <= 0) {
                preload(mainClass);
                return;
            }
            LockSupport.parkNanos(left);
        }
    }

    /** Makes parities, and images rebuilt from them, fast from the first byte on. */
    static void parityLoops() {
        int size = Integer.getInteger(RankMain.GROUP, 2);
        XorCode.compile(size);
        int losses = Integer.getInteger(RankMain.LOSSES, 1);
        if (losses > 1) {
            new ReedSolomon(size, losses).compile();
        }
    }

    /** What is missing is reported when it is really needed. */
    private static void preload(String mainClass) {
        try {
            Class.forName(mainClass, false, ClassLoader.getSystemClassLoader());
            new UcxFabric(UcxOptions.of(UcxOptions.Path.AUTO)).close();
            UcxFabric.preload();
            if (Boolean.getBoolean(RankMain.REPLACEMENT)) {
                parityLoops();
            }
        } catch (ClassNotFoundException | LinkageError | FtrmaException e) {
            Thread.onSpinWait();
        }
    }
}
