package org.ftrma.testkit.contract;

import static org.ftrma.testkit.contract.MessageContext.local;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.ftrma.AtomicOp;
import org.ftrma.DataType;
import org.ftrma.MessageRequest;

/** Bodies of {@link MessageCase} on calls that are refused, and change nothing. The rank's data thread only. */
final class MessageMisuseCases {
    private MessageMisuseCases() {
    }

    static void requests(MessageContext c) {
        MessageRequest[] none = null;
        int[] numbers = new int[1];
        c.checks.misuse("no array", () -> c.world.waitAll(none), "waitAll: requests is null", "must be an array");
        c.checks.misuse("no array", () -> c.world.waitAny(none), "waitAny: requests is null", "must be an array");
        c.checks.misuse("no array", () -> c.world.testAll(none), "testAll: requests is null", "must be an array");
        c.checks.misuse("no array", () -> c.world.testAny(none), "testAny: requests is null", "must be an array");
        c.checks.misuse("no array", () -> c.world.waitSome(numbers, none), "waitSome: requests is null");
        c.checks.misuse("no array", () -> c.world.testSome(numbers, none), "testSome: requests is null");
        MessageRequest nothing = null;
        c.checks.misuse("no numbers", () -> c.world.waitSome(null, nothing), "waitSome: done is null: must be");
        c.checks.misuse("no numbers", () -> c.world.testSome(null, nothing), "testSome: done is null: must be");
        c.world.waitAll(nothing, nothing);
        c.equal(-1, c.world.waitAny(nothing), "all are null");
        c.checks.holds(c.world.testAll(nothing), "all are null");
        MessageRequest send = c.world.isend(local(8), c.next, 23);
        c.checks.misuse("a send taken back", send::cancel, "cancel: a send of 8 bytes to rank " + c.next
            + " with tag 23 cannot be taken back", "await or test it");
        c.world.recv(local(8), c.previous, 23);
        send.await();
        c.checks.misuse("a request that is over", () -> c.world.waitSome(numbers, send), "waitSome: a call has told");
        c.checks.misuse("a request that is over", () -> c.world.testSome(numbers, send), "testSome: a call has told");
    }

    /** MPI 4, 12.3.4: these two are no operations of reductions. */
    static void reductions(MessageContext c) {
        MemorySegment data = local(64);
        MemorySegment result = local(64);
        DataType type = DataType.INT64;
        for (AtomicOp op : new AtomicOp[] {AtomicOp.REPLACE, AtomicOp.NO_OP}) {
            String why = ": op=" + op + ": is for accesses to windows, and no reduction";
            c.checks.misuse("reduce", () -> c.world.reduce(op, type, data, result, 0), "reduce" + why);
            c.checks.misuse("ireduce", () -> c.world.ireduce(op, type, data, result, 0), "ireduce" + why);
            c.checks.misuse("allReduce", () -> c.world.allReduce(op, type, data, result), "allReduce" + why);
            c.checks.misuse("iallReduce", () -> c.world.iallReduce(op, type, data, result), "iallReduce" + why);
            c.checks.misuse("scan", () -> c.world.scan(op, type, data, result), "scan" + why);
            c.checks.misuse("iscan", () -> c.world.iscan(op, type, data, result), "iscan" + why);
            c.checks.misuse("a value", () -> c.world.allReduce(op, 1L), "allReduce" + why);
            c.checks.misuse("a value", () -> c.world.allReduce(op, 1.0), "allReduce" + why);
            c.checks.misuse("of the job", () -> c.job.allReduce(op, type, data, result), "allReduce" + why);
            c.checks.misuse("of the job", () -> c.job.allReduce(op, 1L), "allReduce" + why);
            c.checks.misuse("of the job", () -> c.job.allReduce(op, 1.0), "allReduce" + why);
        }
        String bits = "allReduce: op=BOR type=FLOAT64: bit and logical operations need an integer type";
        c.checks.misuse("bits", () -> c.world.allReduce(AtomicOp.BOR, 1.0), bits);
        c.checks.misuse("bits", () -> c.job.allReduce(AtomicOp.BOR, 1.0), bits);
        c.world.barrier();
    }

    static void parts(MessageContext c) {
        MemorySegment data = local(8);
        long[] zeros = new long[c.size];
        long[] more = new long[c.size + 1];
        String what = ": must have " + c.size + ", one for each rank of the channel";
        for (int i = 0; i < 4; i++) {
            String name = new String[] {"sendOffsets", "sendBytes", "recvOffsets", "recvBytes"}[i];
            long[][] arrays = {zeros, zeros, zeros, zeros};
            arrays[i] = null;
            c.checks.misuse("null", () -> c.world.iallToAll(data, arrays[0], arrays[1], data, arrays[2], arrays[3]),
                "iallToAll: " + name + " is null" + what);
            arrays[i] = more;
            c.checks.misuse("length", () -> c.world.allToAll(data, arrays[0], arrays[1], data, arrays[2], arrays[3]),
                "allToAll: " + name + " has " + more.length + " elements" + what);
        }
        long[] far = zeros.clone();
        Arrays.fill(far, 9);
        c.checks.misuse("a part outside", () -> c.world.allToAll(data, zeros, zeros, data, far, zeros),
            "allToAll: recvOffsets[0]=9 recvBytes[0]=0: the segment has 8 bytes");
        c.checks.misuse("the heap", () -> c.world.ibroadcast(MemorySegment.ofArray(new long[1]), 0), "Java heap");
        c.world.barrier();
    }
}
