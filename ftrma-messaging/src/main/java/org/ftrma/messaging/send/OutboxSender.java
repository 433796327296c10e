package org.ftrma.messaging.send;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.ftrma.messaging.transport.OutLane;
import org.ftrma.messaging.transport.Outbox;
import org.ftrma.messaging.transport.OutboxDescriptor;

/**
 * Sends messages that nobody keeps: long ones wait in an outbox until they are received. Data thread only; allocates
 * nothing.
 */
public final class OutboxSender implements Sender {
    private final PeerMemories peers;
    private final long eagerBytes;
    private final Outbox outbox;
    private final OutLane[] lanes;
    private final SendQueues queues;
    /** The targets that something waits to be sent to. */
    private final int[] waiting;
    private int waitingCount;
    /** Synchronous sends whose receivers have not read all. */
    private int synchronous;
    /** Room to make a frame in. */
    private final MemorySegment staging;

    /** Sends messages of up to so many bytes in one frame; {@code staging} is room to make one in. */
    public OutboxSender(PeerMemories peers, Outbox outbox, int ranks, long eagerBytes, MemorySegment staging) {
        this.peers = peers;
        this.outbox = outbox;
        this.eagerBytes = eagerBytes;
        this.lanes = new OutLane[ranks];
        this.queues = new SendQueues(ranks);
        this.waiting = new int[ranks];
        this.staging = staging;
    }

    @Override
    public void clear() {
        Arrays.fill(lanes, null);
        queues.clear();
        waitingCount = 0;
        synchronous = 0;
        outbox.clear();
    }

    private OutLane lane(int target) {
        OutLane lane = lanes[target];
        if (lane == null) {
            lane = peers.laneTo(target, staging);
            lanes[target] = lane;
        }
        return lane;
    }

    @Override
    public boolean sendNow(MemorySegment source, long offset, long length, int context, int target, int tag,
        long call) {
        return length <= eagerBytes && queues.isEmpty(target)
            && lane(target).eager(tag, context, call, source, offset, length);
    }

    @Override
    public boolean sendNow(long value, int context, int target, int tag) {
        return queues.isEmpty(target) && lane(target).eager(tag, context, value);
    }

    @Override
    public void begin(SendRequest send) {
        int target = send.peer();
        if (queues.isEmpty(target)) {
            waiting[waitingCount++] = target;
        }
        queues.add(send);
        if (send.isSynchronous) {
            synchronous++;
        }
        push(target);
        for (int i = waitingCount - 1; i >= 0 && queues.isEmpty(target); i--) {
            if (waiting[i] == target) {
                waiting[i] = waiting[--waitingCount];
            }
        }
    }

    @Override
    public void progress() {
        if (synchronous > 0) {
            outbox.reclaim();
        }
        for (int i = waitingCount - 1; i >= 0; i--) {
            int target = waiting[i];
            push(target);
            if (queues.isEmpty(target)) {
                waiting[i] = waiting[--waitingCount];
            }
        }
    }

    @Override
    public void over(SendRequest send) {
        if (send.isSynchronous) {
            synchronous--;
        }
    }

    private void push(int target) {
        OutLane lane = lane(target);
        for (SendRequest one = queues.first(target); one != null && isSent(lane, one); one = queues.first(target)) {
            queues.removeFirst(target);
            if (!one.isSynchronous) {
                one.complete();
            }
            one.completeIfRead();
        }
    }

    private boolean isSent(OutLane lane, SendRequest send) {
        if (send.length <= eagerBytes && !send.isSynchronous) {
            send.hasBegun = lane.eager(send.tag, send.context, send.call, send.segment, send.offset, send.length);
            send.bytes = send.hasBegun ? send.length : 0;
            return send.hasBegun;
        }
        while (!send.hasBegun || send.bytes < send.length) {
            if (send.heldSlot < 0) {
                send.heldBytes = Math.min(OutboxDescriptor.SLOT, send.length - send.bytes);
                send.heldSlot = outbox.fill(send.segment, send.offset + send.bytes, send.heldBytes,
                    send.isSynchronous ? send : null);
                if (send.heldSlot < 0) {
                    return false;
                }
                send.unread++;
            }
            if (!lane.piece(!send.hasBegun, send.tag, send.context, send.call, send.length, send.heldSlot,
                send.heldBytes)) {
                return false;
            }
            send.hasBegun = true;
            send.bytes += send.heldBytes;
            send.heldSlot = -1;
        }
        return true;
    }

    @Override
    public long mostBytes() {
        return Long.MAX_VALUE; // its pieces are read while others are sent
    }

    @Override
    public boolean lacksRoom() {
        return waitingCount > 0;
    }

    @Override
    public String describe() {
        return !lacksRoom() ? "nothing waits to be sent" : "messages wait to be sent to " + waitingCount
            + " ranks, for room in a lane (--lane) or in the outbox (--outbox, " + outbox.used()
            + " pieces were not read yet)";
    }
}
