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
 *   counters   | header: 128 bytes | 48 numbers of 8 bytes | 8 states of 128 bytes | 12 waits of 64 bytes |
 *
 *   header       0 magic "ftrmaCNT"; stored last   8 version (4)   12 bytes of all (4)   16 member (4), -1: none
 *               20 incarnation (4)   24 states in use (4)   28 waits in use (4)   32 host: 64 characters
 *
 *   number       8 bytes, at 128 + 8 * ordinal of the {@link Counter}
 *
 *   state        0 changes &lt;&lt; 1, + 1 while one is being written   8 since when, ns of the job's clock
 *               16 ordinal of the state (4)   24 of what: 40 characters   64 the state's name: 40 characters
 *
 *   wait         0 how often   8 nanoseconds in all   16 for what: 40 characters; the last one is for all others
 *
 *   characters   ASCII, and zeros up to the end
 * </pre>
 *
 * <p>One thread writes, but for the heartbeat, which another one does. The names are there since a reader need not know
 * the states of this version, nor load them. Immutable; any thread.
 */
final class CounterDescriptor {
    /** "ftrmaCNT", as bytes. */
    static final long MAGIC = 0x544e43616d727466L;
    static final int VERSION = 2;
    static final int NUMBERS = 48;
    static final int STATES = 8;
    static final int NO_MEMBER = -1;
    static final int WAITS = 12;
    static final int TEXT_BYTES = 40;
    static final int HOST_BYTES = 64;

    static final int MAGIC_AT = 0;
    static final int VERSION_AT = 8;
    static final int BYTES_AT = 12;
    static final int MEMBER_AT = 16;
    static final int INCARNATION_AT = 20;
    static final int STATES_AT = 24;
    static final int WAITS_AT = 28;
    static final int HOST_AT = 32;
    static final int HEADER_BYTES = 128;

    /** Within a state. */
    static final int CHANGES = 0;
    static final int SINCE = 8;
    static final int ORDINAL = 16;
    static final int OF_WHAT = 24;
    static final int NAME = 64;
    static final int STATE_BYTES = 128;

    /** Within a wait. */
    static final int WAIT_COUNT = 0;
    static final int WAIT_NANOS = 8;
    static final int WAIT_WHAT = 16;
    static final int WAIT_BYTES = 64;

    private static final int FIRST_STATE = HEADER_BYTES + NUMBERS * Long.BYTES;
    /** All of it. */
    static final int BYTES = FIRST_STATE + STATES * STATE_BYTES + WAITS * WAIT_BYTES;

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

    /** Where a kind of waits is. */
    static long wait(int index) {
        return FIRST_STATE + (long) STATES * STATE_BYTES + (long) index * WAIT_BYTES;
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
        putText(memory, offset, text, TEXT_BYTES);
    }

    /** As above, with room for so many. */
    static void putText(MemorySegment memory, long offset, String text, int bytes) {
        for (int i = 0; i < bytes; i++) {
            char character = i < text.length() ? text.charAt(i) : 0;
            memory.set(ValueLayout.JAVA_BYTE, offset + i, (byte) (character < 0x80 ? character : '?'));
        }
    }

    /** What is there, whatever it is, as text that can be printed. */
    static String getText(MemorySegment memory, long offset) {
        return getText(memory, offset, TEXT_BYTES);
    }

    /** As above, of so many bytes at most. */
    static String getText(MemorySegment memory, long offset, int bytes) {
        StringBuilder text = new StringBuilder(bytes);
        for (int i = 0; i < bytes; i++) {
            byte character = memory.get(ValueLayout.JAVA_BYTE, offset + i);
            if (character == 0) {
                break;
            }
            text.append(character >= ' ' && character < 0x7f ? (char) character : '?');
        }
        return text.toString();
    }
}
