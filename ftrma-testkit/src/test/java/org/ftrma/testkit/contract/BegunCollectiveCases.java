package org.ftrma.testkit.contract;

import static org.ftrma.testkit.contract.MessageContext.local;
import static org.ftrma.testkit.contract.MessageContext.pattern;

import java.lang.foreign.MemorySegment;
import org.ftrma.AtomicOp;
import org.ftrma.Channel;
import org.ftrma.DataType;
import org.ftrma.MessageRequest;

/** Bodies of {@link MessageCase} on collectives that do not block. The rank's data thread only. */
final class BegunCollectiveCases {
    private BegunCollectiveCases() {
    }

    static void few(MessageContext c) {
        all(c, c.world, 3);
    }

    static void large(MessageContext c) {
        all(c, c.reversed, 20_000);
    }

    static void ofAPart(MessageContext c) {
        all(c, c.half, 11);
    }

    private static void all(MessageContext c, Channel channel, long count) {
        for (int root = 0; root < channel.size(); root++) {
            severalAtOnce(c, channel, count, root);
        }
        sameBits(c, channel, count);
        unequalParts(c, channel);
    }

    private static void severalAtOnce(MessageContext c, Channel channel, long count, int root) {
        int rank = channel.rank();
        int size = channel.size();
        MemorySegment own = MessageCases.elements(rank, count);
        MemorySegment data = rank == root ? MessageCases.elements(root, count) : local(8 * count);
        MemorySegment reduced = local(8 * count);
        MemorySegment sum = local(8 * count);
        MemorySegment prefix = local(8 * count);
        MemorySegment rooted = local(8 * count * size);
        MemorySegment gathered = local(8 * count * size);
        MessageRequest[] open = {channel.ibroadcast(data, root),
            channel.ireduce(AtomicOp.SUM, DataType.INT64, own, rank == root ? reduced : null, root),
            channel.iallReduce(AtomicOp.SUM, DataType.INT64, own, sum),
            channel.igather(own, rank == root ? rooted : null, root), channel.iallGather(own, gathered),
            channel.iscan(AtomicOp.SUM, DataType.INT64, own, prefix)};
        c.equal(size * (size + 1L) / 2, channel.allReduce(AtomicOp.SUM, rank + 1L), "a sum while others are open");
        end(c, channel, open);
        c.checks.same(MessageCases.elements(root, count), data, "a broadcast of rank " + root);
        MessageCases.checkSum(c, sum, size, count);
        MessageCases.checkSum(c, prefix, rank + 1, count);
        if (rank == root) {
            MessageCases.checkSum(c, reduced, size, count);
            c.checks.same(gathered, rooted, "what was gathered");
        }
        MemorySegment part = local(8 * count);
        MemorySegment turned = local(8 * count * size);
        end(c, channel, channel.iscatter(rank == root ? rooted : null, part, root),
            channel.iallToAll(gathered, turned), channel.ibarrier());
        c.checks.same(own, part, "what was gathered and scattered");
        for (int i = 0; i < size; i++) {
            c.checks.same(MessageCases.elements(i, count), gathered.asSlice(8 * count * i, 8 * count), "iallGather");
            c.checks.same(own, turned.asSlice(8 * count * i, 8 * count), "iallToAll of what all have");
        }
    }

    /** In each way in which requests end. */
    private static void end(MessageContext c, Channel channel, MessageRequest... open) {
        c.checks.misuse("a collective taken back", open[0]::cancel, "cancel: i", "of a channel of "
            + channel.size() + " ranks cannot be taken back", "await or test it");
        int first = channel.waitAny(open);
        c.checks.holds(first >= 0 && open[first] == null, "waitAny gives one");
        int next = 0;
        while (open[next] == null) {
            next++;
        }
        while (!open[next].test()) {
            c.job.progress();
        }
        c.equal(null, open[next].message(), "the message of a collective");
        open[next] = null;
        while (!channel.testAll(open)) {
            c.job.progress();
        }
    }

    /** Sums whose bits depend on the order in which they are made. */
    private static void sameBits(MessageContext c, Channel channel, long count) {
        MemorySegment own = local(8 * count);
        for (long i = 0; i < count; i++) {
            double value = Math.scalb(1.0 + (channel.rank() + 1) * (i + 3) % 7 / 7.0, (int) ((channel.rank() * 5 + i)
                % 60));
            own.setAtIndex(CaseContext.LONG, i, Double.doubleToRawLongBits(value));
        }
        MemorySegment expected = local(8 * count);
        MemorySegment result = local(8 * count);
        channel.allReduce(AtomicOp.SUM, DataType.FLOAT64, own, expected);
        channel.iallReduce(AtomicOp.SUM, DataType.FLOAT64, own, result).await();
        c.checks.same(expected, result, "the bits of allReduce");
        channel.scan(AtomicOp.SUM, DataType.FLOAT64, own, expected);
        channel.iscan(AtomicOp.SUM, DataType.FLOAT64, own, result).await();
        c.checks.same(expected, result, "the bits of scan");
        for (int root = 0; root < channel.size(); root++) {
            channel.reduce(AtomicOp.SUM, DataType.FLOAT64, own, expected, root);
            channel.ireduce(AtomicOp.SUM, DataType.FLOAT64, own, result, root).await();
            c.checks.holds(channel.rank() != root || expected.mismatch(result) < 0, "the bits of reduce");
        }
    }

