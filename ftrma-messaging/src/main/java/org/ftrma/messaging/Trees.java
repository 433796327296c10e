package org.ftrma.messaging;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import org.ftrma.AtomicOp;
import org.ftrma.DataType;
import org.ftrma.DeadlineException;
import org.ftrma.MisuseException;
import org.ftrma.spi.Elements;

/**
 * The collectives of a channel, over messages of its own. Broadcasts and reductions go along a tree in which each rank
 * has two children, in pieces, so that all levels work at once. A reduction combines the own elements, then those of
 * the first child, then those of the second, whatever arrives first: its bits depend on nothing but the ranks. Each
 * message says of which call it is, and a rank that makes another one refuses it. Data thread only; allocates nothing.
 */
final class Trees {
    private static final int CHILDREN = 2;
    private static final long PIECE = 64 << 10;
    private static final int KNOWN_CALLS = 16;
    private static final int TOLD_CALLS = 8;
    private static final long GOLDEN = 0x9e3779b97f4a7c15L;
    /** In images, beside the number of collectives: one of them was refused. */
    private static final long REFUSED = 1L << 32;
    private static final String ALIKE = ": all ranks must call the same collectives in the same order, of the same "
        + "size, root, operation and type";
    private final Messages messages;
    private final ChannelImpl channel;
    private final int[] members;
    private final int context;
    private final int size;
    /** Collectives so far: the tag of their messages. */
    private int number;
    /** Collectives that were begun, and are not complete. */
    private int begun;
    /** The newest calls of this rank, by number; 0: not known. */
    private final long[] calls = new long[KNOWN_CALLS];
    /** Of all calls of this rank. */
    private int digest;
    /** Why none is right any more: the program was told that one was refused, or did not end. Null: all are. */
    private String broken;
    private MemorySegment sum;
    private MemorySegment part;

    Trees(Messages messages, ChannelImpl channel, int[] members, int context) {
        this.messages = messages;
        this.channel = channel;
        this.members = members;
        this.context = context;
        this.size = members.length;
    }

    /** Collectives so far, and whether one was refused, in a word of an image. */
    long save() {
        return broken == null ? number : number | REFUSED;
    }

    /** Takes over what {@link #save} told. */
    void restore(long saved) {
        number = (int) saved;
        broken = (saved & REFUSED) == 0 ? null : "an earlier collective of this channel was refused, before the "
            + "checkpoint that this rank has gone back to";
        Arrays.fill(calls, 0);
    }

    /** A digest of all calls, as images have it. */
    long digest() {
        return digest & Integer.MAX_VALUE;
    }

    void digest(long saved) {
        digest = (int) saved;
    }

    /** What the coordinator compares at the end: see Finished. Empty where a rank was told that one was refused. */
    String called() {
        if (broken != null) {
            return "";
        }
        StringBuilder line = new StringBuilder(context + "." + Arrays.stream(members).min().orElse(0) + "\t" + size
            + "\t" + number + "\t" + digest());
        for (int one = Math.max(1, number - TOLD_CALLS + 1); one <= number; one++) {
            long call = calls[one % KNOWN_CALLS];
            line.append('\t').append(call == 0 ? "" : ChannelCall.describe(call));
        }
        return line.append('\n').toString();
    }

    /** A collective begins; returns the tag of its messages. */
    private int next(long call) {
        if (broken != null) {
            throw afterwards(call);
        }
        number = number + 1 & Integer.MAX_VALUE;
        calls[number % KNOWN_CALLS] = call;
        digest = 31 * digest + (int) (call * GOLDEN >>> 32);
        return number;
    }

    /** A collective begins that does not block; returns the tag of its messages. */
    int open(long call) {
        int tag = next(call);
        begun++;
        return tag;
    }

    /** It is complete. */
    void closed() {
        begun--;
    }

    /** Whether the program was told that one was refused. */
    boolean isBroken() {
        return broken != null;
    }

