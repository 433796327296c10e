package org.ftrma.testkit.contract;

import static org.ftrma.testkit.contract.MessageContext.EAGER;
import static org.ftrma.testkit.contract.MessageContext.SLOT;
import static org.ftrma.testkit.contract.MessageContext.local;
import static org.ftrma.testkit.contract.MessageContext.pattern;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.BitSet;
import org.ftrma.AtomicOp;
import org.ftrma.Channel;
import org.ftrma.DataType;
import org.ftrma.Message;
import org.ftrma.MessageRequest;
import org.ftrma.MisuseException;

/** Bodies of {@link MessageCase}. The rank's data thread only. */
final class MessageCases {
    private static final long[] SIZES = {0, 1, 7, 8, 9, 100, EAGER - 1, EAGER, EAGER + 1, SLOT - 1, SLOT, SLOT + 1,
        3 * SLOT + 17};

    private MessageCases() {
    }

    static void sizes(MessageContext c) {
        for (int i = 0; i < SIZES.length; i++) {
            long bytes = SIZES[i];
            MemorySegment destination = local(bytes);
            MessageRequest receive = c.world.irecv(destination, c.previous, i);
            c.world.send(pattern(bytes, c.rank + i), c.next, i);
            Message got = receive.await();
            c.equal(c.previous, got.source(), "source");
            c.equal(i, got.tag(), "tag");
            c.equal(bytes, got.bytes(), "bytes");
            c.checks.same(pattern(bytes, c.previous + i), destination, "message of " + bytes + " bytes");
        }
    }

    static void manyToOne(MessageContext c) {
        int each = 20;
        for (int i = 0; i < each; i++) {
            c.world.sendLong(c.rank * 1000L + i, 0, 500);
        }
        if (c.rank == 0) {
            int[] seen = new int[c.size];
            MemorySegment cell = local(8);
            for (int i = 0; i < each * c.size; i++) {
                Message got = c.world.recv(cell, Channel.ANY_SOURCE, 500);
                long value = cell.get(ValueLayout.JAVA_LONG, 0);
                c.equal(got.source() * 1000L + seen[got.source()]++, value, "messages of one rank in their order");
            }
        }
    }

    static void orderAndTags(MessageContext c) {
        for (int tag = 0; tag < 6; tag++) {
            c.world.sendLong(100 + tag, c.next, tag);
            c.world.sendLong(200 + tag, c.next, tag);
        }
        for (int tag = 5; tag >= 3; tag--) {
            c.equal(100L + tag, c.world.recvLong(c.previous, tag), "the first of tag " + tag);
        }
        MemorySegment cell = local(8);
        for (int tag : new int[] {0, 0, 1, 1, 2, 2, 3, 4, 5}) {
            Message got = c.world.recv(cell, c.previous, Channel.ANY_TAG);
            c.equal(tag, got.tag(), "tags of any, in the order in which they were sent");
        }
    }

    static void postingOrder(MessageContext c) {
        MemorySegment cells = local(32);
        MessageRequest any = c.world.irecv(cells, 0, 8, Channel.ANY_SOURCE, 1);
        MessageRequest named = c.world.irecv(cells, 8, 8, c.previous, Channel.ANY_TAG);
        MessageRequest last = c.world.irecv(cells, 16, 8, c.previous, 1);
        c.world.barrier();
        for (int i = 1; i <= 3; i++) {
            c.world.sendLong(i, c.next, 1);
        }
        c.world.waitAll(any, named, last);
        for (int i = 0; i < 3; i++) {
            c.equal(i + 1L, cells.getAtIndex(ValueLayout.JAVA_LONG, i), "the receive that was posted first");
        }
    }

