package org.ftrma.testkit.contract;

import static org.ftrma.testkit.contract.CaseContext.LONG;
import static org.ftrma.testkit.contract.CaseContext.local;
import static org.ftrma.testkit.contract.CaseContext.pattern;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.ftrma.AtomicOp;
import org.ftrma.DataType;
import org.ftrma.Team;

/** Teams of a job: one of all ranks in the opposite order, one of those with even, and one of those with odd ranks. */
final class TeamCases {
    private static final long[] SIZES = {0, 1, 8, 1000, 8176, 8177, 50_000};

    private TeamCases() {
    }

    static void members(CaseContext c) {
        c.equal(c.ranks, c.all.size(), "size");
        c.equal(c.ranks - 1 - c.rank, c.all.position(), "position, by keys");
        c.equal("contract, all", c.all.name(), "name");
        c.equal(c.rank / 2, c.halves.position(), "position among those of the same color");
        for (int rank = 0; rank < c.ranks; rank++) {
            c.equal(rank, c.all.rankOf(c.all.positionOf(rank)), "rankOf positionOf " + rank);
            c.equal(rank % 2 == c.rank % 2 ? rank / 2 : -1, c.halves.positionOf(rank), "positionOf " + rank);
        }
        c.holds(c.rank != 0 || c.others == null, "rank 0 is in no team");
        c.holds(c.rank == 0 || c.others.size() == c.ranks - 1, "all others are in one");
    }

    /** A put to whatever rank is there when its maker's team has met. */
    static void synchronization(CaseContext c) {
        for (int round = 1; round <= 20; round++) {
            c.window.putLong(round * 10L + c.rank, 0, 8L * c.rank);
            c.halves.gsync();
            for (int i = 0; i < c.halves.size(); i++) {
                int rank = c.halves.rankOf(i);
                c.equal(round * 10L + rank, c.window.getLong(0, 8L * rank), "gsync " + round);
            }
            c.halves.barrier();
        }
        c.job.gsync();
    }

    static void broadcasts(CaseContext c) {
        for (Team team : new Team[] {c.all, c.halves}) {
            for (int root = 0; root < team.size(); root++) {
                for (long bytes : SIZES) {
                    MemorySegment data = pattern(bytes, team.position() == root ? root + 1 : 99);
                    team.broadcast(data, root);
                    c.same(pattern(bytes, root + 1), data, "broadcast of " + bytes + " bytes from " + root);
                }
            }
        }
    }

    static void parts(CaseContext c) {
        for (Team team : new Team[] {c.all, c.halves}) {
            int me = team.position();
            for (long bytes : SIZES) {
                int root = (int) (bytes % team.size());
                MemorySegment all = local(bytes * team.size());
                team.gather(pattern(bytes, me), me == root ? all : null, root);
                for (int i = 0; me == root && i < team.size(); i++) {
                    c.same(pattern(bytes, i), all.asSlice(i * bytes, bytes), "gather of " + bytes + " bytes");
                }
                MemorySegment own = local(bytes);
                team.scatter(me == root ? all : null, own, root);
                c.same(pattern(bytes, me), own, "scatter of " + bytes + " bytes");
                MemorySegment gathered = local(bytes * team.size());
                team.allGather(own, gathered);
                MemorySegment exchanged = local(bytes * team.size());
                team.allToAll(gathered, exchanged);
                for (int i = 0; i < team.size(); i++) {
                    c.same(pattern(bytes, i), gathered.asSlice(i * bytes, bytes), "allGather of " + bytes + " bytes");
                    c.same(pattern(bytes, me), exchanged.asSlice(i * bytes, bytes), "allToAll of " + bytes + " bytes");
                }
            }
        }
    }

    static void partsOfAnySize(CaseContext c) {
        for (long unit : new long[] {1, 8, 9001}) {
            int size = c.all.size();
            int me = c.all.position();
            long[] offsets = new long[size];
            long[] bytes = new long[size];
            long[] equal = new long[size];
            long[] same = new long[size];
            long[] zeros = new long[size];
            for (int i = 0; i < size; i++) {
                bytes[i] = unit * i;
                offsets[i] = i == 0 ? 5 : offsets[i - 1] + bytes[i - 1];
                same[i] = unit * me;
                equal[i] = i * unit * size;
            }
            MemorySegment all = local(offsets[size - 1] + bytes[size - 1]);
            c.all.allGather(pattern(unit * me, me), all, offsets, bytes);
            MemorySegment received = local(offsets[size - 1] + bytes[size - 1]);
            c.all.allToAll(pattern(unit * me, me), zeros, same, received, offsets, bytes);
            for (int i = 0; i < size; i++) {
                c.same(pattern(bytes[i], i), all.asSlice(offsets[i], bytes[i]), "allGather, part of " + i);
                c.same(pattern(bytes[i], i), received.asSlice(offsets[i], bytes[i]), "allToAll, part of " + i);
            }
        }
    }

