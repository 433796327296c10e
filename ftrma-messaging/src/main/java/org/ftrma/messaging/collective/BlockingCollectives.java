package org.ftrma.messaging.collective;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.ftrma.AtomicOp;
import org.ftrma.DataType;
import org.ftrma.DeadlineException;
import org.ftrma.MisuseException;
import org.ftrma.messaging.match.ChannelMembers;
import org.ftrma.messaging.match.Expectation;
import org.ftrma.messaging.match.PendingRequest;
import org.ftrma.messaging.match.ReceiveRequest;
import org.ftrma.messaging.receive.PointToPoint;
import org.ftrma.messaging.send.SendRequest;
import org.ftrma.spi.Elements;

/**
 * Runs the blocking collectives of a channel, over messages of its own. Broadcasts and reductions go along a tree in
 * which each rank has two children, in pieces, so that all levels work at once. A reduction combines the own elements,
 * then those of the first child, then those of the second, whatever arrives first: its bits depend on nothing but the
 * ranks. Data thread only; allocates nothing.
 */
public final class BlockingCollectives implements Expectation {
    private static final int CHILDREN = 2;
    private static final long PIECE = 64 << 10;
    private final PointToPoint messages;
    private final ChannelMembers channel;
    private final CollectiveSequence sequence;
    private final int size;
    private MemorySegment sum;
    private MemorySegment part;

    /** Collectives of a channel, in that sequence. */
    public BlockingCollectives(PointToPoint messages, ChannelMembers channel, CollectiveSequence sequence) {
        this.messages = messages;
        this.channel = channel;
        this.sequence = sequence;
        this.size = channel.size();
    }

    private void makeRoom() {
        if (sum == null) {
            sum = messages.allocate(PIECE);
            part = messages.allocate(PIECE);
        }
    }

    static int firstChild(int position) {
        return CHILDREN * position + 1;
    }

    private static int parent(int position) {
        return (position - 1) / CHILDREN;
    }

    /** The number of a rank whose position from the root is that. */
    private int at(int position, int root) {
        return (position + root) % size;
    }

    private int position(int root) {
        return (channel.rank() - root + size) % size;
    }

    private void send(MemorySegment source, long offset, long length, int target, int tag) {
        int member = channel.member(target);
        long call = sequence.call();
        int context = channel.collectiveContext();
        if (!messages.sendNow(source, offset, length, context, member, tag, call)) {
            SendRequest request = messages.beginSend(channel, source, offset, length, context, member, tag, call);
            await(request);
            request.end();
        }
    }

    private ReceiveRequest beginReceive(MemorySegment destination, long offset, long length, int source, int tag) {
        return messages.beginReceive(channel, destination, offset, length, channel.member(source), tag, this);
    }

    private void receive(MemorySegment destination, long offset, long length, int source, int tag) {
        finish(beginReceive(destination, offset, length, source, tag));
    }

    private void await(PendingRequest request) {
        try {
            messages.await(request);
        } catch (MisuseException e) {
            messages.endEarly(request);
            throw sequence.told(e);
        } catch (DeadlineException e) {
            messages.endEarly(request);
            throw sequence.told(e);
        }
    }

    private void finish(ReceiveRequest request) {
        await(request);
        request.end();
        MisuseException refusal = sequence.refusal(request);
        if (refusal != null) {
            throw sequence.told(refusal);
        }
    }

    @Override
    public void requirePossible(ReceiveRequest receive) {
        sequence.requirePossible(receive);
    }

    /** Returns when all ranks have come. */
    public void barrier() {
        int tag = sequence.next(ChannelCall.of(ChannelCall.Kind.BARRIER, 0, 0));
        makeRoom();
        int position = position(0);
        for (int child = CHILDREN * position + 1; child <= CHILDREN * position + CHILDREN && child < size; child++) {
            receive(part, 0, 0, child, tag);
        }
        if (position > 0) {
            send(part, 0, 0, parent(position), tag);
            receive(part, 0, 0, parent(position), tag);
        }
        for (int child = CHILDREN * position + 1; child <= CHILDREN * position + CHILDREN && child < size; child++) {
            send(part, 0, 0, child, tag);
        }
    }

    /** All ranks get the data of one. */
    public void broadcast(MemorySegment data, int root) {
        broadcast(data, root, sequence.next(ChannelCall.of(ChannelCall.Kind.BROADCAST, root, data.byteSize())));
    }

