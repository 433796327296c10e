package org.ftrma.messaging;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import org.ftrma.AtomicOp;
import org.ftrma.Channel;
import org.ftrma.DataType;
import org.ftrma.DeadlineException;
import org.ftrma.Message;
import org.ftrma.MessageRequest;
import org.ftrma.MisuseException;
import org.ftrma.core.collective.Reductions;
import org.ftrma.core.image.LocalMemory;

/** A channel of one rank: checks what programs hand in. Data thread only. */
final class ChannelImpl implements Channel {
    /** In images, above the number of collectives. */
    private static final int DIGEST_AT = 33;
    private final Messages messages;
    /** By number in the channel: the number in the job. */
    private final int[] members;
    /** By number in the job: that in the channel, -1: not in it. */
    private final int[] numbers;
    private final int rank;
    private final int context;
    private int splits;
    private final Trees trees;
    private final DirectCollectives direct;
    private final ChannelArguments arguments;
    private final MessageRequestImpl probe;

    ChannelImpl(Messages messages, int[] members, int context) {
        this.messages = messages;
        this.members = members;
        this.context = context;
        this.numbers = new int[messages.session.ranks];
        Arrays.fill(numbers, -1);
        for (int i = 0; i < members.length; i++) {
            numbers[members[i]] = i;
        }
        this.rank = numbers[messages.session.member];
        this.trees = new Trees(messages, this, members, context + 1);
        this.direct = new DirectCollectives(messages, this, trees, members, context + 1);
        this.arguments = new ChannelArguments(members.length, rank, messages.sender().mostBytes());
        this.probe = new MessageRequestImpl(messages);
    }

    /** What images have of its collectives. */
    long collectives() {
        return trees.save() | trees.digest() << DIGEST_AT;
    }

    /** What the coordinator compares of it at the end. */
    String called() {
        return trees.called();
    }

    /** So many collectives were done, as an image says. */
    void collectives(long saved) {
        trees.restore(saved);
        trees.digest(saved >>> DIGEST_AT);
    }

    /** How many times it was split before. */
    int nextSplit() {
        return splits++;
    }

    /** The number of its messages' context. */
    int context() {
        return context;
    }

    /** The number in the channel of a rank of the job. */
    int numberOf(int member) {
        return numbers[member];
    }

    @Override
    public int rank() {
        return rank;
    }

    @Override
    public int size() {
        return members.length;
    }

    private void enter(String call) {
        messages.enter();
        messages.session.phase.requireAccess(call);
    }

    private void checkSend(String call, MemorySegment source, long offset, long length, int target, int tag) {
        enter(call);
        LocalMemory.checkRead(source, call, "source");
        ChannelArguments.checkBounds(call, source, offset, length);
        arguments.checkTarget(call, target, tag);
    }

    private void checkReceive(String call, MemorySegment destination, long offset, long length, int source, int tag) {
        enter(call);
        LocalMemory.checkWritten(destination, call, "destination");
        ChannelArguments.checkBounds(call, destination, offset, length);
        arguments.checkSource(call, source, tag);
    }

    private MessageRequestImpl beginSend(String call, MemorySegment source, long offset, long length, int target,
        int tag, boolean isSynchronous) {
        arguments.checkLogged(call, "length", length);
        MessageRequestImpl request = messages.requests().fresh();
        request.begin(this, true, source, offset, length, context, members[target], tag);
        request.isSynchronous = isSynchronous;
        messages.begin(request);
        return request;
    }

    private MessageRequestImpl beginReceive(MemorySegment destination, long offset, long length, int source, int tag) {
        MessageRequestImpl request = messages.requests().fresh();
        request.begin(this, false, destination, offset, length, context, source == ANY_SOURCE ? source
            : members[source], tag);
        messages.outcomes().posted(request);
        messages.post(request);
        return request;
    }

    @Override
    public void send(MemorySegment source, long offset, long length, int target, int tag) {
        checkSend("send", source, offset, length, target, tag);
        if (!messages.sendNow(source, offset, length, context, members[target], tag, 0)) {
            finish(beginSend("send", source, offset, length, target, tag, false));
        }
    }

    private Message finish(MessageRequestImpl request) {
        messages.waits().awaitAlone(request);
        request.over();
        return request.message();
    }

    @Override
    public void ssend(MemorySegment source, long offset, long length, int target, int tag) {
        checkSend("ssend", source, offset, length, target, tag);
        finish(beginSend("ssend", source, offset, length, target, tag, true));
    }

    @Override
    public MessageRequest isend(MemorySegment source, long offset, long length, int target, int tag) {
        checkSend("isend", source, offset, length, target, tag);
        return messages.requests().ofProgram(beginSend("isend", source, offset, length, target, tag, false));
    }

    @Override
    public MessageRequest issend(MemorySegment source, long offset, long length, int target, int tag) {
        checkSend("issend", source, offset, length, target, tag);
        return messages.requests().ofProgram(beginSend("issend", source, offset, length, target, tag, true));
    }

