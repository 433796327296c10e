package org.ftrma.rma.log;

import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import org.ftrma.AtomicOp;
import org.ftrma.DataType;
import org.ftrma.FtrmaException;

/**
 * The layout of a rank's log region: one exposed region per rank, at "home" x of R ranks, in native byte order, all
 * words naturally aligned.
 *
 * <pre>
 *   region     | header: 2304 bytes | slots: 8 bytes for each log | up to a multiple of 4096 | chunk 0 | chunk 1 | ...
 *              | pool: 2R + 3 entries of 128 bytes
 *
 *   logs       0 .. R-1    puts of x to rank q                 (LP_x[q])    written by x
 *              R .. 2R-1   results of what p read at x         (LG_x[p])    written by p
 *              2R          results of p without a remote home  (p's buddy is x)  written by p
 *              2R + 1      results of collectives              written by x
 *              2R + 2      locks that x took and gave back     written by x; the offset of a record is the lock's home
 *
 *   header       0 magic   8 ranks   16 bytes of a chunk   24 chunks   32 timeline
 *                40 hold: no atomic update of x's windows may begin
 *               48 entries of the pool that are taken, at least: all below have an owner
 *               64 chunks ever taken (atomic)
 *              128 top of the list of free chunks: tag &lt;&lt; 32 | chunk + 1 (atomic)   192 chunks in use (atomic)
 *              256 update locks, 64 bytes each: the rank that has it + 1, or 0 (atomic); after it the one that waits
 *              for it over a network + 1, or 0. The first is for words of shared locks
 *
 *   slot         0: the log has no entry yet; else index of its entry in the pool + 1
 *
 *   entry        0 head: position of the oldest record
 *                8 tail: position after the newest published record; stored after the record
 *               16 serial of the next chunk of this log   24 F: last closed epoch &lt;&lt; 1
 *               32 N: see NEEDS_ATOMIC; 0: nothing         40 gap: mark below which records are missing (0: none)
 *               48 EC up to which records are missing     56 GNC up to which records are missing
 *               64 chunks of this log
 *               72 number of the atomic update up to which records are missing; in the log of locks the recovery since
 *               when they are
 *               80 atomic updates of p at x   88 owner: log + 1 (atomic)
 *               96 what N is about: type &lt;&lt; 56 | window &lt;&lt; 48 | offset   104 the value before
 *               112 the value after
 *
 *   chunk        0 next chunk + 1 (0: none)   8 owner: (writer + 1) &lt;&lt; 32 | log
 *                16 offset of its end, once it is full (0: being written)
 *               24 serial: the chunks of a log count upwards   32 next free chunk + 1   64 records
 *
 *   record       0 bytes of the record (bits 0..31), kind (32..39), window (40..47), code: operation and type
 *                (48..55), 56: more, 57: SC is shared
 *                8 EC   16 GC; in LP and in the log of locks how many locks x had taken and given back   24 GNC
 *               32 SC (bits 0..31), how often the same followed again (32..63); in LP the number of the atomic update
 *               40 offset in the window   48 bytes of data (bits 0..31), timeline (32..63)
 *               56 data, up to a multiple of 8
 *               after the data of a strided put: stride, bytes of a block
 * </pre>
 *
 * <p>A position is chunk &lt;&lt; 32 | offset in the chunk (0: none); a mark is serial &lt;&lt; 32 | offset, so that
 * the marks of one log are ordered for ever, whatever chunks are used again. EC in a record is the number of the epoch
 * it belongs to, counted from 1, so that F = 0 says that none has closed. F and N of the pair (source p, target x) are
 * in the entry of LG_x[p].
 *
 * <p>Most ranks of a large job never talk to each other, so a log has an entry only once it is used:
 * {@link LogRegion#makeEntry}. Entries are taken from the pool in order and stay where they are until the region is
 * formatted; each is on cache lines of its own, since different ranks write them. The pool has room for all logs, but
 * its memory comes when it is touched. Immutable; any thread.
 */