    static void requests(MessageContext c) {
        int count = 40;
        MessageRequest[] receives = new MessageRequest[count];
        MessageRequest[] sends = new MessageRequest[count];
        MemorySegment[] destinations = new MemorySegment[count];
        for (int i = 0; i < count; i++) {
            destinations[i] = local(SIZES[i % SIZES.length]);
            receives[i] = c.world.irecv(destinations[i], c.previous, i);
        }
        for (int i = 0; i < count; i++) {
            sends[i] = c.world.isend(pattern(SIZES[i % SIZES.length], i), c.next, i);
        }
        BitSet done = new BitSet();
        for (int i = 0; i < count / 2; i++) {
            int which = c.world.waitAny(receives);
            c.checks.holds(which >= 0 && receives[which] == null && !done.get(which), "waitAny gives one once");
            done.set(which);
        }
        int[] some = new int[count];
        while (done.cardinality() < count * 3 / 4) {
            int found = (done.cardinality() & 1) == 0 ? c.world.waitSome(some, receives)
                : c.world.testSome(some, receives);
            c.checks.holds(found >= (done.cardinality() & 1 ^ 1), "waitSome gives at least one");
            for (int i = 0; i < found; i++) {
                c.checks.holds(receives[some[i]] == null && !done.get(some[i]), "waitSome gives one once");
                done.set(some[i]);
            }
        }
        while (!c.world.testAll(receives)) {
            c.job.progress();
        }
        c.equal(-1, c.world.waitAny(receives), "all are null");
        c.equal(-1, c.world.testAny(receives), "all are null");
        c.equal(-1, c.world.waitSome(some, receives), "all are null");
        c.equal(-1, c.world.testSome(some, receives), "all are null");
        c.checks.misuse("too few numbers", () -> c.world.testSome(new int[1], receives), "testSome", "1 elements",
            count + " requests");
        c.world.waitAll(sends);
        for (int i = 0; i < count; i++) {
            c.checks.same(pattern(SIZES[i % SIZES.length], i), destinations[i], "message " + i);
        }
    }

    static void largeBothWays(MessageContext c) {
        long bytes = 40L * SLOT;
        MemorySegment destination = local(bytes);
        c.world.send(pattern(bytes, c.rank), c.next, 3);
        c.world.recv(destination, c.previous, 3);
        c.checks.same(pattern(bytes, c.previous), destination, "a large message");
    }

    static void tagBehindAFullLane(MessageContext c) {
        int many = 200;
        for (int i = 0; i < many; i++) {
            c.world.send(pattern(1000, i), c.next, 8);
        }
        c.world.sendLong(c.rank, c.next, 9);
        c.equal((long) c.previous, c.world.recvLong(c.previous, 9), "what was sent last");
        MemorySegment destination = local(1000);
        for (int i = 0; i < many; i++) {
            c.world.recv(destination, c.previous, 8);
            c.checks.same(pattern(1000, i), destination, "message " + i);
        }
    }

    static void synchronous(MessageContext c) {
        for (long bytes : new long[] {0, 8, EAGER + 1, 2 * SLOT + 1}) {
            MessageRequest send = c.world.issend(pattern(bytes, 1), c.next, 4);
            for (int i = 0; i < 20; i++) {
                c.checks.holds(!send.test(), "a synchronous send is complete before there is a receive");
            }
            c.world.barrier();
            MemorySegment destination = local(bytes);
            Message got = c.world.recv(destination, c.previous, 4);
            c.equal(bytes, got.bytes(), "bytes");
            send.await();
            c.checks.same(pattern(bytes, 1), destination, "a synchronous message");
        }
    }

    static void probes(MessageContext c) {
        c.equal(null, c.world.iprobe(Channel.ANY_SOURCE, 12), "a probe of a tag that nobody sends");
        c.world.barrier();
        c.world.send(pattern(33, 2), c.next, 12);
        Message found = c.world.probe(Channel.ANY_SOURCE, 12);
        c.equal(c.previous, found.source(), "source");
        c.equal(33L, found.bytes(), "bytes");
        MemorySegment destination = local(found.bytes());
        c.world.recv(destination, found.source(), found.tag());
        c.checks.same(pattern(33, 2), destination, "what was probed");
        c.equal(null, c.world.iprobe(c.previous, 12), "a probe of what was received");
    }

    static void self(MessageContext c) {
        for (long bytes : SIZES) {
            MessageRequest send = c.world.isend(pattern(bytes, 5), c.rank, 2);
            MemorySegment destination = local(bytes);
            c.equal(c.rank, c.world.recv(destination, c.rank, 2).source(), "source");
            send.await();
            c.checks.same(pattern(bytes, 5), destination, "a message to the own rank");
        }
    }

    static void cancel(MessageContext c) {
        MemorySegment cell = local(8);
        MessageRequest receive = c.world.irecv(cell, c.previous, 77);
        c.checks.holds(receive.cancel(), "nobody sends this: it is taken back");
        c.equal(null, receive.await(), "what a receive got that was taken back");
        c.world.sendLong(6, c.next, 78);
        MessageRequest other = c.world.irecv(cell, c.previous, 78);
        while (!other.test()) {
            c.job.progress();
        }
        c.equal(8L, other.message().bytes(), "bytes");
    }

