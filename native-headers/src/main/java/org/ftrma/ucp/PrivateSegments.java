package org.ftrma.ucp;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/**
 * Makes the System V segments of UCX readable and writable by their user alone.
 *
 * <p>UCX makes them with mode 0660 ({@code UCT_MM_SYSV_PERM}), whatever the umask is: each user
 * of the same group could read and write the memory of a job. No setting changes that, and a mode that is changed later
 * comes too late for who has attached the segment by then. So libucs calls ours in place of {@code shmget}, which takes
 * group and others out of the mode. That a segment is made takes longer by less than a microsecond.
 */
@SuppressWarnings("restricted")
public final class PrivateSegments {
    private static final int GROUP_AND_OTHERS = 0077;
    private static final FunctionDescriptor DESCRIPTOR = FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_INT);

    private static MethodHandle shmget;

    private PrivateSegments() {
    }

    /**
     * Whether UCX makes such segments from now on: not where its library does not import the function. Before anything
     * is allocated; nothing more happens when called again.
     */
    public static synchronized boolean install() {
        if (shmget != null) {
            return true;
        }
        try {
            Linker linker = Linker.nativeLinker();
            MethodHandle original = linker.downcallHandle(linker.defaultLookup().findOrThrow("shmget"), DESCRIPTOR);
            // In the global arena, like the library itself: called until the process ends.
            long ours = linker.upcallStub(MethodHandles.lookup().findStatic(PrivateSegments.class, "make",
                MethodType.methodType(int.class, int.class, long.class, int.class)), DESCRIPTOR, Arena.global())
                .address();
            shmget = original;
            if (!ElfImports.replace(ElfImports.mappings(), "/libucs.so.0", "shmget", ours)) {
                shmget = null;
                return false;
            }
            return true;
        } catch (IOException | ReflectiveOperationException e) {
            throw new UcpUnavailableException("the mode of shared memory of UCX cannot be changed", e);
        }
    }

    /** Called instead of {@code shmget(key, size, flags)}. */
    @SuppressWarnings("unused") // by name, above
    private static int make(int key, long bytes, int flags) {
        try {
            return (int) shmget.invokeExact(key, bytes, flags & ~GROUP_AND_OTHERS);
        } catch (Throwable t) {
            return -1; // nothing may be thrown through UCX
        }
    }
}
