package org.ftrma.xor;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/**
 * A {@link GaloisProduct} by Intel's Intelligent Storage Acceleration Library, {@code isa-l/erasure_code.h}, version 2.
 * One thread at a time.
 */
@SuppressWarnings("restricted")
final class IsaL implements GaloisProduct.Kernel {
    static final String LIBRARY = "libisal.so.2";
    private static final String FIX = " (Debian, Ubuntu: apt-get install libisal2)";
    /** Lengths are an int there; pieces keep them whole cache lines. */
    private static final long PIECE_BYTES = 1 << 30;
    private static final int TABLE_BYTES = 32;
    private static final int ALIGNMENT = 64;
    private static final Native NATIVE = bind();

    /**
     * The functions, or why there are none. {@code void ec_init_tables(int k, int rows, uchar *a, uchar *tables); void
     * ec_encode_data(int len, int k, int rows, uchar *tables, uchar **data, uchar **coding); void
     * ec_encode_data_update(int len, int k, int rows, int vec_i, uchar *tables, uchar *data, uchar **coding)}; the last
     * one's data goes as a number, so that no object is needed for it.
     *
     *
     */
    private record Native(MethodHandle initTables, MethodHandle encode, MethodHandle update, String unavailable) {
    }

    private final int inputs;
    private final int outputs;
    private final MemorySegment tables;
    private final MemorySegment in;
    private final MemorySegment out;

    IsaL(int[][] rows) {
        if (NATIVE.unavailable != null) {
            throw new UnsupportedOperationException(NATIVE.unavailable);
        }
        inputs = rows[0].length;
        outputs = rows.length;
        Arena arena = Arena.ofAuto();
        tables = arena.allocate((long) TABLE_BYTES * inputs * outputs, ALIGNMENT);
        in = arena.allocate(ValueLayout.ADDRESS, inputs);
        out = arena.allocate(ValueLayout.ADDRESS, outputs);
        MemorySegment matrix = arena.allocate((long) inputs * outputs);
        for (int r = 0; r < outputs; r++) {
            for (int i = 0; i < inputs; i++) {
                matrix.set(ValueLayout.JAVA_BYTE, (long) r * inputs + i, (byte) rows[r][i]);
            }
        }
        try {
            NATIVE.initTables.invokeExact(inputs, outputs, matrix, tables);
        } catch (Throwable e) {
            throw new IllegalStateException("ec_init_tables of " + LIBRARY + " failed", e);
        }
    }

    /** Why it cannot be used, with the fix; null where it can. */
    static String unavailable() {
        return NATIVE.unavailable;
    }

    private static Native bind() {
        try {
            SymbolLookup symbols = SymbolLookup.libraryLookup(LIBRARY, Arena.global());
            return new Native(
                handle(symbols, "ec_init_tables", ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.ADDRESS,
                ValueLayout.ADDRESS),
                handle(symbols, "ec_encode_data", ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_INT,
                ValueLayout.ADDRESS,
                    ValueLayout.ADDRESS, ValueLayout.ADDRESS),
                handle(symbols, "ec_encode_data_update", ValueLayout.JAVA_INT, ValueLayout.JAVA_INT,
                ValueLayout.JAVA_INT, ValueLayout.JAVA_INT,
                    ValueLayout.ADDRESS, ValueLayout.JAVA_LONG, ValueLayout.ADDRESS), null);
        } catch (IllegalArgumentException e) {
            return new Native(null, null, null, LIBRARY + " cannot be used: " + e.getMessage() + FIX);
        }
    }

    private static MethodHandle handle(SymbolLookup symbols, String name, ValueLayout... arguments) {
        MemorySegment address = symbols.find(name).orElseThrow(() ->
            new IllegalArgumentException("it has no function " + name));
        return Linker.nativeLinker().downcallHandle(address, FunctionDescriptor.ofVoid(arguments));
    }

    @Override
    public void run(MemorySegment[] from, long[] fromOffsets, MemorySegment[] to, long[] toOffsets, long length,
        boolean add) {
        for (long at = 0; at < length; at += PIECE_BYTES) {
            int bytes = (int) Math.min(PIECE_BYTES, length - at);
            for (int i = 0; i < inputs; i++) {
                in.setAtIndex(ValueLayout.JAVA_LONG, i, from[i].address() + fromOffsets[i] + at);
            }
            for (int r = 0; r < outputs; r++) {
                out.setAtIndex(ValueLayout.JAVA_LONG, r, to[r].address() + toOffsets[r] + at);
            }
            try {
                if (!add) {
                    NATIVE.encode.invokeExact(bytes, inputs, outputs, tables, in, out);
                }
                for (int i = 0; add && i < inputs; i++) {
                    NATIVE.update.invokeExact(bytes, inputs, outputs, i, tables,
                        in.getAtIndex(ValueLayout.JAVA_LONG, i), out);
                }
            } catch (Throwable e) {
                throw new IllegalStateException("ec_encode_data of " + LIBRARY + " failed", e);
            }
        }
    }
}