    /** Whoever posts a receive and takes it back gets in the end what is there. */
    static void polledByCancel(MessageContext c) {
        MemorySegment cell = local(8);
        c.world.sendLong(c.rank, c.next, 79);
        boolean isThere = false;
        while (!isThere) {
            MessageRequest receive = c.world.irecv(cell, c.previous, 79);
            isThere = !receive.cancel();
            receive.await();
        }
        c.equal((long) c.previous, cell.get(ValueLayout.JAVA_LONG, 0), "the message");
    }

    static void values(MessageContext c) {
        c.world.sendDouble(c.rank + 0.5, c.next, 1);
        c.equal(c.previous + 0.5, c.world.recvDouble(c.previous, 1), "a value");
        c.world.send(pattern(9, 1), c.next, 2);
        c.checks.misuse("a message of 9 bytes as a value", () -> c.world.recvLong(c.previous, 2), "9 bytes",
            "tag 2");
    }

    static void tooLong(MessageContext c) {
        for (long bytes : new long[] {100, EAGER + 1, 2 * SLOT}) {
            MemorySegment destination = local(50);
            c.world.send(pattern(bytes, 3), c.next, 6);
            c.checks.misuse("a message that is too long", () -> c.world.recv(destination, c.previous, 6),
                "a message of " + bytes + " bytes", "rank " + c.previous, "tag 6", "50 bytes");
            c.checks.same(pattern(bytes, 3).asSlice(0, 50), destination, "what fits");
        }
        c.world.sendLong(1, c.next, 6);
        c.equal(1L, c.world.recvLong(c.previous, 6), "what comes after");
    }

    /** Three messages, of which the second one does not fit. */
    private static MessageRequest[] three(MessageContext c, MemorySegment[] cells) {
        MessageRequest[] receives = new MessageRequest[3];
        for (int i = 0; i < 3; i++) {
            receives[i] = c.world.irecv(cells[i], c.previous, 60 + i);
        }
        for (int i = 0; i < 3; i++) {
            c.world.send(pattern(i == 1 ? 16 : 8, i), c.next, 60 + i);
        }
        return receives;
    }

    /** MPI 4, 3.7.5: of several requests one that fails does not hide what became of the others. */
    static void tooLongAmongSeveral(MessageContext c) {
        MemorySegment[] cells = {local(8), local(8), local(8)};
        MessageRequest[] all = three(c, cells);
        c.checks.misuse("waitAll", () -> c.world.waitAll(all), "waitAll: requests[1]: ", "16 bytes", "tag 61");
        for (int i = 0; i < 3; i++) {
            MessageRequest one = all[i];
            c.checks.same(pattern(16, i).asSlice(0, 8), cells[i], "message " + i);
            c.checks.misuse("all have ended", one::test, "test: a call has told before");
        }
        MessageRequest[] tested = three(c, cells);
        boolean isTold = false;
        while (!isTold) {
            try {
                c.checks.holds(!c.world.testAll(tested), "testAll tells of what does not fit");
            } catch (MisuseException e) {
                isTold = e.getMessage().startsWith("testAll: requests[1]: ");
                c.checks.holds(isTold, e.getMessage());
            }
        }
        c.equal(-1, c.world.waitAny(tested), "all have ended");
        MessageRequest[] some = three(c, cells);
        int[] done = new int[3];
        int count = 0;
        while (count < 3) {
            try {
                count += c.world.waitSome(done, some);
            } catch (MisuseException e) {
                c.checks.holds(some[1] == null && e.getMessage().contains("does not fit"), e.getMessage());
                count++;
            }
        }
        c.equal(-1, c.world.waitAny(some), "each was told of once");
        c.world.sendLong(3, c.next, 61);
        c.equal(3L, c.world.recvLong(c.previous, 61), "what did not fit is gone");
    }

