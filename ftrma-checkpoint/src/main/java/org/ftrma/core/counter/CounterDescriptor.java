package org.ftrma.core.counter;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * The layout of a process's counters: little-endian, all words naturally aligned. Nothing in it names the process, so
 * that the file of a dead one says the same wherever it is read.
 *
 * <pre>
 *   counters   | header: 64 bytes | 16 numbers of 8 bytes | 8 states of 128 bytes |
 *
 *   header       0 magic "ftrmaCNT"; stored last   8 version (4)   12 bytes of all (4)   16 member (4), -1: none
 *               20 incarnation (4)   24 states in use (4)
 *
 *   number       8 bytes, at 64 + 8 * ordinal of the {@link Counter}
 *
 *   state        0 changes &lt;&lt; 1, + 1 while one is being written   8 since when, ns of the job's clock
 *               16 ordinal of the state (4)   24 of what: 40 characters   64 the state's name: 40 characters
 *
 *   characters   ASCII, and zeros up to the end
 * </pre>
 *
 * <p>One thread writes. The names are there since a reader need not know the states of this version, nor load them.
 * Immutable; any thread.
 */
final class CounterDescriptor {
    /** "ftrmaCNT", as bytes. */
    static final long MAGIC = 0x544e43616d727466L;
    static final int VERSION = 1;
    static final int NUMBERS = 16;
    static final int STATES = 8;
    static final int NO_MEMBER = -1;
    static final int TEXT_BYTES = 40;

    static final int MAGIC_AT = 0;
    static final int VERSION_AT = 8;
    static final int BYTES_AT = 12;
    static final int MEMBER_AT = 16;
    static final int INCARNATION_AT = 20;
    static final int STATES_AT = 24;
    static final int HEADER_BYTES = 64;

    /** Within a state. */
    static final int CHANGES = 0;
    static final int SINCE = 8;
    static final int ORDINAL = 16;
    static final int OF_WHAT = 24;
    static final int NAME = 64;
    static final int STATE_BYTES = 128;

    private static final int FIRST_STATE = HEADER_BYTES + NUMBERS * Long.BYTES;
    /** All of it. */
    static final int BYTES = FIRST_STATE + STATES * STATE_BYTES;

    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle LONGS = LONG.varHandle();
    private static final VarHandle INTS = INT.varHandle();

    private CounterDescriptor() {
    }

    /** Where a number is. */
    static long at(Counter counter) {
        return HEADER_BYTES + (long) counter.ordinal() * Long.BYTES;
    }

    /** Where a state is. */
    static long state(int index) {
        return FIRST_STATE + (long) index * STATE_BYTES;
    }

    static long getLong(MemorySegment memory, long offset) {
        return (long) LONGS.getAcquire(memory, offset);
    }

    static int getInt(MemorySegment memory, long offset) {
        return (int) INTS.getAcquire(memory, offset);
    }

    /** What was stored before is seen by who sees this. */
    static void putLong(MemorySegment memory, long offset, long value) {
        LONGS.setRelease(memory, offset, value);
    }

    /** As {@link #putLong}. */
    static void putInt(MemorySegment memory, long offset, int value) {
        INTS.setRelease(memory, offset, value);
    }

    /** What does not fit is left out. Without a copy of the text, since the data thread allocates nothing for it. */
    static void putText(MemorySegment memory, long offset, String text) {
        for (int i = 0; i < TEXT_BYTES; i++) {
            char character = i < text.length() ? text.charAt(i) : 0;
            memory.set(ValueLayout.JAVA_BYTE, offset + i, (byte) (character < 0x80 ? character : '?'));
        }
    }

    /** What is there, whatever it is, as text that can be printed. */
    static String getText(MemorySegment memory, long offset) {
        StringBuilder text = new StringBuilder(TEXT_BYTES);
        for (int i = 0; i < TEXT_BYTES; i++) {
            byte character = memory.get(ValueLayout.JAVA_BYTE, offset + i);
            if (character == 0) {
                break;
            }
            text.append(character >= ' ' && character < 0x7f ? (char) character : '?');
        }
        return text.toString();
    }
}
