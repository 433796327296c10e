package org.ftrma.launch.rank;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import org.ftrma.FtrmaException;

/** Calls of the C library that bind a process to its parent, and say how the kernel runs it. Any thread. */
@SuppressWarnings("restricted")
final class PosixProcess {
    private static final int PR_SET_PDEATHSIG = 1;
    private static final long SIGKILL = 9;
    private static final MethodHandle PRCTL = handle("prctl",
        FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG), Linker.Option.firstVariadicArg(1));
    private static final MethodHandle SETPGID = handle("setpgid",
        FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));
    private static final MethodHandle GETPPID = handle("getppid", FunctionDescriptor.of(ValueLayout.JAVA_INT));

    /** Linked when first used: computing ranks do without. */
    private static final class Scheduling {
        static final int SCHED_BATCH = 3;
        static final MethodHandle SETSCHEDULER = handle("sched_setscheduler",
            FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.ADDRESS));
    }

    private PosixProcess() {
    }

    private static MethodHandle handle(String name, FunctionDescriptor type, Linker.Option... options) {
        SymbolLookup library = Linker.nativeLinker().defaultLookup();
        return Linker.nativeLinker().downcallHandle(library.find(name).orElseThrow(
            () -> new FtrmaException(FtrmaException.Category.SETUP, "the C library has no function " + name + "; ftRMA runs on Linux")),
                type, options);
    }

    /**
     * Has the kernel kill this process when its parent ends, and takes it out of the terminal's group so that Ctrl-C reaches the launcher
     * only.
     *
     * @param parentPid who the parent should be
     * @return false if that parent is gone already
     */
    static boolean bindToParent(long parentPid) {
        try {
            int status = (int) PRCTL.invokeExact(PR_SET_PDEATHSIG, SIGKILL);
            if (status != 0) {
                throw new FtrmaException(FtrmaException.Category.SETUP,
                    "prctl(PR_SET_PDEATHSIG) failed; ranks could outlive their launcher");
            }
            // A failure only means that Ctrl-C reaches this process too.
            int ignored = (int) SETPGID.invokeExact(0, 0);
            return (int) GETPPID.invokeExact() == parentPid;
        } catch (FtrmaException e) {
            throw e;
        } catch (Throwable e) {
            throw new FtrmaException(FtrmaException.Category.SETUP, "calling the C library failed: " + e, e);
        }
    }

    /**
     * Has the kernel take this thread for one that computes in the background: it has its share of the processor, but when it wakes up it does not push
     * aside who runs. A kernel that refuses goes on as before.
     */
    static void runInBackground() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment priority = arena.allocateFrom(ValueLayout.JAVA_INT, 0);
            int ignored = (int) Scheduling.SETSCHEDULER.invokeExact(0, Scheduling.SCHED_BATCH, priority);
        } catch (FtrmaException e) {
            throw e;
        } catch (Throwable e) {
            throw new FtrmaException(FtrmaException.Category.SETUP, "calling the C library failed: " + e, e);
        }
    }
}
