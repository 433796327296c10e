package org.ftrma.rma.log;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import org.ftrma.FtrmaException;
import org.ftrma.spi.Clock;
import org.ftrma.spi.RemoteMemory;

/**
 * A log region as one member sees it: its words, the entries of its logs, F and N of the pair, and the update locks.
 * Which chunks the member takes there is its {@link ChunkPool}'s. The data thread of that member only.
 */
public final class LogRegion {
    /** Bytes of a line of the cache: pieces of streamed data end with one. */
    static final long LINE = 64;
    static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();
    private static final int STAGING_BYTES = 64 << 10;

    final LogDescriptor layout;
    final int home;
    final int member;
    final RemoteMemory remote;
    /** The memory itself, or null where it is not mapped. */
    final MemorySegment direct;
    private final long leastStreamed;
    private boolean packedElsewhere = true;
    /** The region, by the fabric. */
    final RegionMemory memory;
    /** The chunks that this member takes here and gives back. */
    final ChunkPool chunks;
    private final UpdateLocks locks;
    private final MemorySegment staging;
    private long staged;
    /** Where the entry of this member's LG is, 0: not known yet. F and N are in it. */
    private long ownEntry;
    /** A predecessor may have taken an entry of the pool that no slot tells of. */
    private boolean adopted;

    /**
     * Opens a region.
     *
     * @param home whose region it is
     * @param member who looks at it
     * @param remote the region, for atomics, and for all accesses where {@code direct} is null
     * @param direct the region's memory, or null
     * @param flush completes the accesses to the home
     * @param arena where a buffer is allocated if the memory is not mapped
     */
    public LogRegion(LogDescriptor layout, int home, int member, RemoteMemory remote, MemorySegment direct,
        Runnable flush, Arena arena) {
        this.layout = layout;
        this.home = home;
        this.member = member;
        this.remote = remote;
        this.direct = direct;
        this.leastStreamed = direct == null ? Long.MAX_VALUE : remote.leastStreamed();
        this.memory = new RegionMemory(remote, flush);
        this.staging = direct == null ? arena.allocate(STAGING_BYTES, 64) : null;
        this.chunks = new ChunkPool(this);
        this.locks = new UpdateLocks(this);
        long bytes = direct == null ? remote.bytes() : direct.byteSize();
        if (bytes < layout.regionBytes()) {
            throw malformed("bytes", bytes);
        }
        check("magic", 0, LogDescriptor.MAGIC);
        check("ranks", LogDescriptor.HEADER_RANKS, layout.ranks());
        check("chunkBytes", LogDescriptor.HEADER_CHUNK_BYTES, layout.chunkBytes());
        check("chunks", LogDescriptor.HEADER_CHUNKS, layout.chunks());
    }

    private void check(String what, long offset, long expected) {
        long found = word(offset);
        if (found != expected) {
            throw malformed(what, found);
        }
    }

    private FtrmaException malformed(String what, long value) {
        return new FtrmaException(FtrmaException.Category.FATAL,
            "log region of rank " + home + ": " + what + "=" + value + " is not that of this job");
    }

    /** How its logs lie in it. */
    public LogDescriptor layout() {
        return layout;
    }

    /** Whether data of that size goes to the log past the caches. */
    boolean streams(long bytes) {
        return bytes >= leastStreamed;
    }

    /**
     * The program packs the data of all its staged puts in the region from now on, though large ones could be streamed
     * to it.
     */
    public void packHere() {
        packedElsewhere = false;
    }

    /**
     * Whether it costs less to pack a put's data in memory that stays in the cache, and to copy it from there, than to
     * pack it here.
     */
    boolean isPackedElsewhere(long bytes) {
        return packedElsewhere && streams(bytes);
    }

    /** Copies data to the region, which is mapped. */
    void copy(MemorySegment data, long dataOffset, long offset, long bytes) {
        if (streams(bytes)) {
            remote.stream(data, dataOffset, offset, bytes);
        } else {
            MemorySegment.copy(data, dataOffset, direct, offset, bytes);
        }
    }

    /** As {@link #copy}, of a piece, which others see only after a full fence. */
    void copyPart(MemorySegment data, long dataOffset, long offset, long bytes) {
        if (leastStreamed < Long.MAX_VALUE) {
            remote.streamPart(data, dataOffset, offset, bytes);
        } else {
            MemorySegment.copy(data, dataOffset, direct, offset, bytes);
        }
    }

    /** A word, read with acquire order. */
    long word(long offset) {
        return direct != null ? (long) LONG.getAcquire(direct, offset) : memory.getLong(offset);
    }

    /** See {@link RegionMemory#outliveHome}. */
    public void outliveHome() {
        memory.outliveHome();
    }

    /** Whether the home was lost in an access. */
    boolean isLost() {
        return memory.isLost();
    }

    private void flushHome() {
        memory.flush();
        staged = 0;
        locks.flushed();
    }

