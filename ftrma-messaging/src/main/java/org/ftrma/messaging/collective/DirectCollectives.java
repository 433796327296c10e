package org.ftrma.messaging.collective;

import java.lang.foreign.MemorySegment;
import org.ftrma.AtomicOp;
import org.ftrma.DataType;
import org.ftrma.MessageRequest;
import org.ftrma.messaging.match.ChannelMembers;
import org.ftrma.messaging.match.HeldRequests;
import org.ftrma.messaging.receive.PointToPoint;

/**
 * Begins the collectives of a channel that do not block. All that a rank sends in one goes when it is called, directly
 * to who needs it. Along a tree, what a rank passes on would go when a message has come, between others that the
 * program sends to the same rank: where messages are logged a replay could not tell in which order. So the messages of
 * a rank to another are the same in each run, and no event is needed. Data thread only; allocates nothing once lists
 * have grown.
 */
public final class DirectCollectives {
    private final PointToPoint messages;
    private final OpenCollectives opened;
    private final HeldRequests held;
    private final ChannelMembers channel;
    private final CollectiveSequence sequence;
    private final int size;
    private final int rank;
    /** That which is being begun. */
    private OpenCollective present;
    private int tag;
    private long call;

    /** Collectives of a channel, in that sequence; the program holds their requests. */
    public DirectCollectives(PointToPoint messages, OpenCollectives opened, HeldRequests held, ChannelMembers channel,
        CollectiveSequence sequence) {
        this.messages = messages;
        this.opened = opened;
        this.held = held;
        this.channel = channel;
        this.sequence = sequence;
        this.size = channel.size();
        this.rank = channel.rank();
    }

    private void begin(long newCall) {
        call = ChannelCall.begun(newCall);
        tag = sequence.open(call);
        present = opened.fresh();
        present.begin(channel, sequence, tag, call);
    }

    private MessageRequest begun() {
        opened.begun(present);
        return held.add(present);
    }

    private void send(MemorySegment source, long offset, long length, int target) {
        int member = channel.member(target);
        int context = channel.collectiveContext();
        if (!messages.sendNow(source, offset, length, context, member, tag, call)) {
            present.add(messages.beginSend(channel, source, offset, length, context, member, tag, call));
        }
    }

    private void receive(MemorySegment destination, long offset, long length, int source) {
        present.add(messages.beginReceive(channel, destination, offset, length, channel.member(source), tag, null));
    }

    /** The others, each rank from its neighbour on, so that not all send to the same one first. */
    private int other(int distance) {
        return (rank + distance) % size;
    }

    /** Is complete when all ranks have come. */
    public MessageRequest barrier() {
        begin(ChannelCall.of(ChannelCall.Kind.BARRIER, 0, 0));
        MemorySegment nothing = messages.cell();
        for (int distance = 1; distance < size; distance++) {
            send(nothing, 0, 0, other(distance));
        }
        for (int distance = 1; distance < size; distance++) {
            receive(nothing, 0, 0, other(distance));
        }
        return begun();
    }

    /** All ranks get the data of one. */
    public MessageRequest broadcast(MemorySegment data, int root) {
        long bytes = data.byteSize();
        begin(ChannelCall.of(ChannelCall.Kind.BROADCAST, root, bytes));
        if (rank != root) {
            receive(data, 0, bytes, root);
        } else {
            sendToAll(data, bytes);
        }
        return begun();
    }

    private void sendToAll(MemorySegment data, long bytes) {
        for (int distance = 1; distance < size; distance++) {
            send(data, 0, bytes, other(distance));
        }
    }

    /** One rank gets the elements of all, combined. */
    public MessageRequest reduce(AtomicOp op, DataType type, MemorySegment source, MemorySegment destination,
        int root) {
        long bytes = source.byteSize();
        begin(ChannelCall.of(ChannelCall.Kind.REDUCE, op, type, root, bytes));
        if (rank != root) {
            send(source, 0, bytes, root);
        } else {
            receiveAll(source, root);
            present.endsWith(OpenCollective.Ending.TREE, op, type, destination);
        }
        return begun();
    }

    /** All ranks get the elements of all, combined. */
    public MessageRequest allReduce(AtomicOp op, DataType type, MemorySegment source, MemorySegment destination) {
        begin(ChannelCall.of(ChannelCall.Kind.ALL_REDUCE, op, type, 0, source.byteSize()));
        sendToAll(source, source.byteSize());
        receiveAll(source, 0);
        present.endsWith(OpenCollective.Ending.TREE, op, type, destination);
        return begun();
    }

