package org.ftrma.messaging.transport;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

/**
 * A sender's own log of messages (Open MPI-V, 3.1: sender-based). Each target has chunks of its own, so that what an
 * image of the target covers is freed without looking at what others have not received. What was freed last is used
 * next, so that memory that stays in the cache is used while images are young. Data thread only; allocates nothing once
 * lists have grown.
 */
public final class SendLog {
    private static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();
    private static final long ENTRY = 40;
    private final MemorySegment memory;
    private final int chunks;
    private final int[] free;
    private int freeCount;
    private int fresh;
    private final Records[] targets;

    /** What is logged for one target. */
    private static final class Records {
        /** In the order of the numbers; the first {@code count} places count. */
        int[] chunks = new int[4];
        int[] used = new int[4];
        long[] last = new long[4];
        int count;
        /** The last number of a message so far, and the digest of all. */
        long sent;
        long digest;
        /** Messages up to this number were dropped though no image of the target was known to cover them. */
        long dropped;
        /** Messages up to this number are there already: they are not pushed. */
        long received;
        /** What is saved next needs no messages up to this number. */
        long settled;
        /** What is pushed next: a place in {@code chunks}, and in that chunk. */
        int pushChunk;
        int pushAt;

        void add(int chunk) {
            if (count == chunks.length) {
                chunks = Arrays.copyOf(chunks, 2 * count);
                used = Arrays.copyOf(used, 2 * count);
                last = Arrays.copyOf(last, 2 * count);
            }
            chunks[count] = chunk;
            used[count] = 0;
            last[count++] = 0;
        }

        void removeFirst(int some) {
            System.arraycopy(chunks, some, chunks, 0, count - some);
            System.arraycopy(used, some, used, 0, count - some);
            System.arraycopy(last, some, last, 0, count - some);
            count -= some;
            pushAt = pushChunk < some ? 0 : pushAt;
            pushChunk = Math.max(0, pushChunk - some);
        }
    }

    /** An empty log in exposed memory of {@link SendLogDescriptor#regionBytes}. */
    public SendLog(MemorySegment memory, int ranks) {
        this.memory = memory;
        this.chunks = (int) (memory.byteSize() / SendLogDescriptor.CHUNK);
        this.free = new int[chunks];
        this.targets = new Records[ranks];
    }

    /** As if nothing had ever been sent. */
    public void clear() {
        freeCount = 0;
        fresh = 0;
        Arrays.fill(targets, null);
    }

    private Records of(int target) {
        Records records = targets[target];
        if (records == null) {
            records = new Records();
            targets[target] = records;
        }
        return records;
    }

    private int takeChunk() {
        return freeCount > 0 ? free[--freeCount] : fresh < chunks ? fresh++ : -1;
    }

    /**
     * Adds a piece of a message; the first one takes the next number.
     *
     * @param done bytes of the message that the pieces before it have
     * @return the offset of its record; -1: there is no room, and nothing was done
     */
    public long append(int target, boolean isSynchronous, long tag, long total, long done, MemorySegment source,
        long offset, long length) {
        long at = room(target, length);
        if (at < 0) {
            return -1;
        }
        head(target, at, isSynchronous, tag, total, done, length);
        MemorySegment.copy(source, offset, memory, at + SendLogDescriptor.PAYLOAD, length);
        return at;
    }

    /**
     * Makes sure of the room for a whole message, which {@link #append} needs next.
     *
     * @return false: there is none
     */
    public boolean hasRoom(int target, long length) {
        Records records = of(target);
        int newest = records.count - 1;
        return freeCount > 0 || fresh < chunks
            || newest >= 0 && records.used[newest] + SendLogDescriptor.recordBytes(length) <= SendLogDescriptor.CHUNK;
    }

    /** The message of a record belongs to that call of a collective; without this, to none. */
    public void setCall(long record, long call) {
        memory.set(ValueLayout.JAVA_LONG, record + SendLogDescriptor.CALL, call);
    }

    /** Which call of a collective the message of a record belongs to; 0: none. */
    public long call(long record) {
        return word(record, SendLogDescriptor.CALL);
    }

