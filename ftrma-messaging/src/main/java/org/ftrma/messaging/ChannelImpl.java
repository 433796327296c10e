package org.ftrma.messaging;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.ftrma.AtomicOp;
import org.ftrma.Channel;
import org.ftrma.DataType;
import org.ftrma.DeadlineException;
import org.ftrma.Message;
import org.ftrma.MessageRequest;
import org.ftrma.MisuseException;
import org.ftrma.core.collective.Reductions;
import org.ftrma.core.image.BufferChecks;
import org.ftrma.messaging.collective.BlockingCollectives;
import org.ftrma.messaging.collective.DirectCollectives;
import org.ftrma.messaging.match.ChannelMembers;
import org.ftrma.messaging.match.ReceiveRequest;
import org.ftrma.messaging.receive.PointToPoint;
import org.ftrma.messaging.send.SendRequest;

/** Channel of one rank: checks what programs hand in. Data thread only. */
final class ChannelImpl implements Channel {
    private final ChannelParts parts;
    private final PointToPoint messages;
    private final ChannelMembers members;
    private final BlockingCollectives blocking;
    private final DirectCollectives direct;
    private final ChannelSplitter splitter;
    private final ChannelArguments arguments;
    private final ReceiveRequest probe;
    private int splits;

    ChannelImpl(ChannelParts parts, ChannelMembers members, BlockingCollectives blocking, DirectCollectives direct,
        ChannelSplitter splitter) {
        this.parts = parts;
        this.messages = parts.messages();
        this.members = members;
        this.blocking = blocking;
        this.direct = direct;
        this.splitter = splitter;
        this.arguments = new ChannelArguments(members.size(), members.rank(), parts.mostBytes());
        this.probe = messages.probe();
    }

    @Override
    public int rank() {
        return members.rank();
    }

    @Override
    public int size() {
        return members.size();
    }

    private void enter(String call) {
        parts.completion().enter();
        parts.phase().requireAccess(call);
    }

    private void checkSend(String call, MemorySegment source, long offset, long length, int target, int tag) {
        enter(call);
        BufferChecks.checkRead(source, call, "source");
        ChannelArguments.checkBounds(call, source, offset, length);
        arguments.checkTarget(call, target, tag);
    }

    private void checkReceive(String call, MemorySegment destination, long offset, long length, int source, int tag) {
        enter(call);
        BufferChecks.checkWritten(destination, call, "destination");
        ChannelArguments.checkBounds(call, destination, offset, length);
        arguments.checkSource(call, source, tag);
    }

    private SendRequest beginSend(String call, MemorySegment source, long offset, long length, int target, int tag,
        boolean isSynchronous) {
        arguments.checkLogged(call, "length", length);
        return messages.beginSend(members, source, offset, length, members.member(target), tag, isSynchronous);
    }

    private int member(int source) {
        return source == ANY_SOURCE ? source : members.member(source);
    }

    private ReceiveRequest beginReceive(MemorySegment destination, long offset, long length, int source, int tag) {
        ReceiveRequest receive = messages.freshReceive();
        receive.begin(members, destination, offset, length, members.context(), member(source), tag);
        parts.determinants().posted(receive);
        messages.post(receive);
        return receive;
    }

    @Override
    public void send(MemorySegment source, long offset, long length, int target, int tag) {
        checkSend("send", source, offset, length, target, tag);
        if (!messages.sendNow(source, offset, length, members.context(), members.member(target), tag, 0)) {
            messages.finish(beginSend("send", source, offset, length, target, tag, false));
        }
    }

    @Override
    public void ssend(MemorySegment source, long offset, long length, int target, int tag) {
        checkSend("ssend", source, offset, length, target, tag);
        messages.finish(beginSend("ssend", source, offset, length, target, tag, true));
    }

    @Override
    public MessageRequest isend(MemorySegment source, long offset, long length, int target, int tag) {
        checkSend("isend", source, offset, length, target, tag);
        return parts.held().add(beginSend("isend", source, offset, length, target, tag, false));
    }

    @Override
    public MessageRequest issend(MemorySegment source, long offset, long length, int target, int tag) {
        checkSend("issend", source, offset, length, target, tag);
        return parts.held().add(beginSend("issend", source, offset, length, target, tag, true));
    }

    @Override
    public Message recv(MemorySegment destination, long offset, long length, int source, int tag) {
        checkReceive("recv", destination, offset, length, source, tag);
        return messages.finish(beginReceive(destination, offset, length, source, tag));
    }

    @Override
    public MessageRequest irecv(MemorySegment destination, long offset, long length, int source, int tag) {
        checkReceive("irecv", destination, offset, length, source, tag);
        return parts.held().add(beginReceive(destination, offset, length, source, tag));
    }