    static void channelsAreApart(MessageContext c) {
        c.equal(c.size - 1 - c.rank, c.reversed.rank(), "the order of keys");
        int halfNext = (c.half.rank() + 1) % c.half.size();
        int halfPrevious = (c.half.rank() + c.half.size() - 1) % c.half.size();
        c.world.sendLong(1, c.next, 1);
        c.half.sendLong(2, halfNext, 1);
        c.reversed.sendLong(3, c.size - 1 - c.next, 1);
        MemorySegment cell = local(8);
        Message got = c.reversed.recv(cell, Channel.ANY_SOURCE, Channel.ANY_TAG);
        c.equal(c.size - 1 - c.previous, got.source(), "a number in the channel");
        c.equal(3L, cell.get(ValueLayout.JAVA_LONG, 0), "of the reversed channel");
        c.equal(2L, c.half.recvLong(halfPrevious, Channel.ANY_TAG), "of a half");
        c.equal(1L, c.world.recvLong(Channel.ANY_SOURCE, Channel.ANY_TAG), "of all");
    }

    static void acrossABoundary(MessageContext c) {
        for (int i = 0; i < SIZES.length; i++) {
            c.world.send(pattern(SIZES[i], 30 + i), c.next, 1000 + i);
        }
    }

    /** Where this is the only case there was no step before it. */
    static void takenAfterTheBoundary(MessageContext c) {
        if (c.job.step() == 1) {
            acrossABoundary(c);
        }
        for (int i = SIZES.length - 1; i >= 0; i--) {
            MemorySegment destination = local(SIZES[i]);
            Message got = c.world.recv(destination, Channel.ANY_SOURCE, 1000 + i);
            c.equal(c.previous, got.source(), "source");
            c.checks.same(pattern(SIZES[i], 30 + i), destination, "message " + i + " of the step before");
        }
    }

    static void besideWindows(MessageContext c) {
        c.checks.clear();
        c.checks.window.putLong(c.rank + 1, c.next, 0);
        c.checks.window.flush(c.next);
        c.world.sendLong(1, c.next, 1);
        c.world.recvLong(c.previous, 1);
        c.equal(c.previous + 1L, c.checks.window.memory().get(CaseContext.LONG, 0), "what was put before the message");
        c.job.gsync();
    }

    static void collectives(MessageContext c) {
        collectives(c, c.world, 3);
    }

    static void largeCollectives(MessageContext c) {
        collectives(c, c.reversed, 20_000);
    }

    static void collectivesOfAPart(MessageContext c) {
        collectives(c, c.half, 11);
    }

    private static long element(int rank, long i) {
        return rank * 1_000_003L + i * 7;
    }

    static MemorySegment elements(int rank, long count) {
        MemorySegment segment = local(8 * count);
        for (long i = 0; i < count; i++) {
            segment.setAtIndex(CaseContext.LONG, i, element(rank, i));
        }
        return segment;
    }

    private static void collectives(MessageContext c, Channel channel, long count) {
        int rank = channel.rank();
        int size = channel.size();
        channel.barrier();
        c.equal(size * (size + 1L) / 2, channel.allReduce(AtomicOp.SUM, rank + 1L), "a sum");
        c.equal(size - 1.0, channel.allReduce(AtomicOp.MAX, (double) rank), "a maximum");
        MemorySegment own = elements(rank, count);
        MemorySegment result = local(8 * count);
        channel.allReduce(AtomicOp.SUM, DataType.INT64, own, result);
        checkSum(c, result, size, count);
        for (int root = 0; root < size; root++) {
            MemorySegment data = rank == root ? elements(root, count) : local(8 * count);
            channel.broadcast(data, root);
            c.checks.same(elements(root, count), data, "a broadcast of rank " + root);
            MemorySegment reduced = local(8 * count);
            channel.reduce(AtomicOp.SUM, DataType.INT64, own, rank == root ? reduced : null, root);
            if (rank == root) {
                checkSum(c, reduced, size, count);
            }
            MemorySegment all = local(8 * count * size);
            channel.gather(own, rank == root ? all : null, root);
            MemorySegment part = local(8 * count);
            channel.scatter(rank == root ? all : null, part, root);
            c.checks.same(own, part, "what was gathered and scattered");
        }
        MemorySegment gathered = local(8 * count * size);
        channel.allGather(own, gathered);
        MemorySegment turned = local(8 * count * size);
        channel.allToAll(gathered, turned);
        for (int i = 0; i < size; i++) {
            c.checks.same(elements(i, count), gathered.asSlice(8 * count * i, 8 * count), "allGather");
            c.checks.same(own, turned.asSlice(8 * count * i, 8 * count), "allToAll of what all have");
        }
        channel.scan(AtomicOp.SUM, DataType.INT64, own, result);
        checkSum(c, result, rank + 1, count);
        channel.exclusiveScan(AtomicOp.SUM, DataType.INT64, own, result);
        checkSum(c, result, rank == 0 ? 1 : rank, count); // at rank 0 that of the scan before is left
        if (channel == c.world) {
            CollectiveCases.locations(c.checks, channel::allReduce);
        }
        unequalParts(c, channel);
    }

