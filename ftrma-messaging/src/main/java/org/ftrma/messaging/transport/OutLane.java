package org.ftrma.messaging.transport;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import org.ftrma.AtomicOp;
import org.ftrma.DataType;
import org.ftrma.spi.Fabric;
import org.ftrma.spi.RemoteMemory;

/**
 * The writing end of a lane: that of this rank at one target. Where the target's memory is mapped a frame is written in
 * place, and counts when its first word is there; else it is put, completed, and then its first word is put. Data
 * thread only; allocates nothing.
 */
public final class OutLane {
    private static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();
    private static final long NOWHERE = -1;
    private final Fabric fabric;
    private final int target;
    private final RemoteMemory remote;
    /** The target's inbox; null where it is reached over a network. */
    private final MemorySegment direct;
    /** Where a frame is made that goes over a network. */
    private final MemorySegment staging;
    private final long laneBytes;
    private final long lane;
    private final long headAt;
    private final long sender;
    private final long senderBit;
    /** Bytes written so far, those left out at the lane's end included. */
    private long position;
    private long offset;
    private long head;
    /** Where in the lane a zero was written ahead, as it must stand behind the next frame; -1: nowhere. */
    private long zeroed = NOWHERE;
    private long number;

    /**
     * A lane that nothing was written to in this view.
     *
     * @param staging room for the longest frame and a word; unused where memory is mapped
     */
    public OutLane(Fabric fabric, int member, int ranks, int target, RemoteMemory inbox, long laneBytes,
        MemorySegment staging) {
        this.fabric = fabric;
        this.target = target;
        this.remote = inbox;
        this.direct = fabric.isImmediate(target) ? inbox.mapped() : null;
        this.staging = staging;
        this.laneBytes = laneBytes;
        this.lane = FrameDescriptor.laneOffset(ranks, laneBytes, member);
        this.headAt = FrameDescriptor.headOffset(ranks, member);
        this.sender = FrameDescriptor.senderOffset(member);
        this.senderBit = 1L << (member & 63);
    }

    /** The first message here has the number after that; nothing was sent yet. */
    public void startAfter(long last) {
        number = last;
    }

    /** The last number of those messages of this rank that the target has all received. */
    public long received() {
        return word(FrameDescriptor.RECEIVED);
    }

    /** The digest of these. */
    public long receivedDigest() {
        return word(FrameDescriptor.RECEIVED_DIGEST);
    }

    /** The last number of those that a committed image of the target includes as received. */
    public long covered() {
        return word(FrameDescriptor.COVERED);
    }

    private long word(long offsetInWords) {
        return direct != null ? (long) LONG.getAcquire(direct, headAt + offsetInWords)
            : remote.getLong(headAt + offsetInWords);
    }

    /** Messages begun so far. */
    public long messages() {
        return number;
    }

    /**
     * Sends a frame with a whole message; false: there is no room, and nothing was done.
     *
     * @param call which call of a collective it belongs to, 0: none
     */
    public boolean eager(int tag, int context, long call, MemorySegment source, long sourceOffset, long length) {
        long at = begin(length);
        if (at < 0) {
            return false;
        }
        number++;
        MemorySegment memory = direct != null ? direct : staging;
        long base = direct != null ? lane + at : 0;
        MemorySegment.copy(source, sourceOffset, memory, base + FrameDescriptor.PAYLOAD, length);
        end(at, FrameDescriptor.EAGER, FrameDescriptor.tag(tag, context), call, length, length);
        return true;
    }

    /** Sends a frame with a message that is one value. */
    public boolean eager(int tag, int context, long value) {
        long at = begin(Long.BYTES);
        if (at < 0) {
            return false;
        }
        number++;
        MemorySegment memory = direct != null ? direct : staging;
        long base = direct != null ? lane + at : 0;
        memory.set(ValueLayout.JAVA_LONG, base + FrameDescriptor.PAYLOAD, value);
        end(at, FrameDescriptor.EAGER, FrameDescriptor.tag(tag, context), 0, Long.BYTES, Long.BYTES);
        return true;
    }