    /**
     * Stores a word, with release order where the memory is mapped; elsewhere a {@link #complete} must come between
     * what has an order.
     */
    void word(long offset, long value) {
        if (direct != null) {
            LONG.setRelease(direct, offset, value);
        } else {
            memory.putLong(offset, value);
        }
    }

    /** Completes what was written so far. Nothing to do where the memory is mapped. */
    void complete() {
        if (direct == null) {
            flushHome();
        }
    }

    /** Completes this member's accesses to the home, whatever they are. */
    void flush() {
        flushHome();
    }

    /** Room for a record's head in a buffer that stays unchanged until {@link #complete}; see {@link #staging}. */
    long stage(long bytes) {
        if (staged + bytes > STAGING_BYTES) {
            complete();
        }
        long at = staged;
        staged += bytes;
        return at;
    }

    MemorySegment staging() {
        return staging;
    }

    /** Where the entry of a log is, 0 if it has none: it is empty then, and all its words are 0. */
    long entry(int log) {
        long slot = word(layout.slotOffset(log));
        if (slot < 0 || slot > layout.logs()) {
            throw malformed(log, "its slot " + slot + " names none of the " + layout.logs() + " entries");
        }
        return slot == 0 ? 0 : layout.entryOffset((int) slot - 1);
    }

    /**
     * Where the entry of a log is, which it gets now if it has none. Only the writer of a log may make its entry, so
     * that it has one at most; but a replacement makes those of LG for others in its new region, before they can write
     * there. Different logs' entries may be made at the same time.
     */
    long makeEntry(int log) {
        long known = entry(log);
        if (known != 0) {
            long owner = word(known + LogDescriptor.ENTRY_OWNER);
            if (owner != log + 1 && !isLost()) {
                throw malformed(log, "its slot names an entry of owner " + owner);
            }
            return known;
        }
        long taken = word(LogDescriptor.HEADER_ENTRIES);
        // A predecessor that died before it wrote the slot may have left the entry anywhere below.
        for (int index = adopted ? 0 : Math.clamp(taken, 0, layout.logs()); index < layout.logs(); index++) {
            long entry = layout.entryOffset(index);
            long owner = word(entry + LogDescriptor.ENTRY_OWNER);
            if (owner == 0) {
                owner = memory.swap(entry + LogDescriptor.ENTRY_OWNER, 0, log + 1); // L25
            }
            if (owner == 0 || owner == log + 1) {
                word(layout.slotOffset(log), index + 1);
                if (taken <= index) {
                    // another maker's larger number may be lost: then more entries are looked at
                    word(LogDescriptor.HEADER_ENTRIES, index + 1);
                }
                complete(); // who finds words in the entry, or chunks of the log, finds the entry
                return entry;
            }
        }
        throw malformed(log, "none of the " + layout.logs() + " entries is left for it, of which " + taken
            + " are said to be taken");
    }

    private FtrmaException malformed(int log, String what) {
        return new FtrmaException(FtrmaException.Category.FATAL, layout.logName(home, log) + ": malformed: " + what);
    }

    /** A word of a log's entry: 0 if it has none. */
    long entryWord(int log, long which) {
        long entry = entry(log);
        return entry == 0 ? 0 : word(entry + which);
    }

    /** The word F of a source: the last epoch of it that closed here, shifted by one bit. */
    public long f(int source) {
        return entryWord(layout.getLog(source), LogDescriptor.ENTRY_F);
    }

    /** The word N of a source: see {@link LogDescriptor#NEEDS_ATOMIC}. */
    public long n(int source) {
        return entryWord(layout.getLog(source), LogDescriptor.ENTRY_N);
    }

    /** The number of a source's atomic updates here: all complete and logged unless N says that one was begun. */
    long updates(int source) {
        return entryWord(layout.getLog(source), LogDescriptor.ENTRY_UPDATES);
    }

    /**
     * At a replacement, in its new region: what a source knows to have closed, updated and signalled in the old one.
     * Before the source can write here.
     */
    void inherit(int source, long closed, long updates, long signals) {
        if (closed != 0 || updates != 0 || signals != 0) {
            long entry = makeEntry(layout.getLog(source));
            word(entry + LogDescriptor.ENTRY_F, closed);
            word(entry + LogDescriptor.ENTRY_UPDATES, updates);
            word(entry + LogDescriptor.ENTRY_SIGNALS, signals);
        }
    }

    private long ownEntry() {
        if (ownEntry == 0) {
            ownEntry = makeEntry(layout.getLog(member));
        }
        return ownEntry;
    }

    /** The number of the lock event that a source's newest signal to the home is; 0: there was none. */
    long signals(int source) {
        return entryWord(layout.getLog(source), LogDescriptor.ENTRY_SIGNALS);
    }

    /** Sets the number of this member's newest signal. */
    void setSignals(long value) {
        word(ownEntry() + LogDescriptor.ENTRY_SIGNALS, value);
    }

