package org.ftrma;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.Test;

/** Small protected things: what is set is there, also for who looks at the same memory anew, and costs no object. */
class CellsTest {
    private static final int ROUNDS = 200_000;

    private static final CellGate OPEN = new CellGate(job(true), "cell", "cell");

    private record Every(boolean a, long b, byte c, short d, char e, int f, float g, double h) {
    }

    private record Pair(int round, double residual) {
    }

    private record Named(int round, String name) {
    }

    private record Nothing() {
    }

    /** A job that answers one question. */
    private static Job job(boolean hasState) {
        return (Job) Proxy.newProxyInstance(Job.class.getClassLoader(), new Class<?>[] {Job.class},
            (proxy, method, arguments) -> {
                assertEquals("hasState", method.getName());
                return hasState;
            });
    }

    @Test
    void aCellIsNotReadBeforeItsStateIsThere() {
        CellGate closed = new CellGate(job(false), "protectLong", "sum");
        LongCell cell = new LongCell(memory(8), closed);
        cell.set(1);
        MisuseException e = assertThrows(MisuseException.class, cell::get);
        assertTrue(e.getMessage().contains("protectLong sum: is read before the first step"), e.getMessage());
        assertThrows(MisuseException.class, () -> cell.add(1));
        assertThrows(MisuseException.class, () -> new DoubleCell(memory(8), closed).get());
        assertThrows(MisuseException.class,
            () -> new RecordCell<>(RecordShape.of("cell", Pair.class), memory(16), closed).get());
        assertEquals("1", cell.toString());
    }

    private static MemorySegment memory(long bytes) {
        return Arena.ofAuto().allocate(bytes, 8);
    }

    private static <R extends Record> RecordCell<R> cell(Class<R> type, MemorySegment memory) {
        return new RecordCell<>(RecordShape.of("cell", type), memory, OPEN);
    }

    @Test
    void aRecordHasEveryPrimitive() {
        MemorySegment memory = memory(RecordShape.of("cell", Every.class).bytes());
        assertEquals(40, memory.byteSize());
        assertEquals(new Every(false, 0, (byte) 0, (short) 0, '\0', 0, 0, 0), cell(Every.class, memory).get());
        Every set = new Every(true, Long.MIN_VALUE, (byte) -3, (short) -4, 'ö', 7, -0.0f, Math.E);
        cell(Every.class, memory).set(set);
        assertEquals(set, cell(Every.class, memory).get());
        assertEquals(Math.E, memory.get(ValueLayout.JAVA_DOUBLE, 32));
        assertEquals(set.toString(), cell(Every.class, memory).toString());
    }

    private static void refused(Class<? extends Record> type, String part) {
        MisuseException e = assertThrows(MisuseException.class, () -> RecordShape.of("cell", type));
        assertTrue(e.getMessage().contains(part), e.getMessage());
    }

    @Test
    void whatIsNoRecordOfPrimitivesIsRefused() {
        refused(Named.class, "its component name is a java.lang.String: must be one of boolean, byte, char, "
            + "short, int, long, float, double");
        refused(Nothing.class, "must be a record with components");
        refused(null, "type=null: must be a record");
        assertThrows(MisuseException.class, () -> cell(Pair.class, memory(16)).set(null));
    }

    @Test
    void numbersAreThere() {
        MemorySegment memory = memory(8);
        LongCell number = new LongCell(memory, OPEN);
        assertEquals(0, number.get());
        number.set(40);
        assertEquals(42, number.add(2));
        assertEquals(42, new LongCell(memory, OPEN).get());
        assertEquals("42", number.toString());
        DoubleCell real = new DoubleCell(memory, OPEN);
        real.set(-0.0);
        assertEquals(Long.MIN_VALUE, new LongCell(memory, OPEN).get());
        assertEquals(0.5, real.add(0.5));
        assertEquals("0.5", real.toString());
    }

    /** The same numbers as those of the JDK's generator of that name, from the same state. */
    @Test
    void randomNumbersAreThoseOfTheAlgorithm() {
        MemorySegment memory = memory(ProtectedRandom.BYTES);
        ByteBuffer bytes = ByteBuffer.allocate(32);
        for (int i = 0; i < 4; i++) {
            memory.setAtIndex(ValueLayout.JAVA_LONG, i, 0x0123456789ABCDEFL * (i + 3));
            bytes.putLong(0x0123456789ABCDEFL * (i + 3));
        }
        RandomGenerator expected = RandomGeneratorFactory.of("Xoshiro256PlusPlus").create(bytes.array());
        ProtectedRandom random = new ProtectedRandom(memory, 1, 0);
        for (int i = 0; i < 1000; i++) {
            assertEquals(expected.nextLong(), random.nextLong());
        }
    }

    @Test
    void aGeneratorGoesOnWhereItsMemoryIsAndEachRankHasItsOwn() {
        MemorySegment memory = memory(ProtectedRandom.BYTES);
        RandomGenerator random = new ProtectedRandom(memory, 7, 2);
        long first = random.nextLong();
        byte[] image = memory.toArray(ValueLayout.JAVA_BYTE);
        double second = random.nextGaussian();
        memory.copyFrom(MemorySegment.ofArray(image));
        assertEquals(second, new ProtectedRandom(memory, 8, 2).nextGaussian());
        assertEquals(first, new ProtectedRandom(memory(32), 7, 2).nextLong());
        assertNotEquals(first, new ProtectedRandom(memory(32), 7, 1).nextLong());
        assertNotEquals(first, new ProtectedRandom(memory(32), 8, 2).nextLong());
    }

    private static long use(LongCell number, DoubleCell real, RecordCell<Pair> pair, Pair value,
        RandomGenerator random) {
        for (int i = 0; i < ROUNDS; i++) {
            number.add(random.nextInt(10));
            real.set(real.get() + random.nextDouble());
            pair.set(value);
        }
        return number.get();
    }

    @Test
    void useAllocatesNothing() {
        LongCell number = new LongCell(memory(8), OPEN);
        DoubleCell real = new DoubleCell(memory(8), OPEN);
        RecordCell<Pair> pair = cell(Pair.class, memory(16));
        Pair value = new Pair(3, 0.25);
        RandomGenerator random = new ProtectedRandom(memory(32), 1, 0);
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long least = Long.MAX_VALUE;
        for (int i = 0; i < 20 && least > 0; i++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            use(number, real, pair, value, random);
            least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
        }
        assertTrue(least < ROUNDS / 100, least + " bytes in " + ROUNDS + " rounds");
    }
}