    @Override
    public Message recv(MemorySegment destination, long offset, long length, int source, int tag) {
        checkReceive("recv", destination, offset, length, source, tag);
        return finish(beginReceive(destination, offset, length, source, tag));
    }

    @Override
    public MessageRequest irecv(MemorySegment destination, long offset, long length, int source, int tag) {
        checkReceive("irecv", destination, offset, length, source, tag);
        return messages.requests().ofProgram(beginReceive(destination, offset, length, source, tag));
    }

    @Override
    public Message sendrecv(MemorySegment source, int target, int sendTag, MemorySegment destination, int from,
        int recvTag) {
        checkSend("sendrecv", source, 0, source == null ? 0 : source.byteSize(), target, sendTag);
        checkReceive("sendrecv", destination, 0, destination == null ? 0 : destination.byteSize(), from, recvTag);
        arguments.checkLogged("sendrecv", "source", source.byteSize());
        MessageRequestImpl receive = beginReceive(destination, 0, destination.byteSize(), from, recvTag);
        try {
            finish(beginSend("sendrecv", source, 0, source.byteSize(), target, sendTag, false));
        } catch (DeadlineException e) {
            if (!receive.isComplete) {
                messages.requests().endEarly(receive);
                throw e;
            } // else both are done with: the message counts as sent
        }
        return finish(receive);
    }

    @Override
    public void sendLong(long value, int target, int tag) {
        enter("sendLong");
        arguments.checkTarget("sendLong", target, tag);
        if (!messages.sendNow(value, context, members[target], tag)) {
            MemorySegment cell = messages.cell();
            cell.set(ValueLayout.JAVA_LONG, 0, value);
            finish(beginSend("sendLong", cell, 0, Long.BYTES, target, tag, false));
        }
    }

    @Override
    public long recvLong(int source, int tag) {
        enter("recvLong");
        arguments.checkSource("recvLong", source, tag);
        MemorySegment cell = messages.cell();
        Message message = finish(beginReceive(cell, 0, Long.BYTES, source, tag));
        if (message.bytes() != Long.BYTES) {
            throw new MisuseException("recvLong: a message of " + message.bytes() + " bytes from rank "
                + message.source() + " with tag " + message.tag() + " is no value of 8 bytes");
        }
        return cell.get(ValueLayout.JAVA_LONG, 0);
    }

    @Override
    public Message probe(int source, int tag) {
        enter("probe");
        arguments.checkSource("probe", source, tag);
        beginProbe(source, tag);
        messages.questions().probe(probe);
        return probe;
    }

    @Override
    public Message iprobe(int source, int tag) {
        enter("iprobe");
        arguments.checkSource("iprobe", source, tag);
        beginProbe(source, tag);
        return messages.questions().iprobe(probe) ? probe : null;
    }

    private void beginProbe(int source, int tag) {
        probe.begin(this, false, null, 0, 0, context, source == ANY_SOURCE ? source : members[source], tag);
    }

    @Override
    public void waitAll(MessageRequest... requests) {
        messages.enter();
        messages.several().waitAll(requests);
    }

    @Override
    public int waitAny(MessageRequest... requests) {
        messages.enter();
        return messages.several().waitAny(requests);
    }

    @Override
    public boolean testAll(MessageRequest... requests) {
        messages.enter();
        return messages.several().testAll(requests);
    }

    @Override
    public int testAny(MessageRequest... requests) {
        messages.enter();
        return messages.several().testAny(requests);
    }

    @Override
    public int waitSome(int[] done, MessageRequest... requests) {
        messages.enter();
        return messages.several().waitSome(done, requests);
    }

    @Override
    public int testSome(int[] done, MessageRequest... requests) {
        messages.enter();
        return messages.several().testSome(done, requests);
    }

    @Override
    public void barrier() {
        enter("barrier");
        trees.barrier();
    }

    @Override
    public MessageRequest ibarrier() {
        enter("ibarrier");
        return direct.barrier();
    }

    @Override
    public void broadcast(MemorySegment data, int root) {
        enter("broadcast");
        arguments.checkBroadcast("broadcast", data, root);
        trees.broadcast(data, root);
    }

    @Override
    public MessageRequest ibroadcast(MemorySegment data, int root) {
        enter("ibroadcast");
        arguments.checkDirectBroadcast("ibroadcast", data, root);
        return direct.broadcast(data, root);
    }

    @Override
    public void reduce(AtomicOp op, DataType type, MemorySegment source, MemorySegment destination, int root) {
        enter("reduce");
        arguments.checkReduce("reduce", op, type, source, destination, root);
        trees.reduce(op, type, source, destination, root);
    }

    @Override
    public MessageRequest ireduce(AtomicOp op, DataType type, MemorySegment source, MemorySegment destination,
        int root) {
        enter("ireduce");
        arguments.checkDirectReduce("ireduce", op, type, source, destination, root);
        return direct.reduce(op, type, source, destination, root);
    }