    /** Of all ranks, by their positions from the root. */
    private void receiveAll(MemorySegment source, int root) {
        long bytes = source.byteSize();
        MemorySegment all = present.scratch(size * bytes);
        MemorySegment.copy(source, 0, all, (rank - root + size) % size * bytes, bytes);
        for (int distance = 1; distance < size; distance++) {
            int other = other(distance);
            receive(all, (other - root + size) % size * bytes, bytes, other);
        }
    }

    /** One rank gets the parts of all. */
    public MessageRequest gather(MemorySegment source, MemorySegment destination, int root) {
        begin(ChannelCall.of(ChannelCall.Kind.GATHER, root, source.byteSize()));
        if (rank != root) {
            send(source, 0, source.byteSize(), root);
        } else {
            receiveParts(source, destination);
        }
        return begun();
    }

    /** All ranks get the parts of all. */
    public MessageRequest allGather(MemorySegment source, MemorySegment destination) {
        begin(ChannelCall.of(ChannelCall.Kind.ALL_GATHER, 0, source.byteSize()));
        sendToAll(source, source.byteSize());
        receiveParts(source, destination);
        return begun();
    }

    private void receiveParts(MemorySegment source, MemorySegment destination) {
        long bytes = source.byteSize();
        MemorySegment.copy(source, 0, destination, rank * bytes, bytes);
        for (int distance = 1; distance < size; distance++) {
            receive(destination, other(distance) * bytes, bytes, other(distance));
        }
    }

    /** Each rank gets its part of the data of one. */
    public MessageRequest scatter(MemorySegment source, MemorySegment destination, int root) {
        long bytes = destination.byteSize();
        begin(ChannelCall.of(ChannelCall.Kind.SCATTER, root, bytes));
        if (rank != root) {
            receive(destination, 0, bytes, root);
        } else {
            for (int distance = 1; distance < size; distance++) {
                send(source, other(distance) * bytes, bytes, other(distance));
            }
            MemorySegment.copy(source, rank * bytes, destination, 0, bytes);
        }
        return begun();
    }

    /** Each rank gets a part of each. */
    public MessageRequest allToAll(MemorySegment source, MemorySegment destination) {
        long bytes = source.byteSize() / size;
        begin(ChannelCall.of(ChannelCall.Kind.ALL_TO_ALL, 0, bytes));
        for (int distance = 1; distance < size; distance++) {
            send(source, other(distance) * bytes, bytes, other(distance));
        }
        MemorySegment.copy(source, rank * bytes, destination, rank * bytes, bytes);
        for (int distance = 1; distance < size; distance++) {
            receive(destination, other(distance) * bytes, bytes, other(distance));
        }
        return begun();
    }

    /** Each rank gets a part of each. */
    public MessageRequest allToAll(MemorySegment source, long[] sendOffsets, long[] sendBytes,
        MemorySegment destination, long[] recvOffsets, long[] recvBytes) {
        begin(ChannelCall.of(ChannelCall.Kind.UNEQUAL_ALL_TO_ALL, 0, 0));
        for (int distance = 1; distance < size; distance++) {
            int to = other(distance);
            send(source, sendOffsets[to], sendBytes[to], to);
        }
        MemorySegment.copy(source, sendOffsets[rank], destination, recvOffsets[rank], sendBytes[rank]);
        for (int distance = 1; distance < size; distance++) {
            int from = other(distance);
            receive(destination, recvOffsets[from], recvBytes[from], from);
        }
        return begun();
    }

    /** Each rank gets the elements of all up to it, combined. */
    public MessageRequest scan(AtomicOp op, DataType type, MemorySegment source, MemorySegment destination) {
        long bytes = source.byteSize();
        begin(ChannelCall.of(ChannelCall.Kind.SCAN, op, type, 0, bytes));
        for (int above = rank + 1; above < size; above++) {
            send(source, 0, bytes, above);
        }
        MemorySegment all = present.scratch((rank + 1) * bytes);
        MemorySegment.copy(source, 0, all, rank * bytes, bytes);
        for (int below = 0; below < rank; below++) {
            receive(all, below * bytes, bytes, below);
        }
        present.endsWith(OpenCollective.Ending.PREFIX, op, type, destination);
        return begun();
    }
}