    /** The program is told that one is refused: what comes of later ones would be of others, so they are, too. */
    MisuseException told(MisuseException refusal) {
        if (broken == null) {
            broken = "an earlier collective of this channel was refused: " + refusal.getMessage();
        }
        return refusal;
    }

    /** Why a collective is refused that comes, or was not told to be complete, after one that was. */
    MisuseException afterwards(long call) {
        return new MisuseException(ChannelCall.describe(call) + ": " + broken);
    }

    private long call() {
        return calls[number % KNOWN_CALLS];
    }

    private void makeRoom() {
        if (sum == null) {
            sum = messages.scratch(PIECE);
            part = messages.scratch(PIECE);
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
        int member = members[target];
        if (!messages.sendNow(source, offset, length, context, member, tag, call())) {
            MessageRequestImpl request = messages.requests().fresh();
            request.begin(channel, true, source, offset, length, context, member, tag);
            request.call = call();
            messages.begin(request);
            await(request);
            messages.requests().over(request);
        }
    }

    private MessageRequestImpl beginReceive(MemorySegment destination, long offset, long length, int source, int tag) {
        MessageRequestImpl request = messages.requests().fresh();
        request.begin(channel, false, destination, offset, length, context, members[source], tag);
        request.trees = this;
        messages.post(request);
        return request;
    }

    private void receive(MemorySegment destination, long offset, long length, int source, int tag) {
        finish(beginReceive(destination, offset, length, source, tag));
    }

    private void await(MessageRequestImpl request) {
        try {
            messages.await(request);
        } catch (MisuseException e) {
            messages.requests().endEarly(request);
            throw told(e);
        } catch (DeadlineException e) {
            messages.requests().endEarly(request);
            String which = "; rank " + channel.rank() + " calls " + ChannelCall.describe(call()) + ", collective "
                + number + " of a channel of " + size + " ranks";
            broken = "an earlier collective of this channel did not end: " + e.getMessage() + which;
            throw new DeadlineException(e.getMessage() + which);
        }
    }

    private void finish(MessageRequestImpl request) {
        await(request);
        messages.requests().over(request);
        MisuseException refusal = refusal(number, call(), request);
        if (refusal != null) {
            throw told(refusal);
        }
    }

    /** A receive waits: it is refused where what has come shows that nothing will come for it. */
    void requirePossible(MessageRequestImpl receive) {
        MisuseException refusal = passed(number, call(), receive);
        if (refusal != null) {
            throw refusal;
        }
    }

    /**
     * Why nothing will come for a receive of a collective: its source has sent something of a later one already, and
     * messages of a rank to another come in the order of its collectives. Null: something may.
     */
    MisuseException passed(int which, long own, MessageRequestImpl receive) {
        Incoming later = receive.call != 0 ? null
            : messages.receiver().context(context).after(receive.peer, which);
        return later == null ? null : new MisuseException(beginning(which, own) + ", rank "
            + channel.numberOf(later.source) + " has sent nothing of that, and calls "
            + ChannelCall.describe(later.call) + " as collective " + later.tag + ALIKE);
    }

    /** Why what was received of a collective is none of this rank's call; null: it is. */
    MisuseException refusal(int which, long own, MessageRequestImpl received) {
        Incoming left = begun > 0 ? null : messages.receiver().context(context).before(received.peer, which);
        if (left != null) {
            return unlike(left.tag, which - left.tag < KNOWN_CALLS ? calls[left.tag % KNOWN_CALLS] : 0,
                channel.numberOf(left.source), left.call);
        }
        if (received.call != own) {
            return unlike(which, own, received.source(), received.call);
        }
        return received.bytes == received.length ? null : new MisuseException(which(which) + " expects "
            + received.length + " bytes of rank " + received.source() + ", which sends " + received.bytes + ", in "
            + ChannelCall.describe(own));
    }

    private MisuseException unlike(int which, long own, int other, long call) {
        return new MisuseException(beginning(which, own) + ", rank " + other + " calls " + ChannelCall.describe(call)
            + ALIKE + (own != 0 && ChannelCall.isBegun(own) != ChannelCall.isBegun(call)
            ? "; one that blocks does not match one that does not" : ""));
    }

    private String beginning(int which, long own) {
        return which(which) + " calls " + (own == 0 ? "another one" : ChannelCall.describe(own));
    }

    private String which(int which) {
        return "collective " + which + " of a channel of " + size + " ranks: rank " + channel.rank();
    }

    void barrier() {
        int tag = next(ChannelCall.of(ChannelCall.Kind.BARRIER, 0, 0));
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
        broadcast(data, root, next(ChannelCall.of(ChannelCall.Kind.BROADCAST, root, data.byteSize())));
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

    void reduce(AtomicOp op, DataType type, MemorySegment source, MemorySegment destination, int root) {
        reduce(op, type, source, destination, root,
            next(ChannelCall.of(ChannelCall.Kind.REDUCE, op, type, root, source.byteSize())));
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

    void allReduce(AtomicOp op, DataType type, MemorySegment source, MemorySegment destination) {
        int tag = next(ChannelCall.of(ChannelCall.Kind.ALL_REDUCE, op, type, 0, source.byteSize()));
        reduce(op, type, source, destination, 0, tag);
        broadcast(destination, 0, tag);
    }

    long allReduceOne(AtomicOp op, DataType type, long bits) {
        int tag = next(ChannelCall.of(ChannelCall.Kind.ALL_REDUCE, op, type, 0, Long.BYTES));
        makeRoom();
        sum.set(ValueLayout.JAVA_LONG, 0, bits);
        reduce(op, type, Long.BYTES, 0, tag);
        broadcast(sum, 0, Long.BYTES, 0, tag);
        return sum.get(ValueLayout.JAVA_LONG, 0);
    }

    void gather(MemorySegment source, MemorySegment destination, int root) {
        gather(source, destination, root, next(ChannelCall.of(ChannelCall.Kind.GATHER, root, source.byteSize())));
    }

    void allGather(MemorySegment source, MemorySegment destination) {
        allGather(source, destination, ChannelCall.Kind.ALL_GATHER);
    }

    /** What the ranks of a channel tell each other when it is split. */
    void exchange(MemorySegment own, MemorySegment all) {
        allGather(own, all, ChannelCall.Kind.SPLIT);
    }

    private void allGather(MemorySegment source, MemorySegment destination, ChannelCall.Kind kind) {
        int tag = next(ChannelCall.of(kind, 0, source.byteSize()));
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

    void scatter(MemorySegment source, MemorySegment destination, int root) {
        long bytes = destination.byteSize();
        int tag = next(ChannelCall.of(ChannelCall.Kind.SCATTER, root, bytes));
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
        int rank = channel.rank();
        long bytes = source.byteSize() / size;
        int tag = next(ChannelCall.of(ChannelCall.Kind.ALL_TO_ALL, 0, bytes));
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
        try {
            send(source, sendOffset, sendBytes, to, tag);
        } catch (DeadlineException | MisuseException e) {
            messages.requests().endEarly(receive);
            throw e;
        }
        finish(receive);
    }

    void allToAll(MemorySegment source, long[] sendOffsets, long[] sendBytes, MemorySegment destination,
        long[] recvOffsets, long[] recvBytes) {
        int tag = next(ChannelCall.of(ChannelCall.Kind.UNEQUAL_ALL_TO_ALL, 0, 0));
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
        int tag = next(ChannelCall.of(ChannelCall.Kind.SCAN, op, type, 0, source.byteSize()));
        scan(op, type, source, destination, false, tag);
    }

    void exclusiveScan(AtomicOp op, DataType type, MemorySegment source, MemorySegment destination) {
        int tag = next(ChannelCall.of(ChannelCall.Kind.EXCLUSIVE_SCAN, op, type, 0, source.byteSize()));
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