public final class LogDescriptor {
    /** Default size of a chunk: large beside the puts that programs pack, so that little is left over at its end. */
    public static final int CHUNK_BYTES = 4 << 20;
    /**
     * In N: an atomic update is about to be made, or was; where, and between which values, is in the words after it.
     * The bits above {@link #NEEDS} are the tail, then, of the log that its result goes to: while that is the tail, the
     * result is not logged. All of them: the log was trimmed meanwhile, and nobody can tell.
     */
    public static final long NEEDS_ATOMIC = 1;
    /**
     * In N: the count of a shared lock is about to be changed, or was; the words after it have the lock's word before
     * and after. The rest as above.
     */
    public static final long NEEDS_LOCK = 2;
    /** In N: a replacement found out that it had happened. */
    public static final long HAPPENED = 4;
    /** The bits of N that are flags: positions are multiples of 8. */
    static final long NEEDS = 7;
    /** The update lock that shared locks' words are changed under. */
    static final int LOCKS_LOCK = 0;
    static final int UPDATE_LOCKS = 32;

    /** Numbers of atomic updates are 32 bits in records, and go round. */
    static final long UPDATES_MASK = 0xffff_ffffL;

    /** In a log of results, in place of the number of an update up to which records are missing: see UNTOLD. */
    static final long UNTOLD = Long.MAX_VALUE;

    /** Not a record: room that was reserved and not used. */
    public static final int VOID = 1;
    /** A write; its data. */
    public static final int PUT = 2;
    /** A read; its result. */
    public static final int GET = 3;
    /** A blocking read of 8 bytes, or of 4 where the code says so; its result, sign-extended. */
    public static final int GET_LONG = 4;
    /** An atomic update; operand, old and new value. */
    public static final int ATOMIC = 5;
    /** A compare-and-swap; expected, old and new value. */
    public static final int COMPARE_AND_SWAP = 6;
    /** A lock was taken: SC is the acquisition's number, the value 1 if it is exclusive. */
    public static final int LOCK = 7;
    /** A lock was released. */
    public static final int UNLOCK = 8;
    /** A piece of the result of a collective; the offset has the piece's number above its lower 32 bits. */
    public static final int COLLECTIVE = 9;
    /** A value that the program cannot determine again. */
    public static final int NONDETERMINISTIC = 10;
    /**
     * A write of equal blocks at equal distances; their data, then {@link #STRIDES}. {@link LogReader} shows it as one
     * {@link #PUT} for each block.
     */
    static final int PUT_STRIDED = 11;

    /** A signal was made, in the log of locks. */
    public static final int SIGNAL = 12;
    /** A signal was seen: the value, then by turns ranks and numbers of lock events that came before. */
    public static final int WAIT = 13;

