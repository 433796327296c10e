package org.ftrma.rank;

import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.util.NoSuchElementException;
import org.ftrma.FtrmaException;
import org.ftrma.ucp.CFunction;

/** Calls of the C library that bind a process to its parent, and say how the kernel runs it. Any thread. */
final class PosixProcess {
    private static final int PR_SET_PDEATHSIG = 1;
    private static final long SIGKILL = 9;
    private static final int SCHED_BATCH = 3;
    private static final CFunction PRCTL = function("prctl");
    private static final CFunction SETPGID = function("setpgid");
    private static final CFunction GETPPID = function("getppid");
    private static final CFunction SETSCHEDULER = function("sched_setscheduler");

    private PosixProcess() {
    }

    private static CFunction function(String name) {
        try {
            return CFunction.ofLibc(name);
        } catch (NoSuchElementException e) {
            throw new FtrmaException(FtrmaException.Category.SETUP,
                "the C library has no function " + name + "; ftRMA runs on Linux", e);
        }
    }

    /**
     * Has the kernel kill this process when its parent ends, and takes it out of the terminal's group so that Ctrl-C
     * reaches the launcher only.
     *
     * @param parentPid who the parent should be
     * @return false if that parent is gone already
     */
    static boolean bindToParent(long parentPid) {
        if ((int) PRCTL.call(PR_SET_PDEATHSIG, SIGKILL) != 0) {
            throw new FtrmaException(FtrmaException.Category.SETUP,
                "prctl(PR_SET_PDEATHSIG) failed; ranks could outlive their launcher");
        }
        SETPGID.call(0, 0); // a failure only means that Ctrl-C reaches this process too
        return (int) GETPPID.call() == parentPid;
    }

    /**
     * Has the kernel take this thread for one that computes in the background: it has its share of the processor, but
     * when it wakes up it does not push aside who runs. A kernel that refuses goes on as before.
     */
    static void runInBackground() {
        try (Arena arena = Arena.ofConfined()) {
            SETSCHEDULER.call(0, SCHED_BATCH, arena.allocateFrom(ValueLayout.JAVA_INT, 0).address());
        }
    }
}
