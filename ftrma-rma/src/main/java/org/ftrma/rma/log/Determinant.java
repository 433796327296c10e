package org.ftrma.rma.log;

import org.ftrma.AtomicOp;
import org.ftrma.DataType;

/**
 * The determinant of an access (section 3.2.3 of the paper): all that a log record says of it but its data. It is
 * filled by name, a counter at a time, so that none can take another one's place. One object serves for all accesses of
 * a log: it is filled anew for each one, and a writer copies it into the record; nobody keeps it. Data thread only;
 * allocates nothing.
 *
 * <p>{@code new Determinant().access(LogDescriptor.PUT, window, 0, offset).ec(5).gc(3).sc(0).gnc(9)}
 */
public final class Determinant {
    private static final int WINDOW = 8;
    private static final int CODE = 16;
    private static final int MORE = LogDescriptor.FLAG_MORE << LogDescriptor.FLAGS;
    private static final int BYTE = 255;

    /** Kind, window, code and flags as a record has them. */
    private int what;
    private long offset;
    private long ec;
    private long gc;
    private long sc;
    private long gnc;
    private long update;

    /**
     * Begins with what was done, and where. The counters are still those of before.
     *
     * @param kind a kind of {@link LogDescriptor}
     * @param window number of the window, up to 255
     * @param code {@link LogDescriptor#code}, or 0
     * @param at offset in the window, in bytes
     */
    public Determinant access(int kind, int window, int code, long at) {
        what = kind | window << WINDOW | code << CODE;
        offset = at;
        return this;
    }

    /**
     * As {@link #access}, {@link #lockEvents} and {@link #gnc} in one. What is the same as before is not stored again:
     * a processor that writes records has more room for comparisons than for stores.
     */
    Determinant next(int kind, int window, long at, long events, long collectives) {
        int word = kind | window << WINDOW;
        if (what != word) {
            what = word;
        }
        if (gc != events) {
            gc = events;
        }
        if (gnc != collectives) {
            gnc = collectives;
        }
        offset = at;
        return this;
    }

    /** As above, of an atomic update or a compare-and-swap. */
    Determinant update(int kind, int window, AtomicOp op, DataType type, long at) {
        return access(kind, window, LogDescriptor.code(op, type), at);
    }

    /** The number of the epoch that the access belongs to. */
    public Determinant ec(long epoch) {
        ec = epoch;
        return this;
    }

    /** The flushes that were issued. */
    public Determinant gc(long flushes) {
        gc = flushes;
        return this;
    }

    /** In the place of GC, in a log of puts and in the log of locks: how many locks were taken and given back. */
    public Determinant lockEvents(long events) {
        gc = events;
        return this;
    }

    /** The number of the lock acquisition at the target, with {@link LogDescriptor#SHARED}, or 0. */
    public Determinant sc(long acquisition) {
        sc = acquisition;
        return this;
    }

    /** The gsyncs and other collectives that were completed. */
    public Determinant gnc(long collectives) {
        gnc = collectives;
        return this;
    }

    /** In a log of puts: the number of the atomic update. Only {@link LogWriter#appendUpdate} looks at it. */
    public Determinant numbered(long number) {
        update = number;
        return this;
    }

    /** The record has the access from this offset on, and not all of it if it goes on in the next record. */
    void part(long from, boolean goesOn) {
        offset = from;
        what = goesOn ? what | MORE : what & ~MORE;
    }

    /** The same access is written in another form. */
    void kind(int kind) {
        what = what & ~BYTE | kind;
    }

    /** Becomes the same as another one. */
    void copy(Determinant other) {
        what = other.what;
        offset = other.offset;
        ec = other.ec;
        gc = other.gc;
        sc = other.sc;
        gnc = other.gnc;
    }

    /** Whether it is the same access, with the same counters. */
    boolean is(Determinant other) {
        return what == other.what && offset == other.offset && ec == other.ec && gc == other.gc && sc == other.sc
            && gnc == other.gnc;
    }

    /** Whether it is an access without a code of that kind, at that place. */
    boolean isAt(int kind, int window, long at) {
        return what == (kind | window << WINDOW) && offset == at;
    }

    /** Kind, window, code and flags as a record has them. */
    int what() {
        return what;
    }

    /** Kind of the access. */
    public int kind() {
        return what & BYTE;
    }

    /** Number of the window. */
    public int window() {
        return what >>> WINDOW & BYTE;
    }

    /** Operation and type. */
    public int code() {
        return what >>> CODE & BYTE;
    }

    /** Offset in the window, in bytes. */
    public long offset() {
        return offset;
    }

    /** Number of the epoch. */
    public long ec() {
        return ec;
    }

    /** Flushes, or lock events. */
    public long gc() {
        return gc;
    }

    /** Number of the lock acquisition. */
    public long sc() {
        return sc;
    }

    /** Collectives. */
    public long gnc() {
        return gnc;
    }

    /** Number of the atomic update. */
    public long update() {
        return update;
    }

    @Override
    public String toString() {
        return LogDescriptor.kindName(kind()) + " window=" + window() + " offset=" + offset + " EC=" + ec + " GC=" + gc
            + " GNC=" + gnc + " SC=" + (sc & ~LogDescriptor.SHARED)
            + ((sc & LogDescriptor.SHARED) != 0 ? " (shared)" : "");
    }
}