    private void broadcast(MemorySegment data, int root, int tag) {
        long bytes = data.byteSize();
        long offset = 0;
        do {
            long length = Math.min(PIECE, bytes - offset);
            broadcast(data, offset, length, root, tag);
            offset += length;
        } while (offset < bytes);
    }

    private void broadcast(MemorySegment data, long offset, long length, int root, int tag) {
        int position = position(root);
        if (position > 0) {
            receive(data, offset, length, at(parent(position), root), tag);
        }
        for (int child = CHILDREN * position + 1; child <= CHILDREN * position + CHILDREN && child < size; child++) {
            send(data, offset, length, at(child, root), tag);
        }
    }

    /** One rank gets the elements of all, combined. */
    public void reduce(AtomicOp op, DataType type, MemorySegment source, MemorySegment destination, int root) {
        reduce(op, type, source, destination, root,
            sequence.next(ChannelCall.of(ChannelCall.Kind.REDUCE, op, type, root, source.byteSize())));
    }

    private void reduce(AtomicOp op, DataType type, MemorySegment source, MemorySegment destination, int root,
        int tag) {
        makeRoom();
        long bytes = source.byteSize();
        for (long offset = 0; offset < bytes; offset += PIECE) {
            long length = Math.min(PIECE, bytes - offset);
            MemorySegment.copy(source, offset, sum, 0, length);
            reduce(op, type, length, root, tag);
            if (channel.rank() == root) {
                MemorySegment.copy(sum, 0, destination, offset, length);
            }
        }
    }

    /** Combines what is in {@code sum}. */
    private void reduce(AtomicOp op, DataType type, long length, int root, int tag) {
        int position = position(root);
        for (int child = CHILDREN * position + 1; child <= CHILDREN * position + CHILDREN && child < size; child++) {
            receive(part, 0, length, at(child, root), tag);
            combine(op, type, sum, 0, part, 0, length);
        }
        if (position > 0) {
            send(sum, 0, length, at(parent(position), root), tag);
        }
    }

    /** Each element of the sum becomes that of the operation on it and the part's. */
    static void combine(AtomicOp op, DataType type, MemorySegment sum, long sumAt, MemorySegment part, long partAt,
        long length) {
        Elements.combine(op, type, sum, sumAt, part, partAt, sum, sumAt, length);
    }

    /** All ranks get the elements of all, combined. */
    public void allReduce(AtomicOp op, DataType type, MemorySegment source, MemorySegment destination) {
        int tag = sequence.next(ChannelCall.of(ChannelCall.Kind.ALL_REDUCE, op, type, 0, source.byteSize()));
        reduce(op, type, source, destination, 0, tag);
        broadcast(destination, 0, tag);
    }

    /** All ranks get the elements of all, one of each, combined. */
    public long allReduceOne(AtomicOp op, DataType type, long bits) {
        int tag = sequence.next(ChannelCall.of(ChannelCall.Kind.ALL_REDUCE, op, type, 0, Long.BYTES));
        makeRoom();
        sum.set(ValueLayout.JAVA_LONG, 0, bits);
        reduce(op, type, Long.BYTES, 0, tag);
        broadcast(sum, 0, Long.BYTES, 0, tag);
        return sum.get(ValueLayout.JAVA_LONG, 0);
    }

    /** One rank gets the parts of all. */
    public void gather(MemorySegment source, MemorySegment destination, int root) {
        gather(source, destination, root,
            sequence.next(ChannelCall.of(ChannelCall.Kind.GATHER, root, source.byteSize())));
    }

    /** All ranks get the parts of all. */
    public void allGather(MemorySegment source, MemorySegment destination) {
        allGather(source, destination, ChannelCall.Kind.ALL_GATHER);
    }

    /** All ranks get what each one says about a split of the channel. */
    void exchange(MemorySegment own, MemorySegment all) {
        allGather(own, all, ChannelCall.Kind.SPLIT);
    }

    private void allGather(MemorySegment source, MemorySegment destination, ChannelCall.Kind kind) {
        int tag = sequence.next(ChannelCall.of(kind, 0, source.byteSize()));
        gather(source, destination, 0, tag);
        broadcast(destination, 0, tag);
    }

