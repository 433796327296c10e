package org.ftrma.bench.hosts;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Collectors;
import org.ftrma.AtomicOp;
import org.ftrma.DataType;
import org.ftrma.MisuseException;
import org.ftrma.Window;

/**
 * The accesses that are measured, each with its counterpart: tests of ucx_perftest whose times are added. Immutable;
 * any thread.
 */
enum Access {
    /** Complete at the target. */
    PUT_FLUSH_8(Kind.PUT_FLUSH, 8),
    /** Complete at the target. */
    PUT_FLUSH_4K(Kind.PUT_FLUSH, 4 << 10),
    /** Complete at the target. */
    PUT_FLUSH_1M(Kind.PUT_FLUSH, 1 << 20),
    /** Many under way. */
    PUTS_8(Kind.PUTS, 8),
    /** Many under way. */
    PUTS_4K(Kind.PUTS, 4 << 10),
    /** Many under way. */
    PUTS_1M(Kind.PUTS, 1 << 20),
    /** The bytes are there. */
    GET_8(Kind.GET, 8),
    /** The bytes are there. */
    GET_4K(Kind.GET, 4 << 10),
    /** The bytes are there. */
    GET_1M(Kind.GET, 1 << 20),
    /** The old value is there. */
    FETCH_ADD(Kind.FETCH_ADD, 8),
    /** Of both ranks, one after the other. */
    GSYNC(Kind.GSYNC, 8),
    /** Each rank has put something that the gsync completes. */
    PUT_GSYNC(Kind.PUT_GSYNC, 8),
    /** A gsync alone beside what puts in both directions at a time, and polls. */
    GSYNC_POLLING(Kind.GSYNC_POLLING, 8),
    /** The same beside what sleeps, as it does itself, where there is nothing to do. */
    GSYNC_SLEEPING(Kind.GSYNC_SLEEPING, 8),
    /** The same, where each rank has put something that the gsync completes. */
    PUT_GSYNC_SLEEPING(Kind.PUT_GSYNC_SLEEPING, 8);

    /** Where words of the program itself are. */
    static final long PROGRAM_BYTES = 4096;
    static final long WINDOW_BYTES = PROGRAM_BYTES + (1 << 20);
    /** Puts under way: ucx_perftest's own number, and one where it is faster with one at a time. */
    private static final int OUTSTANDING = 32;
    private static final int LARGE = 1 << 20;

    /** What is done with so many bytes. */
    private enum Kind {
        /** One at a time. */
        PUT_FLUSH("put and flush", "ucp_put_lat there, and ucp_put_lat of 8 B back"),
        /** A stream. */
        PUTS("puts, then one flush", "ucp_put_bw"),
        /** One at a time. In UCX 1.13 the server of ucp_get looks only once in a millisecond: it measures nothing. */
        GET("get and flush", "ucp_put_lat of 8 B there, and ucp_put_lat back"),
        /** One at a time. */
        FETCH_ADD("fetch-and-add", "ucp_fadd -O 1"),
        /** One at a time. */
        GSYNC("gsync of two ranks", "ucp_put_lat there and back, in one direction"),
        /** One at a time: a put, its completion, and a signal that it is complete. */
        PUT_GSYNC("a put of each rank and gsync", "ucp_put_lat there, back and there, in one direction"),
        /** Both ranks put, and both are answered. */
        GSYNC_POLLING("gsync, mean, and polling", "two ucp_put_lat there and back at a time, one in each direction"),
        /** Both ranks put, and both are answered. */
        GSYNC_SLEEPING("gsync, mean, and sleeping", "the same two with -E sleep"),
        /** Both ranks put, and both are answered, and both signal. */
        PUT_GSYNC_SLEEPING("a put of each and gsync, mean, and sleeping", "the same two, there, back and there");

        private final String text;
        private final String counterpart;

        Kind(String text, String counterpart) {
            this.text = text;
            this.counterpart = counterpart;
        }
    }

    /**
     * A run of ucx_perftest.
     *
     * @param outstanding accesses under way; 0: the test's own number
     * @param sleeps whether it sleeps where there is nothing to do; else it polls
     */
    record Test(String name, int bytes, int outstanding, boolean sleeps) {
        Test(String name, int bytes, int outstanding) {
            this(name, bytes, outstanding, false);
        }

