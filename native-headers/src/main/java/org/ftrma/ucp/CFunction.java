package org.ftrma.ucp;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import java.util.Arrays;
import java.util.NoSuchElementException;

/**
 * A C function with at most six parameters, all of them integers or pointers, for calls that are made when a process
 * starts or something goes wrong.
 *
 * <p>The linker spins some ten classes for each type of function, which took a starting rank a quarter of a second with
 * twenty of them. So all these functions are called as one type, of six 64-bit words and with one as result. Linux on
 * x86-64 and on aarch64 passes each integer and pointer in a register of its own, up to six and eight of them; a callee
 * looks at no other registers than its parameters', and at the lower half of one that holds an int, whether it is
 * variadic or not. Of a result narrower than a word only its own bits mean something: a caller casts it.
 *
 * <p>Any thread. Not for data paths: each call allocates.
 */
@SuppressWarnings("restricted")
public final class CFunction {
    /** Most parameters of a function called in this way. */
    public static final int MOST_PARAMETERS = 6;

    private static final Linker LINKER = Linker.nativeLinker();
    private static final StructLayout CALL_STATE = Linker.Option.captureStateLayout(); // one int on Linux: errno
    private static final MethodHandle CALL = LINKER.downcallHandle(
        FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG),
        Linker.Option.captureCallState("errno"));

    private final MemorySegment address;

    CFunction(MemorySegment address) {
        this.address = address;
    }

    /**
     * A function of the C library.
     *
     * @throws NoSuchElementException if it has none of this name
     */
    public static CFunction ofLibc(String name) {
        return new CFunction(LINKER.defaultLookup().findOrThrow(name));
    }

    /**
     * Calls it.
     *
     * @param arguments integers, or addresses of what stays where it is until the call returns
     * @return the register of the result, to be cast to the type that the function returns; anything if it returns
     *     nothing
     */
    public long call(long... arguments) {
        try (Arena arena = Arena.ofConfined()) {
            return call(arena.allocate(CALL_STATE), arguments);
        }
    }

    /** Calls a function that returns an int, zero for success: 0, or the error number. */
    public int errorOf(long... arguments) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = arena.allocate(CALL_STATE);
            return (int) call(state, arguments) == 0 ? 0 : state.get(JAVA_INT, 0);
        }
    }

    private long call(MemorySegment state, long[] arguments) {
        if (arguments.length > MOST_PARAMETERS) {
            throw new IllegalArgumentException(arguments.length + " arguments: at most " + MOST_PARAMETERS);
        }
        long[] words = Arrays.copyOf(arguments, MOST_PARAMETERS);
        try {
            return (long) CALL.invokeExact(address, state, words[0], words[1], words[2], words[3], words[4], words[5]);
        } catch (Throwable t) {
            throw Rethrow.unchecked(t);
        }
    }
}