    /** Who has an update lock, -1: nobody. */
    int updater(int lock) {
        return locks.holder(lock);
    }

    /** Sets this member's F. */
    void setF(long value) {
        word(ownEntry() + LogDescriptor.ENTRY_F, value);
    }

    /** Sets this member's N. */
    void setN(long value) {
        word(ownEntry() + LogDescriptor.ENTRY_N, value);
    }

    /** Sets the number of this member's atomic updates. */
    void setUpdates(long value) {
        word(ownEntry() + LogDescriptor.ENTRY_UPDATES, value);
    }

    /** Writes down what N is about. */
    void note(long place, long old, long updated) {
        long entry = ownEntry();
        word(entry + LogDescriptor.ENTRY_PLACE, place);
        word(entry + LogDescriptor.ENTRY_BEFORE, old);
        word(entry + LogDescriptor.ENTRY_AFTER, updated);
        complete();
    }

    /**
     * What the source had under way here when it was lost, and has not logged, or null. Nobody writes its logs any
     * more.
     */
    public InFlightAccess inFlight(int source) {
        long n = n(source);
        if (n == 0) {
            return null;
        }
        long entry = entry(layout.getLog(source));
        if (n != -1 && (n & ~LogDescriptor.NEEDS) != word(entry + LogDescriptor.ENTRY_TAIL)) {
            return null;
        }
        long place = word(entry + LogDescriptor.ENTRY_PLACE);
        return new InFlightAccess(n, LogDescriptor.windowOf(place), LogDescriptor.typeOf(place),
            LogDescriptor.offsetOf(place),
            word(entry + LogDescriptor.ENTRY_BEFORE), word(entry + LogDescriptor.ENTRY_AFTER));
    }

    /**
     * At a replacement: what its predecessor had under way here did happen, and will be logged; or it did not (null),
     * or is logged. Then the update locks that its predecessor had are free.
     */
    public void resolve(InFlightAccess happened) {
        if (n(member) != 0) {
            setN(happened == null ? 0 : happened.n() | LogDescriptor.HAPPENED);
            complete();
        }
        locks.giveAllBack();
        complete();
    }

    /** The member is on the home's host: it leaves update locks for a while to those that wait over a network. */
    public void giveWay(Clock clock) {
        locks.giveWay(clock);
    }

    /** At the home: a rank is lost, and waits for no update lock any more. */
    public void lost(int rank) {
        locks.lost(rank);
    }

    /** Takes an update lock, unless another member has it, or it is left to others. A full fence if it is taken. */
    boolean lockUpdates(int lock) {
        return locks.take(lock);
    }

    /** Gives an update lock back. */
    void unlockUpdates(int lock) {
        locks.giveBack(lock);
    }

    /**
     * Whether another member updates the home's windows by atomic accesses, or had done so before it was lost, and has
     * not logged it. At the home.
     */
    boolean isBeingUpdated() {
        if (locks.isAnyTaken()) {
            return true;
        }
        for (int source = 0; source < layout.ranks(); source++) {
            long n = source == home ? 0 : n(source);
            if (n == -1 || (n & LogDescriptor.NEEDS_ATOMIC) != 0) {
                return true;
            }
        }
        return false;
    }

    /** Whether sources must wait with atomic updates of the home's windows. */
    boolean isHeld() {
        return word(LogDescriptor.HEADER_HOLD) != 0;
    }

    /** The home wants no atomic updates of its windows to begin, or allows them again. At the home. */
    public void hold(boolean on) {
        word(LogDescriptor.HEADER_HOLD, on ? 1 : 0);
        complete();
        VarHandle.fullFence(); // whoever does not see it has an update lock, which is looked at after this
    }

    /** Chunks in use, kept ones included. */
    public long usedChunks() {
        return word(LogDescriptor.HEADER_USED);
    }

    /** Chunks that were ever in use: as many as there were at a time. */
    public long takenChunks() {
        return Math.min(word(LogDescriptor.HEADER_TAKEN), layout.chunks());
    }

    /** Chunks of one log. */
    public long chunksOf(int log) {
        return entryWord(log, LogDescriptor.ENTRY_CHUNKS);
    }

    /** Whose region it is. */
    public int home() {
        return home;
    }

    /** Whether the memory itself is accessed. */
    public boolean isMapped() {
        return direct != null;
    }

    /** The timeline that the region was prepared for. */
    public int timeline() {
        return (int) word(LogDescriptor.HEADER_TIMELINE);
    }

    /**
     * Takes over what an earlier incarnation of this member kept here: chunks that belong to it and are in none of its
     * logs; and entries that it took and wrote in no slot, when one is made. Before the first {@link LogWriter} is
     * opened; where the region lived on while its writer died.
     */
    public void adopt() {
        adopted = true;
        chunks.adopt();
    }
}