    @Override
    public void allReduce(AtomicOp op, DataType type, MemorySegment source, MemorySegment destination) {
        enter("allReduce");
        ChannelArguments.checkCombined("allReduce", op, type, source, destination);
        trees.allReduce(op, type, source, destination);
    }

    @Override
    public MessageRequest iallReduce(AtomicOp op, DataType type, MemorySegment source, MemorySegment destination) {
        enter("iallReduce");
        arguments.checkDirectCombined("iallReduce", op, type, source, destination);
        return direct.allReduce(op, type, source, destination);
    }

    @Override
    public double allReduce(AtomicOp op, double value) {
        return Double.longBitsToDouble(allReduceOne(op, DataType.FLOAT64, Double.doubleToRawLongBits(value)));
    }

    @Override
    public long allReduce(AtomicOp op, long value) {
        return allReduceOne(op, DataType.INT64, value);
    }

    private long allReduceOne(AtomicOp op, DataType type, long bits) {
        enter("allReduce");
        Reductions.checkSingle("allReduce", op, type);
        return trees.allReduceOne(op, type, bits);
    }

    @Override
    public void gather(MemorySegment source, MemorySegment destination, int root) {
        enter("gather");
        arguments.checkGather("gather", source, destination, root);
        trees.gather(source, destination, root);
    }

    @Override
    public MessageRequest igather(MemorySegment source, MemorySegment destination, int root) {
        enter("igather");
        arguments.checkGather("igather", source, destination, root);
        return direct.gather(source, destination, root);
    }

    @Override
    public void allGather(MemorySegment source, MemorySegment destination) {
        enter("allGather");
        arguments.checkAllGather("allGather", source, destination);
        trees.allGather(source, destination);
    }

    @Override
    public MessageRequest iallGather(MemorySegment source, MemorySegment destination) {
        enter("iallGather");
        arguments.checkAllGather("iallGather", source, destination);
        return direct.allGather(source, destination);
    }

    @Override
    public void scatter(MemorySegment source, MemorySegment destination, int root) {
        enter("scatter");
        arguments.checkScatter("scatter", source, destination, root);
        trees.scatter(source, destination, root);
    }

    @Override
    public MessageRequest iscatter(MemorySegment source, MemorySegment destination, int root) {
        enter("iscatter");
        arguments.checkScatter("iscatter", source, destination, root);
        return direct.scatter(source, destination, root);
    }

    @Override
    public void allToAll(MemorySegment source, MemorySegment destination) {
        enter("allToAll");
        arguments.checkAllToAll("allToAll", source, destination);
        trees.allToAll(source, destination);
    }

    @Override
    public MessageRequest iallToAll(MemorySegment source, MemorySegment destination) {
        enter("iallToAll");
        arguments.checkAllToAll("iallToAll", source, destination);
        return direct.allToAll(source, destination);
    }

    @Override
    public void allToAll(MemorySegment source, long[] sendOffsets, long[] sendBytes, MemorySegment destination,
        long[] recvOffsets, long[] recvBytes) {
        enter("allToAll");
        arguments.checkParts("allToAll", source, sendOffsets, sendBytes, destination, recvOffsets, recvBytes);
        trees.allToAll(source, sendOffsets, sendBytes, destination, recvOffsets, recvBytes);
    }

    @Override
    public MessageRequest iallToAll(MemorySegment source, long[] sendOffsets, long[] sendBytes,
        MemorySegment destination, long[] recvOffsets, long[] recvBytes) {
        enter("iallToAll");
        arguments.checkParts("iallToAll", source, sendOffsets, sendBytes, destination, recvOffsets, recvBytes);
        return direct.allToAll(source, sendOffsets, sendBytes, destination, recvOffsets, recvBytes);
    }

    @Override
    public void scan(AtomicOp op, DataType type, MemorySegment source, MemorySegment destination) {
        enter("scan");
        ChannelArguments.checkCombined("scan", op, type, source, destination);
        trees.scan(op, type, source, destination);
    }

    @Override
    public void exclusiveScan(AtomicOp op, DataType type, MemorySegment source, MemorySegment destination) {
        enter("exclusiveScan");
        ChannelArguments.checkCombined("exclusiveScan", op, type, source, destination);
        trees.exclusiveScan(op, type, source, destination);
    }

    @Override
    public MessageRequest iscan(AtomicOp op, DataType type, MemorySegment source, MemorySegment destination) {
        enter("iscan");
        arguments.checkDirectCombined("iscan", op, type, source, destination);
        return direct.scan(op, type, source, destination);
    }

    @Override
    public Channel split(int color, int key) {
        messages.session.inbox.checkThread();
        messages.session.phase.requireAllocation("split", "of a channel of " + members.length + " ranks");
        if (color < -1) {
            throw new MisuseException("split: color=" + color + ": must be at least 0, or -1 for none");
        }
        return messages.split(this, members, color, key);
    }

    /** All ranks' parts reach all, also before the first step. */
    void exchange(MemorySegment own, MemorySegment all) {
        trees.exchange(own, all);
    }
}