    private long room(int target, long length) {
        Records records = of(target);
        int bytes = SendLogDescriptor.recordBytes(length);
        int newest = records.count - 1;
        if (newest < 0 || records.used[newest] + bytes > SendLogDescriptor.CHUNK) {
            int chunk = takeChunk();
            if (chunk < 0) {
                return -1;
            }
            records.add(chunk);
            newest++;
        }
        long at = (long) records.chunks[newest] * SendLogDescriptor.CHUNK + records.used[newest];
        records.used[newest] += bytes;
        return at;
    }

    private void head(int target, long at, boolean isSynchronous, long tag, long total, long done, long length) {
        Records records = targets[target];
        int flags = isSynchronous ? SendLogDescriptor.SYNCHRONOUS : 0;
        if (done == 0) {
            flags |= SendLogDescriptor.FIRST;
            records.sent++;
            records.digest = FrameDescriptor.digest(records.digest, tag, total);
        }
        if (done + length == total) {
            flags |= SendLogDescriptor.LAST;
        }
        records.last[records.count - 1] = records.sent;
        memory.set(ValueLayout.JAVA_LONG, at + SendLogDescriptor.NUMBER, records.sent);
        memory.set(ValueLayout.JAVA_LONG, at + SendLogDescriptor.TAG, tag);
        memory.set(ValueLayout.JAVA_LONG, at + SendLogDescriptor.TOTAL, total);
        memory.set(ValueLayout.JAVA_LONG, at + SendLogDescriptor.LENGTH, length << 8 | flags);
        memory.set(ValueLayout.JAVA_LONG, at + SendLogDescriptor.DIGEST, records.digest);
        memory.set(ValueLayout.JAVA_LONG, at + SendLogDescriptor.READ, records.sent <= records.received ? 1 : 0);
        memory.set(ValueLayout.JAVA_LONG, at + SendLogDescriptor.CALL, 0);
    }

    private long word(long record, long field) {
        return memory.get(ValueLayout.JAVA_LONG, record + field);
    }

    /** The number of the message of a record. */
    public long number(long record) {
        return word(record, SendLogDescriptor.NUMBER);
    }

    /** Its tag and context. */
    public long tag(long record) {
        return word(record, SendLogDescriptor.TAG);
    }

    /** Bytes of the message. */
    public long total(long record) {
        return word(record, SendLogDescriptor.TOTAL);
    }

    /** Bytes of the piece. */
    public long length(long record) {
        return word(record, SendLogDescriptor.LENGTH) >>> 8;
    }

    private boolean has(long record, int flag) {
        return (word(record, SendLogDescriptor.LENGTH) & flag) != 0;
    }

    /** Whether the piece is the first one of its message. */
    public boolean isFirst(long record) {
        return has(record, SendLogDescriptor.FIRST);
    }

    /** Whether the sender is to know when it was read. */
    public boolean isSynchronous(long record) {
        return has(record, SendLogDescriptor.SYNCHRONOUS);
    }

    /** Whether the piece was read. */
    public boolean isRead(long record) {
        return (long) LONG.getAcquire(memory, record + SendLogDescriptor.READ) != 0;
    }

    /** The memory that has the pieces: each is at {@link #payload}. */
    public MemorySegment memory() {
        return memory;
    }

    /** Where the piece of a record is. */
    public long payload(long record) {
        return record + SendLogDescriptor.PAYLOAD;
    }

    /** The record that is to be pushed next; -1: the target has all. */
    public long next(int target) {
        Records records = targets[target];
        while (records != null && records.pushChunk < records.count) {
            int chunk = records.pushChunk;
            if (records.pushAt < records.used[chunk]) {
                long record = (long) records.chunks[chunk] * SendLogDescriptor.CHUNK + records.pushAt;
                if (number(record) > records.received) {
                    return record;
                }
                pass(records, record);
            } else if (chunk == records.count - 1) {
                return -1;
            } else {
                records.pushChunk++;
                records.pushAt = 0;
            }
        }
        return -1;
    }

