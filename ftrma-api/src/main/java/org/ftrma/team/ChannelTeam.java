package org.ftrma.team;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.ftrma.AtomicOp;
import org.ftrma.Channel;
import org.ftrma.DataType;
import org.ftrma.Job;
import org.ftrma.MisuseException;
import org.ftrma.Team;

/**
 * A team over a channel, where messages are logged, and accesses to others' windows are not. Data thread only;
 * allocates what channels allocate.
 */
public final class ChannelTeam extends TeamMembers {
    private final Channel channel;
    private final Runnable complete;
    private final TeamArguments arguments;
    private final long[] none;
    private final long[] same;

    private ChannelTeam(Job job, String name, int[] members, Channel channel, Runnable complete) {
        super(name, members, job.rank(), job.ranks());
        this.channel = channel;
        this.complete = complete;
        this.arguments = new TeamArguments(name, size(), position());
        this.none = new long[size()];
        this.same = new long[size()];
    }

    /**
     * The team of this rank and color; null: it is in none. All ranks call it.
     *
     * @param complete completes what this rank has under way
     */
    public static Team of(Job job, String name, int color, int key, Runnable complete) {
        if (name == null) {
            throw new MisuseException("team: name is null");
        }
        int[] members = job.split(color, key);
        Channel channel = job.messages().split(color, key);
        return members == null ? null : new ChannelTeam(job, name, members, channel, complete);
    }

    @Override
    public void barrier() {
        channel.barrier();
    }

    @Override
    public void gsync() {
        complete.run();
        channel.barrier();
    }

    @Override
    public void broadcast(MemorySegment data, int root) {
        channel.broadcast(data, root);
    }

    @Override
    public void reduce(AtomicOp op, DataType type, MemorySegment source, MemorySegment destination, int root) {
        channel.reduce(op, type, source, destination, root);
    }

    @Override
    public void allReduce(AtomicOp op, DataType type, MemorySegment source, MemorySegment destination) {
        channel.allReduce(op, type, source, destination);
    }

    @Override
    public double allReduce(AtomicOp op, double value) {
        return channel.allReduce(op, value);
    }

    @Override
    public long allReduce(AtomicOp op, long value) {
        return channel.allReduce(op, value);
    }

    @Override
    public void scan(AtomicOp op, DataType type, MemorySegment source, MemorySegment destination) {
        channel.scan(op, type, source, destination);
    }

    @Override
    public void exclusiveScan(AtomicOp op, DataType type, MemorySegment source, MemorySegment destination) {
        channel.exclusiveScan(op, type, source, destination);
    }

    @Override
    public void gather(MemorySegment source, MemorySegment destination, int root) {
        channel.gather(source, destination, root);
    }

    @Override
    public void scatter(MemorySegment source, MemorySegment destination, int root) {
        channel.scatter(source, destination, root);
    }

    @Override
    public void allGather(MemorySegment source, MemorySegment destination) {
        channel.allGather(source, destination);
    }

    @Override
    public void allGather(MemorySegment source, MemorySegment destination, long[] offsets, long[] bytes) {
        arguments.allGather(source, destination, offsets, bytes);
        Arrays.fill(same, source.byteSize());
        channel.allToAll(source, none, same, destination, offsets, bytes);
    }

    @Override
    public void allToAll(MemorySegment source, MemorySegment destination) {
        channel.allToAll(source, destination);
    }

    @Override
    public void allToAll(MemorySegment source, long[] sendOffsets, long[] sendBytes, MemorySegment destination,
        long[] recvOffsets, long[] recvBytes) {
        channel.allToAll(source, sendOffsets, sendBytes, destination, recvOffsets, recvBytes);
    }
}
