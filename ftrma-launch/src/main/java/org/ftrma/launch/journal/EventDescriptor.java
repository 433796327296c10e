package org.ftrma.launch.journal;

import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * The layout of an event log: little-endian, all words naturally aligned. A log is a row of segments, files of a fixed
 * size; of a long one the first and the last are kept.
 *
 * <pre>
 *   events-000001, events-000002, ...
 *
 *   segment   | header: 64 bytes | records | zeros |
 *
 *   header      0 magic "ftrmaEVT"; stored last   8 version (4)   12 number of the segment (4)
 *              16 number of its first event, from 0 on   24 when its writer was alive, by the job's
 *              clock   32 the same by the host's clock
 *
 *   record      0 bytes of all, a multiple of 8 (4); stored last, 0: there is none   4 ordinal of the
 *               {@link EventKind} (2)   6 how many numbers (2)   8 when, by the job's clock   16 the same by the
 *               host's clock   24 numbers, 8 bytes each; then bytes of the text (4), the text in UTF-8, and zeros up
 *               to a multiple of 8
 * </pre>
 *
 * <p>Both clocks tell microseconds since 1970. The job's runs evenly from the beginning of the job on; the host's may
 * be set meanwhile, and is what other logs have. One thread writes. Immutable; any thread.
 */
final class EventDescriptor {
    /** "ftrmaEVT", as bytes. */
    static final long MAGIC = 0x54564561_6d727466L;
    static final int VERSION = 2;
    static final int SEGMENT_BYTES = 1 << 18;
    /** Of a long log: from its beginning, and up to its end. */
    static final int FIRST_SEGMENTS = 4;
    static final int LAST_SEGMENTS = 12;
    static final int MOST_TEXT_BYTES = 1 << 14;

    static final int MAGIC_AT = 0;
    static final int VERSION_AT = 8;
    static final int SEGMENT_AT = 12;
    static final int FIRST_AT = 16;
    static final int ALIVE_AT = 24;
    static final int ALIVE_WALL_AT = 32;
    static final int HEADER_BYTES = 64;

    /** Within a record. */
    static final int LENGTH = 0;
    static final int KIND = 4;
    static final int COUNT = 6;
    static final int MICROS = 8;
    static final int WALL = 16;
    static final int NUMBERS = 24;

    static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG.withOrder(ByteOrder.LITTLE_ENDIAN);
    static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT.withOrder(ByteOrder.LITTLE_ENDIAN);
    /** Behind numbers a length is at a multiple of 8; a record's own always is. */
    static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT.withOrder(ByteOrder.LITTLE_ENDIAN);
    static final VarHandle LONGS = LONG.varHandle();
    static final VarHandle INTS = INT.varHandle();

    private EventDescriptor() {
    }

    /** The file of a segment. */
    static String file(int segment) {
        return String.format(java.util.Locale.ROOT, "events-%06d", segment);
    }

    /** Bytes of a record. */
    static int length(int numbers, int textBytes) {
        return NUMBERS + numbers * Long.BYTES + Integer.BYTES + textBytes + 7 & -8;
    }
}
