package org.ftrma.messaging;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.ftrma.AtomicOp;
import org.ftrma.DataType;
import org.ftrma.MisuseException;
import org.ftrma.spi.Elements;

/**
 * The collectives of a channel, over messages of its own. Broadcasts and reductions go along a tree in which each rank
 * has two children, in pieces, so that all levels work at once. A reduction combines the own elements, then those of
 * the first child, then those of the second, whatever arrives first: its bits depend on nothing but the ranks. Data
 * thread only; allocates nothing.
 */
final class Trees {
    private static final int CHILDREN = 2;
    private static final long PIECE = 64 << 10;
    private final Messages messages;
    private final ChannelImpl channel;
    private final int[] members;
    private final int context;
    private final int size;
    /** Collectives so far: the tag of their messages. */
    private int number;
    private MemorySegment sum;
    private MemorySegment part;

    Trees(Messages messages, ChannelImpl channel, int[] members, int context) {
        this.messages = messages;
        this.channel = channel;
        this.members = members;
        this.context = context;
        this.size = members.length;
    }

    int number() {
        return number;
    }

    void number(int newNumber) {
        number = newNumber;
    }

    private int next() {
        number = number + 1 & Integer.MAX_VALUE;
        return number;
    }

    private void makeRoom() {
        if (sum == null) {
            sum = messages.scratch(PIECE);
            part = messages.scratch(PIECE);
        }
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
        int member = members[target];
        if (!messages.sender().sendNow(source, offset, length, context, member, tag)) {
            MessageRequestImpl request = messages.request();
            request.begin(channel, true, source, offset, length, context, member, tag);
            messages.sender().begin(request);
            messages.await(request);
            messages.over(request);
        }
    }

    private MessageRequestImpl beginReceive(MemorySegment destination, long offset, long length, int source, int tag) {
        MessageRequestImpl request = messages.request();
        request.begin(channel, false, destination, offset, length, context, members[source], tag);
        messages.post(request);
        return request;
    }

    private void receive(MemorySegment destination, long offset, long length, int source, int tag) {
        finish(beginReceive(destination, offset, length, source, tag));
    }

    private void finish(MessageRequestImpl request) {
        messages.await(request);
        long bytes = request.bytes;
        long length = request.length;
        messages.over(request);
        if (bytes != length) {
            throw new MisuseException("collective " + number + " of a channel of " + size + " ranks: rank "
                + channel.rank() + " expects " + length + " bytes of rank " + request.source() + ", which sends "
                + bytes + ": all ranks must call the same collectives in the same order, of the same size");
        }
    }

    void barrier() {
        int tag = next();
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

    void broadcast(MemorySegment data, int root) {
        int tag = next();
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

    void reduce(AtomicOp op, DataType type, MemorySegment source, MemorySegment destination, int root) {
        int tag = next();
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
            combine(op, type, length);
        }
        if (position > 0) {
            send(sum, 0, length, at(parent(position), root), tag);
        }
    }

    private void combine(AtomicOp op, DataType type, long length) {
        for (long at = 0; at < length; at += type.bytes()) {
            Elements.write(type, sum, at, op.apply(type, Elements.read(type, sum, at), Elements.read(type, part, at)));
        }
    }

    void allReduce(AtomicOp op, DataType type, MemorySegment source, MemorySegment destination) {
        reduce(op, type, source, destination, 0);
        broadcast(destination, 0);
    }

    long allReduceOne(AtomicOp op, DataType type, long bits) {
        int tag = next();
        makeRoom();
        sum.set(ValueLayout.JAVA_LONG, 0, bits);
        reduce(op, type, Long.BYTES, 0, tag);
        broadcast(sum, 0, Long.BYTES, 0, next());
        return sum.get(ValueLayout.JAVA_LONG, 0);
    }

    void gather(MemorySegment source, MemorySegment destination, int root) {
        int tag = next();
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

    void scatter(MemorySegment source, MemorySegment destination, int root) {
        int tag = next();
        long bytes = destination.byteSize();
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

    void allToAll(MemorySegment source, MemorySegment destination) {
        int tag = next();
        int rank = channel.rank();
        long bytes = source.byteSize() / size;
        MemorySegment.copy(source, rank * bytes, destination, rank * bytes, bytes);
        for (int distance = 1; distance < size; distance++) {
            int to = (rank + distance) % size;
            int from = (rank - distance + size) % size;
            exchange(source, to * bytes, bytes, to, destination, from * bytes, bytes, from, tag);
        }
    }

    private void exchange(MemorySegment source, long sendOffset, long sendBytes, int to, MemorySegment destination,
        long recvOffset, long recvBytes, int from, int tag) {
        MessageRequestImpl receive = beginReceive(destination, recvOffset, recvBytes, from, tag);
        send(source, sendOffset, sendBytes, to, tag);
        finish(receive);
    }

    void allToAll(MemorySegment source, long[] sendOffsets, long[] sendBytes, MemorySegment destination,
        long[] recvOffsets, long[] recvBytes) {
        int tag = next();
        int rank = channel.rank();
        MemorySegment.copy(source, sendOffsets[rank], destination, recvOffsets[rank], sendBytes[rank]);
        for (int distance = 1; distance < size; distance++) {
            int to = (rank + distance) % size;
            int from = (rank - distance + size) % size;
            exchange(source, sendOffsets[to], sendBytes[to], to, destination, recvOffsets[from], recvBytes[from], from,
                tag);
        }
    }

    void scan(AtomicOp op, DataType type, MemorySegment source, MemorySegment destination) {
        int tag = next();
        makeRoom();
        int rank = channel.rank();
        long bytes = source.byteSize();
        for (long offset = 0; offset < bytes; offset += PIECE) {
            long length = Math.min(PIECE, bytes - offset);
            MemorySegment.copy(source, offset, sum, 0, length);
            if (rank > 0) {
                receive(part, 0, length, rank - 1, tag);
                combine(op, type, length);
            }
            if (rank < size - 1) {
                send(sum, 0, length, rank + 1, tag);
            }
            MemorySegment.copy(sum, 0, destination, offset, length);
        }
    }
}