    private static void unequalParts(MessageContext c, Channel channel) {
        int rank = channel.rank();
        int size = channel.size();
        long[] sendOffsets = new long[size];
        long[] sendBytes = new long[size];
        long[] recvOffsets = new long[size];
        long[] recvBytes = new long[size];
        for (int i = 0; i < size; i++) {
            sendOffsets[i] = 50L * i;
            sendBytes[i] = (rank + 2L * i) % 50;
            recvOffsets[i] = 50L * i;
            recvBytes[i] = (i + 2L * rank) % 50;
        }
        MemorySegment destination = local(50L * size);
        channel.allToAll(pattern(50L * size, rank), sendOffsets, sendBytes, destination, recvOffsets, recvBytes);
        for (int i = 0; i < size; i++) {
            c.checks.same(pattern(50L * size, i).asSlice(50L * rank, recvBytes[i]),
                destination.asSlice(recvOffsets[i], recvBytes[i]), "a part of rank " + i);
        }
    }

    static void checkSum(MessageContext c, MemorySegment sum, int ranks, long count) {
        for (long i = 0; i < count; i++) {
            long expected = 0;
            for (int rank = 0; rank < ranks; rank++) {
                expected += element(rank, i);
            }
            c.equal(expected, sum.getAtIndex(CaseContext.LONG, i), "element " + i + " of a sum");
        }
    }

    static void unlikeCollectives(MessageContext c) {
        MemorySegment result = local(8);
        AtomicOp op = c.rank == 0 ? AtomicOp.SUM : AtomicOp.MAX;
        Runnable call = () -> c.unlike.reduce(op, DataType.INT64, elements(c.rank, 1), result, 0);
        if (c.rank > 0 || c.size == 1) {
            call.run();
        } else {
            c.checks.misuse("a sum of what the others want the maximum of", call,
                "collective 1 of a channel of " + c.size + " ranks",
                "rank 0 calls reduce SUM INT64 of 8 bytes to rank 0",
                "rank 1 calls reduce MAX INT64 of 8 bytes to rank 0");
        }
    }

    static void misuse(MessageContext c) {
        MemorySegment cell = local(8);
        c.checks.misuse("a target", () -> c.world.sendLong(1, c.size, 0), "target=" + c.size, "0 to " + (c.size - 1));
        c.checks.misuse("a tag", () -> c.world.sendLong(1, 0, -1), "tag=-1");
        c.checks.misuse("a tag", () -> c.world.recvLong(0, -2), "tag=-2", "ANY_TAG");
        c.checks.misuse("a source", () -> c.world.recvLong(-3, 0), "source=-3", "ANY_SOURCE");
        c.checks.misuse("a length", () -> c.world.send(cell, 4, 5, 0, 0), "offset=4", "length=5", "8 bytes");
        c.checks.misuse("null", () -> c.world.send(null, 0, 8, 0, 0), "source is null");
        c.checks.misuse("null", () -> c.world.send(null, 0, 0), "source is null");
        c.checks.misuse("null", () -> c.world.irecv(null, 0, 0), "destination is null");
        c.checks.misuse("the heap", () -> c.world.send(MemorySegment.ofArray(new long[1]), 0, 0), "Java heap");
        c.checks.misuse("read-only", () -> c.world.irecv(cell.asReadOnly(), 0, 0), "read-only");
        c.checks.misuse("a root", () -> c.world.broadcast(cell, c.size), "root=" + c.size);
        c.checks.misuse("elements", () -> c.world.allReduce(AtomicOp.SUM, DataType.INT64, local(9), local(9)),
            "source=9 bytes");
        c.checks.misuse("sizes", () -> c.world.allGather(cell, local(8L * c.size + 8)), "destination=");
        c.checks.misuse("split in the loop", () -> c.world.split(0, 0), "split");
        MessageRequest receive = c.world.irecv(cell, c.previous, 40);
        c.world.sendLong(4, c.next, 40);
        receive.await();
        c.checks.misuse("a request that is over", receive::test, "test", "complete");
    }
}
