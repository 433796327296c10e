package org.ftrma.messaging.receive;

import java.lang.foreign.MemorySegment;
import java.util.function.LongFunction;
import org.ftrma.DeadlineException;
import org.ftrma.Message;
import org.ftrma.MisuseException;
import org.ftrma.messaging.match.ChannelMembers;
import org.ftrma.messaging.match.Expectation;
import org.ftrma.messaging.match.PendingRequest;
import org.ftrma.messaging.match.ReceiveRequest;
import org.ftrma.messaging.send.PatientSender;
import org.ftrma.messaging.send.SendRequest;

/** Sends, receives and waits of a rank, as channels and collectives use them. Data thread only. */
public final class PointToPoint {
    private final PatientSender sender;
    private final MessageProgress progress;
    private final MessageWaiter waiter;
    private final RequestTable requests;
    private final Receiver receiver;
    private final LongFunction<MemorySegment> memory;
    private final MemorySegment cell;

    /** Of these parts; {@code memory} makes some of the rank's own, of so many bytes. */
    public PointToPoint(PatientSender sender, MessageProgress progress, MessageWaiter waiter, RequestTable requests,
        Receiver receiver, LongFunction<MemorySegment> memory) {
        this.sender = sender;
        this.progress = progress;
        this.waiter = waiter;
        this.requests = requests;
        this.receiver = receiver;
        this.memory = memory;
        this.cell = memory.apply(Long.BYTES);
    }

    /** Room for one value, until the next call. */
    public MemorySegment cell() {
        return cell;
    }

    /** Memory of the rank's own that stays. */
    public MemorySegment allocate(long bytes) {
        return memory.apply(bytes);
    }

    /** Sends at once, if there is room; false: nothing was done. */
    public boolean sendNow(MemorySegment source, long offset, long length, int context, int target, int tag,
        long call) {
        return sender.sendNow(source, offset, length, context, target, tag, call);
    }

    /** Sends one value at once, if there is room; false: nothing was done. */
    public boolean sendNow(long value, int context, int target, int tag) {
        return sender.sendNow(value, context, target, tag);
    }

    /** Begins a send; see {@link SendRequest#begin}. */
    public SendRequest beginSend(ChannelMembers channel, MemorySegment source, long offset, long length, int context,
        int target, int tag, long call) {
        SendRequest send = requests.freshSend();
        send.begin(channel, source, offset, length, context, target, tag, call);
        sender.begin(send);
        return send;
    }

    /** Begins a send of the program, which is perhaps complete only when its message was received. */
    public SendRequest beginSend(ChannelMembers channel, MemorySegment source, long offset, long length, int target,
        int tag, boolean isSynchronous) {
        SendRequest send = requests.freshSend();
        send.begin(channel, source, offset, length, channel.context(), target, tag, 0);
        send.isSynchronous(isSynchronous);
        sender.begin(send);
        return send;
    }

    /** A receive that is to be posted. */
    public ReceiveRequest freshReceive() {
        return requests.freshReceive();
    }

    /** The probe of a channel. */
    public ReceiveRequest probe() {
        return requests.probe();
    }

    /** Posts a receive that has begun. */
    public void post(ReceiveRequest receive) {
        progress.post(receive);
    }

    /** Begins a receive of a collective, and posts it; {@code collective} null: one that does not block. */
    public ReceiveRequest beginReceive(ChannelMembers channel, MemorySegment destination, long offset, long length,
        int source, int tag, Expectation collective) {
        ReceiveRequest receive = requests.freshReceive();
        receive.begin(channel, destination, offset, length, channel.collectiveContext(), source, tag);
        receive.isPartOf(collective);
        progress.post(receive);
        return receive;
    }

    /** Waits until a request is complete. */
    public void await(PendingRequest request) {
        waiter.await(request);
    }

    /** Nobody waits any longer for a request. */
    public void endEarly(PendingRequest request) {
        requests.endEarly(request);
    }

    /** Waits for a send of a call that gives the program no request: nothing is left when it has ended. */
    public void finish(SendRequest send) {
        try {
            waiter.awaitNamed(send);
        } catch (DeadlineException e) {
            requests.endEarly(send);
            throw new DeadlineException(e.getMessage() + "; the message counts as sent: it goes when there is room, "
                + "and is not to be sent again");
        } catch (MisuseException e) {
            requests.endEarly(send);
            throw e;
        }
        send.over();
    }

    /** Waits for a receive of a call that gives the program no request: nothing is left when it has ended. */
    public Message finish(ReceiveRequest receive) {
        try {
            waiter.awaitNamed(receive);
        } catch (DeadlineException e) {
            if (!receive.isTooLong()) {
                requests.endEarly(receive);
                throw e;
            }
            receiver.withdraw(receive); // nothing can come of it but that it does not fit
        } catch (MisuseException e) {
            requests.endEarly(receive);
            throw e;
        }
        receive.over();
        return receive.message();
    }
}