    static final int KINDS = 14;
    /**
     * After the data of {@link #PUT_STRIDED}, up to a multiple of 8: 8 bytes stride in the window, 8 bytes length of a
     * block.
     */
    static final int STRIDES = 16;
    /** Where flags begin in the upper half of a record's first word. */
    static final int FLAGS = 24;
    static final int FLAG_MORE = 1;
    /** The access was made under a shared lock: SC orders it with acquisitions of exclusive ones only. */
    static final int FLAG_SHARED = 2;
    /** Where a writer is given SC: the acquisition is that of a shared lock. */
    static final long SHARED = 1L << 32;
    static final long MAGIC = 0x46_54_4c_4f_47_30_30_31L;
    static final long HEADER_RANKS = 8;
    static final long HEADER_CHUNK_BYTES = 16;
    static final long HEADER_CHUNKS = 24;
    static final long HEADER_TIMELINE = 32;
    static final long HEADER_HOLD = 40;
    static final long HEADER_ENTRIES = 48;
    static final long HEADER_TAKEN = 64;
    static final long HEADER_FREE = 128;
    static final long HEADER_USED = 192;
    static final long HEADER_LOCKS = 256;
    static final long LOCK_BYTES = 64;
    /** Where an update lock has who waits for it over a network: see {@link LockBackoff}. */
    static final long LOCK_WAITING = 8;
    static final long HEADER_BYTES = HEADER_LOCKS + UPDATE_LOCKS * LOCK_BYTES;
    static final long SLOT_BYTES = 8;
    static final long ENTRY_BYTES = 128;
    static final long ENTRY_HEAD = 0;
    static final long ENTRY_TAIL = 8;
    static final long ENTRY_SERIAL = 16;
    static final long ENTRY_F = 24;
    static final long ENTRY_N = 32;
    static final long ENTRY_GAP = 40;
    static final long ENTRY_GAP_EC = 48;
    static final long ENTRY_GAP_GNC = 56;
    static final long ENTRY_CHUNKS = 64;
    static final long ENTRY_GAP_UPDATES = 72;
    static final long ENTRY_UPDATES = 80;
    static final long ENTRY_OWNER = 88;
    static final long ENTRY_PLACE = 96;
    static final long ENTRY_BEFORE = 104;
    static final long ENTRY_AFTER = 112;
    static final long ENTRY_SIGNALS = 120;
    static final long CHUNK_NEXT = 0;
    static final long CHUNK_OWNER = 8;
    static final long CHUNK_END = 16;
    static final long CHUNK_SERIAL = 24;
    static final long CHUNK_FREE = 32;
    static final int CHUNK_HEADER = 64;
    static final int RECORD_BYTES = 56;
    /** Where a record has SC and how often the same followed again, or the number of the atomic update. */
    static final int RECORD_COUNTS = 32;
    static final long SC_MASK = 0xffff_ffffL;
    /**
     * The first part of a record. Its words are written as those of one structure, so that the compiler checks the
     * bounds of the whole once, and not those of each word.
     */
    private static final StructLayout RECORD = MemoryLayout.structLayout(JAVA_LONG_UNALIGNED.withName("what"),
        JAVA_LONG_UNALIGNED.withName("ec"), JAVA_LONG_UNALIGNED.withName("gc"), JAVA_LONG_UNALIGNED.withName("gnc"),
        JAVA_LONG_UNALIGNED.withName("counts"), JAVA_LONG_UNALIGNED.withName("offset"),
        JAVA_LONG_UNALIGNED.withName("lengths"));
    private static final VarHandle WHAT = recordWord("what");
    private static final VarHandle EC = recordWord("ec");
    private static final VarHandle GC = recordWord("gc");
    private static final VarHandle GNC = recordWord("gnc");
    private static final VarHandle COUNTS = recordWord("counts");
    private static final VarHandle OFFSET = recordWord("offset");
    private static final VarHandle LENGTHS = recordWord("lengths");
    private static final int MAX_CHUNK_LOG2 = 30;
    private static final int PLACE_TYPE = 56;
    private static final int PLACE_WINDOW = 48;
    private static final int PAGE = 4096;
    private static final AtomicOp[] OPS = AtomicOp.values();
    private static final DataType[] TYPES = DataType.values();
    private static final String[] NAMES = {"none", "void", "put", "get", "getLong", "atomic", "compareAndSwap", "lock",
        "unlock", "collective",
        "nondeterministic", "putStrided", "signal", "wait"};

    private final int ranks;
    private final int chunkBytes;
    private final int chunks;
    private final int buddyDistance;

    /**
     * A layout.
     *
     * @param ranks computing ranks
     * @param budgetBytes what the chunks may take together
     * @param chunkBytes a power of two, 256 bytes to 1 GiB; the budget holds at least one
     */
    public LogDescriptor(int ranks, long budgetBytes, int chunkBytes) {
        this(ranks, budgetBytes, chunkBytes, 1);
    }

    /** As above; the {@link #buddy} of a rank is so many ranks after it. */
    public LogDescriptor(int ranks, long budgetBytes, int chunkBytes, int buddyDistance) {
        if (ranks < 1 || Integer.bitCount(chunkBytes) != 1 || chunkBytes < 256 || chunkBytes > 1 << MAX_CHUNK_LOG2
            || budgetBytes < chunkBytes || budgetBytes / chunkBytes > Integer.MAX_VALUE - 1) {
            throw new FtrmaException(FtrmaException.Category.SETUP,
                "ranks=" + ranks + " logBudget=" + budgetBytes + " chunkBytes=" + chunkBytes
                + ": the budget must hold at least one chunk, whose size is a power of two from 256");
        }
        this.ranks = ranks;
        this.chunkBytes = chunkBytes;
        this.chunks = (int) (budgetBytes / chunkBytes);
        this.buddyDistance = buddyDistance;
    }

    /** A layout with chunks of the default size. */
    public LogDescriptor(int ranks, long budgetBytes) {
        this(ranks, budgetBytes, CHUNK_BYTES);
    }