    private void pass(Records records, long record) {
        records.pushAt += SendLogDescriptor.recordBytes(length(record));
    }

    /** The record that {@link #next} told was pushed. */
    public void pushed(int target, long record) {
        pass(targets[target], record);
    }

    /**
     * The target has all messages up to that number, and what comes after it is pushed from here on.
     *
     * @return whether all of that is here
     */
    public boolean resume(int target, long received) {
        Records records = of(target);
        records.received = received;
        records.pushChunk = 0;
        records.pushAt = 0;
        long first = firstWhole(records);
        for (int i = 0; i < records.count; i++) {
            long base = (long) records.chunks[i] * SendLogDescriptor.CHUNK;
            for (long at = 0; at < records.used[i]; at += SendLogDescriptor.recordBytes(length(base + at))) {
                if (number(base + at) > received) {
                    return received >= first - 1;
                }
                memory.set(ValueLayout.JAVA_LONG, base + at + SendLogDescriptor.READ, 1);
            }
        }
        return received >= first - 1;
    }

    /** The number of the first message that is here from its beginning. */
    private long firstWhole(Records records) {
        if (records.count == 0) {
            return records.sent + 1;
        }
        long oldest = (long) records.chunks[0] * SendLogDescriptor.CHUNK;
        return isFirst(oldest) ? number(oldest) : number(oldest) + 1;
    }

    /** The digest of all messages to the target up to that number; 0: that is not known here. */
    public long digestAt(int target, long number) {
        Records records = targets[target];
        if (records == null || number == 0) {
            return 0;
        }
        if (number == records.sent) {
            return records.digest;
        }
        for (int i = 0; i < records.count; i++) {
            long base = (long) records.chunks[i] * SendLogDescriptor.CHUNK;
            for (long at = 0; at < records.used[i]; at += SendLogDescriptor.recordBytes(length(base + at))) {
                if (number(base + at) == number) {
                    return word(base + at, SendLogDescriptor.DIGEST);
                }
            }
        }
        return 0;
    }

    /** The number of the last message to a target. */
    public long sent(int target) {
        return targets[target] == null ? 0 : targets[target].sent;
    }

    /** Messages to the target up to this number were dropped though nothing was known to cover them. */
    public long dropped(int target) {
        return targets[target] == null ? 0 : targets[target].dropped;
    }

    /** Chunks that have messages to a target. */
    public int chunks(int target) {
        return targets[target] == null ? 0 : targets[target].count;
    }

    /** Chunks in use. */
    public int used() {
        return fresh - freeCount;
    }

    /** Chunks that there are. */
    public int size() {
        return chunks;
    }

    /** A committed image of the target covers all up to this number. */
    public void trim(int target, long covered) {
        Records records = targets[target];
        int some = 0;
        while (records != null && some < records.count && records.last[some] <= covered && isDone(records, some)) {
            free[freeCount++] = records.chunks[some++];
        }
        if (some > 0) {
            records.removeFirst(some);
        }
    }

    /** Whether nothing more of a chunk is to be pushed. */
    private static boolean isDone(Records records, int place) {
        return records.last[place] <= records.received || place < records.pushChunk
            || place == records.pushChunk && records.pushAt == records.used[place];
    }

    /** Drops what the target has received, whatever covers it; returns whether that gave room. */
    public boolean drop(int target, long received) {
        Records records = targets[target];
        if (records == null || records.count == 0 || records.last[0] > received || !isDone(records, 0)) {
            return false;
        }
        records.dropped = Math.max(records.dropped, records.last[0]);
        trim(target, records.last[0]);
        return true;
    }

    /** Bytes that {@link #save} writes at most. */
    public static long imageBytes(int ranks, long logBytes) {
        return Long.BYTES + ranks * ENTRY + logBytes / SendLogDescriptor.CHUNK * (Long.BYTES + SendLogDescriptor.CHUNK);
    }

    /**
     * The target's image that goes with the one that is taken next has received all up to this number: these messages
     * are not saved with it. Holds until it is said anew.
     */
    public void settle(int target, long number) {
        if (targets[target] != null) {
            targets[target].settled = number;
        }
    }