    @Override
    public Message sendrecv(MemorySegment source, int target, int sendTag, MemorySegment destination, int from,
        int recvTag) {
        checkSend("sendrecv", source, 0, source == null ? 0 : source.byteSize(), target, sendTag);
        checkReceive("sendrecv", destination, 0, destination == null ? 0 : destination.byteSize(), from, recvTag);
        arguments.checkLogged("sendrecv", "source", source.byteSize());
        ReceiveRequest receive = beginReceive(destination, 0, destination.byteSize(), from, recvTag);
        try {
            messages.finish(beginSend("sendrecv", source, 0, source.byteSize(), target, sendTag, false));
        } catch (DeadlineException e) {
            if (!receive.isComplete()) {
                messages.endEarly(receive);
                throw e;
            } // else both are done with: the message counts as sent
        }
        return messages.finish(receive);
    }

    @Override
    public void sendLong(long value, int target, int tag) {
        enter("sendLong");
        arguments.checkTarget("sendLong", target, tag);
        if (!messages.sendNow(value, members.context(), members.member(target), tag)) {
            MemorySegment cell = messages.cell();
            cell.set(ValueLayout.JAVA_LONG, 0, value);
            messages.finish(beginSend("sendLong", cell, 0, Long.BYTES, target, tag, false));
        }
    }

    @Override
    public long recvLong(int source, int tag) {
        enter("recvLong");
        arguments.checkSource("recvLong", source, tag);
        MemorySegment cell = messages.cell();
        Message message = messages.finish(beginReceive(cell, 0, Long.BYTES, source, tag));
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
        parts.calls().probe(probe);
        return probe;
    }

    @Override
    public Message iprobe(int source, int tag) {
        enter("iprobe");
        arguments.checkSource("iprobe", source, tag);
        beginProbe(source, tag);
        return parts.calls().iprobe(probe) ? probe : null;
    }

    private void beginProbe(int source, int tag) {
        probe.begin(members, null, 0, 0, members.context(), member(source), tag);
    }

    @Override
    public void waitAll(MessageRequest... requests) {
        parts.completion().enter();
        parts.completion().waitAll(requests);
    }

    @Override
    public int waitAny(MessageRequest... requests) {
        parts.completion().enter();
        return parts.completion().waitAny(requests);
    }

    @Override
    public boolean testAll(MessageRequest... requests) {
        parts.completion().enter();
        return parts.completion().testAll(requests);
    }

    @Override
    public int testAny(MessageRequest... requests) {
        parts.completion().enter();
        return parts.completion().testAny(requests);
    }

    @Override
    public int waitSome(int[] done, MessageRequest... requests) {
        parts.completion().enter();
        return parts.completion().waitSome(done, requests);
    }

    @Override
    public int testSome(int[] done, MessageRequest... requests) {
        parts.completion().enter();
        return parts.completion().testSome(done, requests);
    }

    @Override
    public void barrier() {
        enter("barrier");
        blocking.barrier();
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
        blocking.broadcast(data, root);
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
        blocking.reduce(op, type, source, destination, root);
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
        blocking.allReduce(op, type, source, destination);
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
        return blocking.allReduceOne(op, type, bits);
    }

    @Override
    public void gather(MemorySegment source, MemorySegment destination, int root) {
        enter("gather");
        arguments.checkGather("gather", source, destination, root);
        blocking.gather(source, destination, root);
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
        blocking.allGather(source, destination);
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
        blocking.scatter(source, destination, root);
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
        blocking.allToAll(source, destination);
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
        blocking.allToAll(source, sendOffsets, sendBytes, destination, recvOffsets, recvBytes);
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
        blocking.scan(op, type, source, destination);
    }

    @Override
    public void exclusiveScan(AtomicOp op, DataType type, MemorySegment source, MemorySegment destination) {
        enter("exclusiveScan");
        ChannelArguments.checkCombined("exclusiveScan", op, type, source, destination);
        blocking.exclusiveScan(op, type, source, destination);
    }

    @Override
    public MessageRequest iscan(AtomicOp op, DataType type, MemorySegment source, MemorySegment destination) {
        enter("iscan");
        arguments.checkDirectCombined("iscan", op, type, source, destination);
        return direct.scan(op, type, source, destination);
    }

    @Override
    public Channel split(int color, int key) {
        parts.inbox().checkThread();
        parts.phase().requireAllocation("split", "of a channel of " + members.size() + " ranks");
        if (color < -1) {
            throw new MisuseException("split: color=" + color + ": must be at least 0, or -1 for none");
        }
        return splitter.split(members, blocking, splits++, color, key);
    }
}