    static void reductions(CaseContext c) {
        int size = c.all.size();
        int me = c.all.position();
        for (int count : new int[] {1, 3, 3000}) {
            MemorySegment source = local(count * 8L);
            MemorySegment result = local(count * 8L);
            for (int i = 0; i < count; i++) {
                source.set(LONG, i * 8L, (me + 1L) << i % 50);
            }
            for (AtomicOp op : new AtomicOp[] {AtomicOp.SUM, AtomicOp.PROD, AtomicOp.MIN, AtomicOp.MAX, AtomicOp.BXOR,
                AtomicOp.LAND}) {
                c.all.allReduce(op, DataType.INT64, source, result);
                combined(c, op, result, count, size, "allReduce");
                result.fill((byte) 0);
                c.all.reduce(op, DataType.INT64, source, me == size - 1 ? result : null, size - 1);
                if (me == size - 1) {
                    combined(c, op, result, count, size, "reduce");
                }
                c.all.scan(op, DataType.INT64, source, result);
                combined(c, op, result, count, me + 1, "scan");
                c.all.exclusiveScan(op, DataType.INT64, source, result);
                combined(c, op, result, count, me == 0 ? 1 : me, "exclusiveScan");
            }
        }
        CollectiveCases.locations(c, c.all::allReduce);
        c.equal(c.halves.size() - 0.5, c.halves.allReduce(AtomicOp.MAX, c.halves.position() + 0.5), "one FLOAT64");
        c.equal(size * (size + 1) / 2L, c.all.allReduce(AtomicOp.SUM, me + 1L), "one INT64");
    }

    private static void combined(CaseContext c, AtomicOp op, MemorySegment found, int count, int members, String what) {
        for (int i = 0; i < count; i += 1 + count / 7) {
            long expected = 1L << i % 50;
            for (int member = 1; member < members; member++) {
                expected = op.apply(DataType.INT64, expected, (member + 1L) << i % 50);
            }
            c.equal(expected, found.get(LONG, i * 8L), what + " " + op + " of element " + i);
        }
    }

    static void misuse(CaseContext c) {
        Team team = c.all;
        int size = team.size();
        MemorySegment data = local(8);
        AtomicOp sum = AtomicOp.SUM;
        DataType type = DataType.INT64;
        c.misuse("root", () -> team.broadcast(data, size), "contract, all", "broadcast", "root=" + size, "0 to");
        c.misuse("null", () -> team.broadcast(null, 0), "data is null");
        c.misuse("size", () -> team.allGather(data, local(8L * size + 1)), "destination=" + (8 * size + 1), "must be");
        c.misuse("op", () -> team.allReduce(AtomicOp.REPLACE, type, data, data), "op=REPLACE", "use SUM");
        c.misuse("type", () -> team.scan(AtomicOp.BOR, DataType.FLOAT64, data, data), "op=BOR", "FLOAT64");
        c.misuse("one value", () -> team.allReduce(AtomicOp.MAXLOC, 1.0), "op=MAXLOC", "pairs", "MAX");
        c.misuse("pairs", () -> team.allReduce(AtomicOp.MINLOC, type, data, data), "source=8", "multiple of the 16");
        c.misuse("elements", () -> team.exclusiveScan(sum, type, local(7), local(7)), "source=7", "multiple of the 8");
        c.misuse("read-only", () -> team.allReduce(sum, type, data, data.asReadOnly()), "read-only", "asReadOnly");
        c.misuse("arrays", () -> team.allGather(data, data, new long[size], new long[size + 1]), "one for each");
        long[] parts = new long[size];
        parts[team.position()] = 9;
        c.misuse("range", () -> team.allToAll(data, new long[size], parts, data, new long[size], parts), "bytes=9");
        MemorySegment closed;
        try (Arena arena = Arena.ofConfined()) {
            closed = arena.allocate(8);
        }
        c.misuse("closed", () -> team.scatter(null, closed, 0), "destination is closed");
        c.misuse("member", () -> team.rankOf(size), "position=" + size);
        c.misuse("rank", () -> team.positionOf(-1), "rank=-1");
        c.misuse("late", () -> c.job.team("late", 0, 0), "before steps()");
        team.barrier(); // nothing of that has begun anything
    }
}
