package org.ftrma.team;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.ftrma.AtomicOp;
import org.ftrma.DataType;
import org.ftrma.Distribution;
import org.ftrma.Job;
import org.ftrma.MisuseException;
import org.ftrma.Team;
import org.ftrma.Window;
import org.ftrma.team.TeamCall.Kind;

/**
 * A team over a window of its own: it only makes accesses that programs can make too, so that all that is known of
 * those, and done for them, holds of it. Data thread only; allocates nothing once made.
 */
public final class WindowTeam extends TeamMembers {
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;

    private final TeamLinks links;
    private final TeamTrees trees;
    private final TeamExchange exchange;
    private final TeamArguments arguments;
    private final MemorySegment one = Arena.ofAuto().allocate(Long.BYTES, Long.BYTES);

    private WindowTeam(Job job, String name, int[] members, Window window, TeamLayout layout) {
        super(name, members, job.rank(), job.ranks());
        this.links = new TeamLinks(job, name, members, position(), window, layout);
        this.trees = new TeamTrees(links);
        this.exchange = new TeamExchange(links);
        this.arguments = new TeamArguments(name, size(), position());
    }

    /** The team of this rank and color; null: it is in none. All ranks call it. */
    public static Team of(Job job, String name, int color, int key) {
        if (name == null) {
            throw new MisuseException("team: name is null");
        }
        int[] members = job.split(color, key);
        TeamLayout layout = new TeamLayout(job.ranks());
        Window window = job.allocateWindow(name, layout.bytes());
        job.distribution(name, Distribution.zeroed()); // between two steps it only counts calls
        return members == null ? null : new WindowTeam(job, name, members, window, layout);
    }

    private void begin(long call) {
        links.begin(call);
    }

    @Override
    public void barrier() {
        links.enter();
        begin(TeamCall.of(Kind.BARRIER, 0, 0));
        links.barrier();
    }

    @Override
    public void gsync() {
        links.enter();
        links.completeAll();
        begin(TeamCall.of(Kind.GSYNC, 0, 0));
        links.barrier();
    }

    @Override
    public void broadcast(MemorySegment data, int root) {
        links.enter();
        arguments.broadcast(data, root);
        begin(TeamCall.of(Kind.BROADCAST, root, data.byteSize()));
        trees.broadcast(data, root);
    }

    @Override
    public void reduce(AtomicOp op, DataType type, MemorySegment source, MemorySegment destination, int root) {
        links.enter();
        arguments.root("reduce", root);
        arguments.elements("reduce", op, type, source, destination, root == position());
        begin(TeamCall.of(Kind.REDUCE, op, type, root, source.byteSize()));
        trees.reduce(op, type, source, destination, root);
    }

    @Override
    public void allReduce(AtomicOp op, DataType type, MemorySegment source, MemorySegment destination) {
        links.enter();
        arguments.elements("allReduce", op, type, source, destination, true);
        allReduced(op, type, source, destination);
    }

    private void allReduced(AtomicOp op, DataType type, MemorySegment source, MemorySegment destination) {
        begin(TeamCall.of(Kind.ALL_REDUCE, op, type, 0, source.byteSize()));
        trees.reduce(op, type, source, destination, 0);
        trees.broadcast(destination, 0);
    }

    private long allReduceOne(AtomicOp op, DataType type, long bits) {
        links.enter();
        arguments.single(op, type);
        one.set(LONG, 0, bits);
        allReduced(op, type, one, one);
        return one.get(LONG, 0);
    }

    @Override
    public double allReduce(AtomicOp op, double value) {
        return Double.longBitsToDouble(allReduceOne(op, DataType.FLOAT64, Double.doubleToRawLongBits(value)));
    }

    @Override
    public long allReduce(AtomicOp op, long value) {
        return allReduceOne(op, DataType.INT64, value);
    }

    @Override
    public void scan(AtomicOp op, DataType type, MemorySegment source, MemorySegment destination) {
        links.enter();
        arguments.elements("scan", op, type, source, destination, true);
        begin(TeamCall.of(Kind.SCAN, op, type, 0, source.byteSize()));
        trees.scan(op, type, source, destination, false);
    }

    @Override
    public void exclusiveScan(AtomicOp op, DataType type, MemorySegment source, MemorySegment destination) {
        links.enter();
        arguments.elements("exclusiveScan", op, type, source, destination, true);
        begin(TeamCall.of(Kind.EXCLUSIVE_SCAN, op, type, 0, source.byteSize()));
        trees.scan(op, type, source, destination, true);
    }

    @Override
    public void gather(MemorySegment source, MemorySegment destination, int root) {
        links.enter();
        arguments.root("gather", root);
        arguments.gather("gather", source, destination, root == position());
        begin(TeamCall.of(Kind.GATHER, root, source.byteSize()));
        trees.gather(source, destination, root);
    }

    @Override
    public void scatter(MemorySegment source, MemorySegment destination, int root) {
        links.enter();
        arguments.scatter(source, destination, root);
        begin(TeamCall.of(Kind.SCATTER, root, destination.byteSize()));
        trees.scatter(source, destination, root);
    }

    @Override
    public void allGather(MemorySegment source, MemorySegment destination) {
        links.enter();
        arguments.gather("allGather", source, destination, true);
        begin(TeamCall.of(Kind.ALL_GATHER, 0, source.byteSize()));
        trees.allGather(source, destination);
    }

    @Override
    public void allGather(MemorySegment source, MemorySegment destination, long[] offsets, long[] bytes) {
        links.enter();
        arguments.allGather(source, destination, offsets, bytes);
        long all = 0;
        for (long one : bytes) {
            all += one;
        }
        begin(TeamCall.of(Kind.UNEQUAL_ALL_GATHER, 0, all));
        trees.allGather(source, destination, offsets, bytes);
    }

    @Override
    public void allToAll(MemorySegment source, MemorySegment destination) {
        links.enter();
        arguments.allToAll(source, destination);
        begin(TeamCall.of(Kind.ALL_TO_ALL, 0, source.byteSize() / size()));
        exchange.equal(source, destination);
    }

    @Override
    public void allToAll(MemorySegment source, long[] sendOffsets, long[] sendBytes, MemorySegment destination,
        long[] recvOffsets, long[] recvBytes) {
        links.enter();
        arguments.allToAll(source, sendOffsets, sendBytes, destination, recvOffsets, recvBytes);
        begin(TeamCall.of(Kind.UNEQUAL_ALL_TO_ALL, 0, 0));
        one.set(LONG, 0, exchange.unequal(sendOffsets, sendBytes, recvOffsets, recvBytes));
        trees.reduce(AtomicOp.MAX, DataType.INT64, one, one, 0);
        trees.broadcast(one, 0);
        exchange.run(source, destination, one.get(LONG, 0));
    }
}