        /** Whether one put follows another, without a word of the peer in between. */
        boolean isStream() {
            return name.endsWith("_bw");
        }
    }

    private final Kind kind;
    private final int bytes;

    Access(Kind kind, int bytes) {
        this.kind = kind;
        this.bytes = bytes;
    }

    /**
     * Those whose text has this in it.
     *
     * @throws MisuseException if none has
     */
    static Set<Access> named(String part) {
        Set<Access> found = Arrays.stream(values()).filter(access -> access.text().contains(part)).collect(
            Collectors.toCollection(() -> EnumSet.noneOf(Access.class)));
        if (found.isEmpty()) {
            throw new MisuseException("--only '" + part + "': is in none of " + Arrays.stream(values()).map(
                access -> "'" + access.text() + "'").collect(Collectors.joining(", ")));
        }
        return found;
    }

    /** For people. */
    String text() {
        return isCollective() ? kind.text : kind.text + ", " + (bytes < 1 << 10 ? bytes + " B"
            : bytes < 1 << 20 ? (bytes >> 10) + " KiB" : (bytes >> 20) + " MiB");
    }

    /** What it is compared with, for people. */
    String counterpart() {
        return kind == Kind.PUTS ? kind.counterpart + " -O " + outstanding() : kind.counterpart;
    }

    private int outstanding() {
        return bytes < LARGE ? OUTSTANDING : 1;
    }

    /**
     * What it is compared with: the sum of these; where it {@link #isBothWays}, {@link #halves} of this at a time with
     * one that the other rank began.
     */
    Test[] tests() {
        return switch (kind) {
            case PUT_FLUSH, GET, GSYNC ->
                new Test[] {new Test("ucp_put_lat", bytes, 0), new Test("ucp_put_lat", 8, 0)};
            case PUT_GSYNC -> new Test[] {new Test("ucp_put_lat", bytes, 0), new Test("ucp_put_lat", 8, 0),
                new Test("ucp_put_lat", 8, 0)};
            case PUTS -> new Test[] {new Test("ucp_put_bw", bytes, outstanding())};
            case FETCH_ADD -> new Test[] {new Test("ucp_fadd", bytes, 1)};
            case GSYNC_POLLING, GSYNC_SLEEPING, PUT_GSYNC_SLEEPING ->
                new Test[] {new Test("ucp_put_lat", bytes, 0, kind != Kind.GSYNC_POLLING)};
        };
    }

    /** Whether both ranks do it together. */
    boolean isCollective() {
        return kind == Kind.GSYNC || putsFirst() || isBothWays();
    }

    /** Whether each rank puts something at the other before. */
    boolean putsFirst() {
        return kind == Kind.PUT_GSYNC || kind == Kind.PUT_GSYNC_SLEEPING;
    }

    /**
     * Whether it is compared with what goes in both directions at a time. Then all are told by their means: four
     * threads that poll take turns on fewer cores, and a median would tell of their turns alone.
     */
    boolean isBothWays() {
        return kind == Kind.GSYNC_POLLING || kind == Kind.GSYNC_SLEEPING || kind == Kind.PUT_GSYNC_SLEEPING;
    }

    /** How many halves of a ping-pong it has: there and back, and where something is put first, there once more. */
    int halves() {
        return putsFirst() ? 3 : 2;
    }

    /** Whether many are under way at a time, which one flush completes. */
    boolean isStream() {
        return kind == Kind.PUTS;
    }

    /** Does it once, with rank 1; not for those of both ranks. */
    void once(Window window, MemorySegment local) {
        switch (kind) {
            case PUT_FLUSH -> {
                window.put(local, 0, 1, PROGRAM_BYTES, bytes);
                window.flush(1);
            }
            case PUTS -> window.put(local, 0, 1, PROGRAM_BYTES, bytes);
            case GET -> {
                window.get(local, 0, 1, PROGRAM_BYTES, bytes);
                window.flush(1);
            }
            case FETCH_ADD -> window.fetchAndOp(AtomicOp.SUM, DataType.INT64, 1, 1, PROGRAM_BYTES);
            case GSYNC, PUT_GSYNC, GSYNC_POLLING, GSYNC_SLEEPING, PUT_GSYNC_SLEEPING ->
                throw new IllegalStateException("a rank does no gsync alone");
        }
    }
}