    /**
     * Prepares a region that is exposed here: all its logs are empty, F and N are 0. Nobody may be writing or reading.
     * The memory must be zero, or have been formatted before. Memory that was never used is not touched, so that it
     * takes no pages.
     */
    public void format(MemorySegment region, int timeline) {
        if (isFormatted(region)) {
            clearEntries(region);
            clearOwners(region, Math.clamp(region.get(ValueLayout.JAVA_LONG, HEADER_TAKEN), 0, chunks));
        } else if (region.get(ValueLayout.JAVA_LONG, 0) != 0) {
            region.asSlice(entryOffset(0)).fill((byte) 0);
            clearOwners(region, chunks);
        }
        region.asSlice(0, slotOffset(logs())).fill((byte) 0);
        region.set(ValueLayout.JAVA_LONG, HEADER_RANKS, ranks);
        region.set(ValueLayout.JAVA_LONG, HEADER_CHUNK_BYTES, chunkBytes);
        region.set(ValueLayout.JAVA_LONG, HEADER_CHUNKS, chunks);
        region.set(ValueLayout.JAVA_LONG, HEADER_TIMELINE, timeline);
        region.set(ValueLayout.JAVA_LONG, 0, MAGIC);
    }

    private boolean isFormatted(MemorySegment region) {
        return region.get(ValueLayout.JAVA_LONG, 0) == MAGIC && region.get(ValueLayout.JAVA_LONG, HEADER_RANKS) == ranks
            && region.get(ValueLayout.JAVA_LONG, HEADER_CHUNK_BYTES) == chunkBytes
            && region.get(ValueLayout.JAVA_LONG, HEADER_CHUNKS) == chunks;
    }

    /** Entries are taken in order: the first without an owner was never written, nor was any after it. */
    private void clearEntries(MemorySegment region) {
        for (int index = 0; index < logs() && region.get(ValueLayout.JAVA_LONG, entryOffset(index) + ENTRY_OWNER)
            != 0; index++) {
            region.asSlice(entryOffset(index), ENTRY_BYTES).fill((byte) 0);
        }
    }

    /** Who takes a chunk says so a moment later: nobody may find an owner of former times meanwhile. */
    private void clearOwners(MemorySegment region, int taken) {
        for (int chunk = 0; chunk < taken; chunk++) {
            region.set(ValueLayout.JAVA_LONG, chunkOffset(chunk) + CHUNK_OWNER, 0);
        }
    }

    /** Bytes of the whole region. */
    public long regionBytes() {
        return entryOffset(logs());
    }

    /** Computing ranks. */
    public int ranks() {
        return ranks;
    }

    /** Bytes of a chunk. */
    public int chunkBytes() {
        return chunkBytes;
    }

    /** Number of chunks. */
    public int chunks() {
        return chunks;
    }

    /** Logs in a region. */
    public int logs() {
        return 2 * ranks + 3;
    }

    /** LP_x[target] in the region of x. */
    public int putLog(int target) {
        return target;
    }

    /** LG_x[source] in the region of x. */
    public int getLog(int source) {
        return ranks + source;
    }

    /** The log of the results without a remote home of the one rank whose {@link #buddy} the region's home is. */
    public int buddyLog() {
        return 2 * ranks;
    }

    /** The log of the results of collectives. */
    public int collectiveLog() {
        return 2 * ranks + 1;
    }

    /** The log of the home's own lock events. */
    public int lockLog() {
        return 2 * ranks + 2;
    }

    /** The rank that keeps {@link #buddyLog} of a rank; the rank itself if it is the only one. */
    public int buddy(int rank) {
        return (rank + buddyDistance) % ranks;
    }

    /** The rank whose {@link #buddy} a rank is. */
    public int buddyOf(int home) {
        return (home + ranks - buddyDistance) % ranks;
    }

    /** Most data that can be packed in a log. */
    public int maxReserve() {
        return chunkBytes - CHUNK_HEADER - RECORD_BYTES - STRIDES;
    }

    /** Where the slot of a log is. */
    long slotOffset(int log) {
        return HEADER_BYTES + log * SLOT_BYTES;
    }

    /**
     * Where an entry of the pool is, by its index: behind the chunks, whose first ones may get their pages before they
     * are used.
     */
    long entryOffset(int index) {
        return chunkOffset(chunks) + index * ENTRY_BYTES;
    }

    long chunksOffset() {
        return slotOffset(logs()) + PAGE - 1 & -PAGE;
    }