    private static void unequalParts(MessageContext c, Channel channel) {
        int rank = channel.rank();
        int size = channel.size();
        long[] offsets = new long[size];
        long[] sendBytes = new long[size];
        long[] recvBytes = new long[size];
        for (int i = 0; i < size; i++) {
            offsets[i] = 50L * i;
            sendBytes[i] = (rank + 2L * i) % 50;
            recvBytes[i] = (i + 2L * rank) % 50;
        }
        MemorySegment destination = local(50L * size);
        channel.iallToAll(pattern(50L * size, rank), offsets, sendBytes, destination, offsets, recvBytes).await();
        for (int i = 0; i < size; i++) {
            c.checks.same(pattern(50L * size, i).asSlice(50L * rank, recvBytes[i]),
                destination.asSlice(offsets[i], recvBytes[i]), "a part of rank " + i);
        }
    }

    /** The result may take the place of what was given. */
    static void inPlace(MessageContext c) {
        for (long count : new long[] {1, 700, 20_000}) {
            inPlace(c, c.world, count);
            inPlace(c, c.half, count);
        }
        MemorySegment values = MessageCases.elements(c.rank, 5);
        c.job.allReduce(AtomicOp.SUM, DataType.INT64, values, values);
        MessageCases.checkSum(c, values, c.size, 5);
    }

    private static void inPlace(MessageContext c, Channel channel, long count) {
        int rank = channel.rank();
        int size = channel.size();
        AtomicOp sum = AtomicOp.SUM;
        DataType type = DataType.INT64;
        MemorySegment[] values = new MemorySegment[6];
        for (int i = 0; i < values.length; i++) {
            values[i] = MessageCases.elements(rank, count);
        }
        channel.allReduce(sum, type, values[0], values[0]);
        channel.reduce(sum, type, values[1], values[1], 0);
        channel.scan(sum, type, values[2], values[2]);
        channel.waitAll(channel.iallReduce(sum, type, values[3], values[3]),
            channel.ireduce(sum, type, values[4], values[4], 0), channel.iscan(sum, type, values[5], values[5]));
        for (int i = 0; i < values.length; i++) {
            boolean isWhole = i % 3 == 0 || i % 3 == 1 && rank == 0;
            if (isWhole || i % 3 == 2) {
                MessageCases.checkSum(c, values[i], isWhole ? size : rank + 1, count);
            }
        }
    }

    /** Calls on several requests take those of any channel. */
    static void ofSeveralChannels(MessageContext c) {
        MemorySegment cell = local(8);
        MessageRequest[] requests = {c.half.ibarrier(), c.world.irecv(cell, c.previous, 22), c.reversed.ibarrier(),
            c.world.isend(MessageCases.elements(c.rank, 1), c.next, 22)};
        for (int i = 0; i < requests.length; i++) {
            c.checks.holds((i % 2 == 0 ? c.world : c.half).waitAny(requests) >= 0, "waitAny gives one");
        }
        c.equal(-1, c.reversed.waitAny(requests), "all were given");
        c.checks.same(MessageCases.elements(c.previous, 1), cell, "a message beside those of other channels");
        requests[0] = c.half.ibarrier();
        requests[1] = c.reversed.ibarrier();
        while (!c.world.testAll(requests)) {
            c.job.progress();
        }
    }

    /** Who waits for something else lets what was begun go on. */
    static void besideMessages(MessageContext c) {
        MemorySegment all = local(8L * c.size);
        MessageRequest gather = c.world.iallGather(MessageCases.elements(c.rank, 1), all);
        MessageRequest barrier = c.half.ibarrier();
        MemorySegment destination = local(3L * MessageContext.SLOT);
        MessageRequest receive = c.world.irecv(destination, c.previous, 21);
        c.world.send(pattern(3L * MessageContext.SLOT, c.rank), c.next, 21);
        c.world.waitAll(receive, barrier, gather);
        c.checks.same(pattern(3L * MessageContext.SLOT, c.previous), destination, "a message beside collectives");
        for (int i = 0; i < c.size; i++) {
            c.checks.same(MessageCases.elements(i, 1), all.asSlice(8L * i, 8), "iallGather beside messages");
        }
    }
}