    /** Writes all that is not settled; returns the bytes that it took, a multiple of 8. */
    public long save(MemorySegment image, long offset) {
        long at = offset + Long.BYTES;
        long count = 0;
        for (int target = 0; target < targets.length; target++) {
            Records records = targets[target];
            if (records != null && records.sent > 0) {
                count++;
                at += save(target, records, image, at);
            }
        }
        image.set(ValueLayout.JAVA_LONG, offset, count);
        return at - offset;
    }

    private long save(int target, Records records, MemorySegment image, long offset) {
        int first = 0;
        while (first < records.count && records.last[first] <= records.settled && isDone(records, first)) {
            first++;
        }
        image.set(ValueLayout.JAVA_LONG, offset, target);
        image.set(ValueLayout.JAVA_LONG, offset + 8, records.sent);
        image.set(ValueLayout.JAVA_LONG, offset + 16, records.digest);
        image.set(ValueLayout.JAVA_LONG, offset + 24,
            first > 0 ? Math.max(records.dropped, records.last[first - 1]) : records.dropped);
        image.set(ValueLayout.JAVA_LONG, offset + 32, records.count - first);
        long at = offset + ENTRY;
        for (int i = first; i < records.count; i++) {
            image.set(ValueLayout.JAVA_LONG, at, records.used[i]);
            at += Long.BYTES;
            MemorySegment.copy(memory, (long) records.chunks[i] * SendLogDescriptor.CHUNK, image, at, records.used[i]);
            at += records.used[i];
        }
        return at - offset;
    }

    /** Puts back what {@link #save} wrote; returns the bytes read, or -1 if that is no such thing. */
    public long restore(MemorySegment image, long offset, long end) {
        clear();
        long count = offset + Long.BYTES <= end ? image.get(ValueLayout.JAVA_LONG, offset) : -1;
        if (count < 0 || count > targets.length) {
            return -1;
        }
        long at = offset + Long.BYTES;
        for (long i = 0; i < count; i++) {
            long read = restoreTarget(image, at, end);
            if (read < 0) {
                return -1;
            }
            at += read;
        }
        return at - offset;
    }

    private long restoreTarget(MemorySegment image, long offset, long end) {
        long target = offset + ENTRY <= end ? image.get(ValueLayout.JAVA_LONG, offset) : -1;
        if (target < 0 || target >= targets.length || targets[(int) target] != null) {
            return -1;
        }
        Records records = of((int) target);
        records.sent = image.get(ValueLayout.JAVA_LONG, offset + 8);
        records.digest = image.get(ValueLayout.JAVA_LONG, offset + 16);
        records.dropped = image.get(ValueLayout.JAVA_LONG, offset + 24);
        long count = image.get(ValueLayout.JAVA_LONG, offset + 32);
        long at = offset + ENTRY;
        for (long i = 0; i < count; i++) {
            long used = at + Long.BYTES <= end ? image.get(ValueLayout.JAVA_LONG, at) : -1;
            int chunk = used <= 0 || used > SendLogDescriptor.CHUNK || (used & 63) != 0
                || at + Long.BYTES + used > end ? -1 : takeChunk();
            if (chunk < 0) {
                return -1;
            }
            at += Long.BYTES;
            records.add(chunk);
            long base = (long) chunk * SendLogDescriptor.CHUNK;
            MemorySegment.copy(image, at, memory, base, used);
            records.used[records.count - 1] = (int) used;
            if (!areRecords(records, base, used)) {
                return -1;
            }
            at += used;
        }
        return count < 0 ? -1 : at - offset;
    }

    private boolean areRecords(Records records, long base, long used) {
        long at = 0;
        while (at < used) {
            long length = length(base + at);
            if (length < 0 || length > SendLogDescriptor.PIECE || number(base + at) > records.sent) {
                return false;
            }
            records.last[records.count - 1] = number(base + at);
            at += SendLogDescriptor.recordBytes(length);
        }
        return at == used;
    }
}