    long chunkOffset(int chunk) {
        return chunksOffset() + (long) chunk * chunkBytes;
    }

    static long position(int chunk, long offset) {
        return (long) chunk << 32 | offset;
    }

    static int chunk(long position) {
        return (int) (position >>> 32);
    }

    static int offset(long position) {
        return (int) position;
    }

    static long align(long bytes) {
        return bytes + 7 & -8;
    }

    /** Operation and type as a record has them. */
    public static int code(AtomicOp op, DataType type) {
        return op.ordinal() << 4 | type.ordinal();
    }

    /** The code of a blocking read: that of 8 bytes has none. */
    public static int readCode(DataType type) {
        return type == DataType.INT64 ? 0 : code(AtomicOp.NO_OP, type);
    }

    /** The operation of a record's code. */
    public static AtomicOp op(int code) {
        return OPS[code >>> 4];
    }

    /** The type of a record's code. */
    public static DataType type(int code) {
        return TYPES[code & 15];
    }

    /** Whether an operation leaves the same value whatever was there. */
    public static boolean replaces(AtomicOp op, DataType type, long operand) {
        long one = op.apply(type, 0, operand);
        long top = 1L << 8 * type.bytes() - 1;
        return op == AtomicOp.REPLACE || one == op.apply(type, -1L, operand) && one == op.apply(type, top, operand)
            && one == op.apply(type, top - 1, operand);
    }

    /** The update lock of a location, of {@link #UPDATE_LOCKS} but the first. */
    static int updateLock(int window, long offset) {
        long mixed = ((long) window << 40 ^ offset >>> 3) * 0x9E3779B97F4A7C15L;
        return 1 + (int) ((mixed >>> 32) * (UPDATE_LOCKS - 1) >>> 32);
    }

    /** A location in one word. */
    static long place(int window, DataType type, long offset) {
        return (long) type.ordinal() << PLACE_TYPE | (long) window << PLACE_WINDOW | offset;
    }

    static DataType typeOf(long place) {
        return TYPES[(int) (place >>> PLACE_TYPE) % TYPES.length];
    }

    static int windowOf(long place) {
        return (int) (place >>> PLACE_WINDOW) & 255;
    }

    static long offsetOf(long place) {
        return place & (1L << PLACE_WINDOW) - 1;
    }

    static boolean isCode(int code) {
        return code >>> 4 < OPS.length && (code & 15) < TYPES.length;
    }

    /** The name of a record's kind, for messages. */
    public static String kindName(int kind) {
        return kind >= 0 && kind < KINDS ? NAMES[kind] : "kind " + kind;
    }

    /** What a log is, for messages. */
    public String logName(int home, int log) {
        int other = log % ranks;
        return log < ranks ? "the log of what rank " + home + " put to rank " + other
            : log < 2 * ranks ? "the log at rank " + home + " of what rank " + other + " read there"
            : log == buddyLog() ? "the log at rank " + home + " of what rank " + buddyOf(home) + " did at itself"
            : (log == lockLog() ? "the log of locks of rank " : "the log of collectives at rank ") + home;
    }

    /**
     * Writes the first part of a record.
     *
     * @param recordBytes those of the whole record
     * @param lengths bytes of the data, and the timeline in the upper half
     */
    static void header(Determinant access, MemorySegment memory, long to, long recordBytes, long lengths) {
        long sc = access.sc();
        int shared = (int) (sc >>> 32 & 1) * FLAG_SHARED;
        WHAT.set(memory, to, recordBytes | (long) (access.what() | shared << FLAGS) << 32);
        EC.set(memory, to, access.ec());
        GC.set(memory, to, access.gc());
        GNC.set(memory, to, access.gnc());
        COUNTS.set(memory, to, sc & SC_MASK);
        OFFSET.set(memory, to, access.offset());
        LENGTHS.set(memory, to, lengths);
    }

    private static VarHandle recordWord(String name) {
        return RECORD.varHandle(MemoryLayout.PathElement.groupElement(name));
    }

    /** Writes the last part of a record of blocks that are apart. */
    static void strides(MemorySegment memory, long to, long stride, long blockBytes) {
        memory.set(JAVA_LONG_UNALIGNED, to, stride);
        memory.set(JAVA_LONG_UNALIGNED, to + 8, blockBytes);
    }
}