    private void gather(MemorySegment source, MemorySegment destination, int root, int tag) {
        long bytes = source.byteSize();
        if (channel.rank() != root) {
            send(source, 0, bytes, root, tag);
            return;
        }
        for (int i = 0; i < size; i++) {
            if (i == root) {
                MemorySegment.copy(source, 0, destination, i * bytes, bytes);
            } else {
                receive(destination, i * bytes, bytes, i, tag);
            }
        }
    }

    /** Each rank gets its part of the data of one. */
    public void scatter(MemorySegment source, MemorySegment destination, int root) {
        long bytes = destination.byteSize();
        int tag = sequence.next(ChannelCall.of(ChannelCall.Kind.SCATTER, root, bytes));
        if (channel.rank() != root) {
            receive(destination, 0, bytes, root, tag);
            return;
        }
        for (int i = 0; i < size; i++) {
            if (i == root) {
                MemorySegment.copy(source, i * bytes, destination, 0, bytes);
            } else {
                send(source, i * bytes, bytes, i, tag);
            }
        }
    }

    /** Each rank gets a part of each. */
    public void allToAll(MemorySegment source, MemorySegment destination) {
        int rank = channel.rank();
        long bytes = source.byteSize() / size;
        int tag = sequence.next(ChannelCall.of(ChannelCall.Kind.ALL_TO_ALL, 0, bytes));
        MemorySegment.copy(source, rank * bytes, destination, rank * bytes, bytes);
        for (int distance = 1; distance < size; distance++) {
            int to = (rank + distance) % size;
            int from = (rank - distance + size) % size;
            exchange(source, to * bytes, bytes, to, destination, from * bytes, bytes, from, tag);
        }
    }

    private void exchange(MemorySegment source, long sendOffset, long sendBytes, int to, MemorySegment destination,
        long recvOffset, long recvBytes, int from, int tag) {
        ReceiveRequest receive = beginReceive(destination, recvOffset, recvBytes, from, tag);
        try {
            send(source, sendOffset, sendBytes, to, tag);
        } catch (DeadlineException | MisuseException e) {
            messages.endEarly(receive);
            throw e;
        }
        finish(receive);
    }

    /** Each rank gets a part of any size of each. */
    public void allToAll(MemorySegment source, long[] sendOffsets, long[] sendBytes, MemorySegment destination,
        long[] recvOffsets, long[] recvBytes) {
        int tag = sequence.next(ChannelCall.of(ChannelCall.Kind.UNEQUAL_ALL_TO_ALL, 0, 0));
        int rank = channel.rank();
        MemorySegment.copy(source, sendOffsets[rank], destination, recvOffsets[rank], sendBytes[rank]);
        for (int distance = 1; distance < size; distance++) {
            int to = (rank + distance) % size;
            int from = (rank - distance + size) % size;
            exchange(source, sendOffsets[to], sendBytes[to], to, destination, recvOffsets[from], recvBytes[from], from,
                tag);
        }
    }

    /** Each rank gets the elements of all up to it, combined. */
    public void scan(AtomicOp op, DataType type, MemorySegment source, MemorySegment destination) {
        int tag = sequence.next(ChannelCall.of(ChannelCall.Kind.SCAN, op, type, 0, source.byteSize()));
        scan(op, type, source, destination, false, tag);
    }

    /** Each rank gets the elements of all before it, combined. */
    public void exclusiveScan(AtomicOp op, DataType type, MemorySegment source, MemorySegment destination) {
        int tag = sequence.next(ChannelCall.of(ChannelCall.Kind.EXCLUSIVE_SCAN, op, type, 0, source.byteSize()));
        scan(op, type, source, destination, true, tag);
    }

    private void scan(AtomicOp op, DataType type, MemorySegment source, MemorySegment destination, boolean isExclusive,
        int tag) {
        int rank = channel.rank();
        long bytes = source.byteSize();
        makeRoom();
        for (long offset = 0; offset < bytes; offset += PIECE) {
            long length = Math.min(PIECE, bytes - offset);
            MemorySegment.copy(source, offset, sum, 0, length);
            if (rank > 0) {
                receive(part, 0, length, rank - 1, tag);
                combine(op, type, sum, 0, part, 0, length);
            }
            if (rank < size - 1) {
                send(sum, 0, length, rank + 1, tag);
            }
            if (!isExclusive || rank > 0) {
                MemorySegment.copy(isExclusive ? part : sum, 0, destination, offset, length);
            }
        }
    }
}