    /**
     * Sends a frame that says where a piece of a message lies.
     *
     * @param slot its place in what it is pulled from
     * @param isFirst whether the message begins with it
     * @param call which call of a collective the message belongs to, 0: none
     * @param total bytes of the message
     */
    public boolean piece(boolean isFirst, int tag, int context, long call, long total, long slot, long bytes) {
        long at = begin(FrameDescriptor.PLACE);
        if (at < 0) {
            return false;
        }
        if (isFirst) {
            number++;
        }
        MemorySegment memory = direct != null ? direct : staging;
        long base = (direct != null ? lane + at : 0) + FrameDescriptor.PAYLOAD;
        memory.set(ValueLayout.JAVA_LONG, base, slot);
        memory.set(ValueLayout.JAVA_LONG, base + Long.BYTES, bytes);
        end(at, isFirst ? FrameDescriptor.FIRST : FrameDescriptor.NEXT, FrameDescriptor.tag(tag, context), call,
            total, FrameDescriptor.PLACE);
        return true;
    }

    /** Where the next frame goes in the lane; -1: there is no room for it and the word behind it. */
    private long begin(long payload) {
        long frame = FrameDescriptor.frameBytes(payload);
        boolean wraps = offset + frame > laneBytes;
        long end = position + (wraps ? laneBytes - offset : 0) + frame + FrameDescriptor.LINE;
        if (end - head > laneBytes) {
            head = direct != null ? (long) LONG.getAcquire(direct, headAt) : remote.getLong(headAt);
            if (end - head > laneBytes) {
                return -1;
            }
        }
        if (position == 0) {
            remote.op(AtomicOp.BOR, DataType.INT64, sender, senderBit); // there before anything that it announces
        }
        return wraps ? 0 : offset;
    }

    private void end(long at, int kind, long tag, long call, long total, long payload) {
        MemorySegment memory = direct != null ? direct : staging;
        long base = direct != null ? lane + at : 0;
        memory.set(ValueLayout.JAVA_LONG, base + FrameDescriptor.TAG, tag);
        memory.set(ValueLayout.JAVA_LONG, base + FrameDescriptor.NUMBER, number);
        memory.set(ValueLayout.JAVA_LONG, base + FrameDescriptor.TOTAL, total);
        memory.set(ValueLayout.JAVA_LONG, base + FrameDescriptor.CALL, call);
        long frame = FrameDescriptor.frameBytes(payload);
        long next = at + frame == laneBytes ? 0 : at + frame;
        boolean wraps = at != offset;
        long header = FrameDescriptor.header(kind, payload);
        if (direct != null) {
            if (next != zeroed) {
                LONG.set(direct, lane + next, 0L);
            }
            if (wraps) {
                LONG.set(direct, lane + at, header);
            }
            LONG.setRelease(direct, lane + offset, wraps ? FrameDescriptor.WRAP : header);
        } else {
            publish(at, next, frame, wraps, header);
        }
        position += frame + (wraps ? laneBytes - offset : 0);
        offset = next;
        if (direct != null) {
            zeroAhead();
        }
    }

    /**
     * If the next frame is a short one, the zero behind it stands there already: its line, which the target has read
     * last or which is in no cache, is fetched while this frame is on its way, and the next one need not wait for it.
     */
    private void zeroAhead() {
        if (position + 2 * FrameDescriptor.LINE - head > laneBytes) {
            zeroed = NOWHERE; // what is there may not have been taken out
            return;
        }
        zeroed = offset + FrameDescriptor.LINE == laneBytes ? 0 : offset + FrameDescriptor.LINE;
        LONG.set(direct, lane + zeroed, 0L);
    }

    /** Whether a frame is there as soon as it was sent. */
    public boolean isDirect() {
        return direct != null;
    }

    private void publish(long at, long next, long frame, boolean wraps, long header) {
        if (wraps) {
            staging.set(ValueLayout.JAVA_LONG, 0, header);
        }
        long from = wraps ? 0 : Long.BYTES;
        long behind = next == 0 ? 0 : Long.BYTES;
        staging.set(ValueLayout.JAVA_LONG, frame, 0);
        remote.put(staging, from, lane + at + from, frame + behind - from);
        if (next == 0) {
            remote.putLong(lane, 0);
        }
        fabric.flush(target);
        remote.putLong(lane + offset, wraps ? FrameDescriptor.WRAP : header);
    }
}
