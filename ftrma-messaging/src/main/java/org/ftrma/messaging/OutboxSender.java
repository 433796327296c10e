package org.ftrma.messaging;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.ftrma.messaging.transport.OutLane;
import org.ftrma.messaging.transport.Outbox;
import org.ftrma.messaging.transport.OutboxDescriptor;

/**
 * A sender whose messages are gone once they are received: long ones wait in an outbox until then. Data thread only;
 * allocates nothing.
 */
final class OutboxSender implements Sender {
    private final Messages messages;
    private final long eagerBytes;
    private final Outbox outbox;
    private final OutLane[] lanes;
    private final MessageRequestImpl[] firstOf;
    private final MessageRequestImpl[] lastOf;
    /** The targets that something waits to be sent to. */
    private final int[] waiting;
    private int waitingCount;
    /** Synchronous sends whose receivers have not read all. */
    private int synchronous;
    /** Room to make a frame in. */
    private final MemorySegment staging;

    OutboxSender(Messages messages, Outbox outbox, int ranks, long eagerBytes, MemorySegment staging) {
        this.messages = messages;
        this.outbox = outbox;
        this.eagerBytes = eagerBytes;
        this.lanes = new OutLane[ranks];
        this.firstOf = new MessageRequestImpl[ranks];
        this.lastOf = new MessageRequestImpl[ranks];
        this.waiting = new int[ranks];
        this.staging = staging;
    }

    @Override
    public void clear() {
        Arrays.fill(lanes, null);
        Arrays.fill(firstOf, null);
        Arrays.fill(lastOf, null);
        waitingCount = 0;
        synchronous = 0;
        outbox.clear();
    }

    private OutLane lane(int target) {
        OutLane lane = lanes[target];
        if (lane == null) {
            lane = messages.laneTo(target, staging);
            lanes[target] = lane;
        }
        return lane;
    }

    @Override
    public boolean sendNow(MemorySegment source, long offset, long length, int context, int target, int tag,
        long call) {
        return length <= eagerBytes && firstOf[target] == null
            && lane(target).eager(tag, context, call, source, offset, length);
    }

    @Override
    public boolean sendNow(long value, int context, int target, int tag) {
        return firstOf[target] == null && lane(target).eager(tag, context, value);
    }

    @Override
    public void begin(MessageRequestImpl send) {
        int target = send.peer;
        send.next = null;
        if (firstOf[target] == null) {
            firstOf[target] = send;
            waiting[waitingCount++] = target;
        } else {
            lastOf[target].next = send;
        }
        lastOf[target] = send;
        if (send.isSynchronous) {
            synchronous++;
        }
        push(target);
        for (int i = waitingCount - 1; i >= 0 && firstOf[target] == null; i--) {
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
            if (firstOf[target] == null) {
                waiting[i] = waiting[--waitingCount];
            }
        }
    }

    @Override
    public void over(MessageRequestImpl send) {
        if (send.isSynchronous) {
            synchronous--;
        }
    }

    private void push(int target) {
        OutLane lane = lane(target);
        for (MessageRequestImpl one = firstOf[target]; one != null && isSent(lane, one); one = firstOf[target]) {
            firstOf[target] = one.next;
            one.next = null;
            if (!one.isSynchronous) {
                one.isComplete = true;
            }
            one.completeIfRead();
        }
    }

    private boolean isSent(OutLane lane, MessageRequestImpl send) {
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
