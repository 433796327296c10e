package org.ftrma.testkit.programs;

import static org.ftrma.testkit.programs.Mixer.LONG;
import static org.ftrma.testkit.programs.Mixer.mix;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.ftrma.AtomicOp;
import org.ftrma.Channel;
import org.ftrma.DataType;
import org.ftrma.MessageRequest;

/**
 * Collectives of several channels in an order that all ranks know, sometimes while other messages are under way. Some
 * of them are only begun, and awaited later. What they carry from one rank to another counts as a message of these.
 */
final class ChannelCollectives implements MessagePart {
    private static final long PART = 31;
    private static final int KINDS = 13;
    /** Of all ranks, whatever channel was drawn. */
    private static final int OF_JOB = 12;
    private static final int[] ELEMENTS = {1, 1, 2, 3, 65, 600, 9000};
    private static final int USUAL_ELEMENTS = 5;
    private static final AtomicOp[] OPS = {AtomicOp.SUM, AtomicOp.MIN, AtomicOp.MAX, AtomicOp.BXOR};
    private static final int TAG = 1 << 24;
    private static final int BEGUN_PER_MILLE = 450;
    private static final int ENDED_PER_MILLE = 300;
    private static final int WAYS = 4;
    private final MessageState state;
    private final int most;
    /** Collectives that were begun, and what comes when all of them are complete. */
    private final List<MessageRequest> begun = new ArrayList<>();
    private final List<Runnable> after = new ArrayList<>();
    /** Whether the next collective is only begun. */
    private boolean begins;

    ChannelCollectives(MessageState state, int most) {
        this.state = state;
        this.most = most;
    }

    @Override
    public void initialize() {
        if (state.plan(PART, 0).chance(500)) {
            step(0);
        }
    }

    @Override
    public void step(long step) {
        SimRandom plan = state.plan(PART, step);
        boolean isBeside = plan.chance(400);
        List<MessageRequest> open = new ArrayList<>();
        int bytes = MessageState.size(plan);
        int previous = (state.rank + state.ranks - 1) % state.ranks;
        MemorySegment room = state.room(bytes);
        if (isBeside) {
            int next = (state.rank + 1) % state.ranks;
            open.add(state.world.irecv(room, previous, TAG));
            open.add(state.world.isend(state.message(next, bytes), next, TAG));
        }
        for (int left = 1 + plan.below(most); left > 0; left--) {
            int number = plan.below(state.channels.count());
            int kind = plan.below(KINDS);
            int elements = ELEMENTS[plan.below(plan.chance(850) ? USUAL_ELEMENTS : ELEMENTS.length)];
            long choice = plan.next();
            begins = plan.chance(BEGUN_PER_MILLE);
            if (plan.chance(ENDED_PER_MILLE)) {
                end(plan.below(WAYS));
            }
            if (kind == OF_JOB) {
                ofJob(choice);
            } else if (state.channels.of(number) != null) {
                one(number, kind, elements, choice);
            }
        }
        end(plan.below(WAYS));
        if (isBeside) {
            state.waitAll(open);
            state.received(previous, room);
        }
    }

    /** Awaits what was begun. What follows it does not depend on which was complete first. */
    private void end(int way) {
        MessageRequest[] requests = begun.toArray(MessageRequest[]::new);
        switch (way) {
            case 0 -> state.world.waitAll(requests);
            case 1 -> {
                while (state.world.waitAny(requests) >= 0) {
                    state.job.progress();
                }
            }
            case 2 -> {
                while (!state.world.testAll(requests)) {
                    state.job.progress();
                }
            }
            default -> {
                for (MessageRequest one : requests) {
                    while (!one.test()) {
                        state.job.progress();
                    }
                }
            }
        }
        begun.clear();
        after.forEach(Runnable::run);
        after.clear();
    }

    /** Calls a collective or begins it: what follows comes when it is complete. */
    private void call(Runnable whole, Supplier<MessageRequest> part, Runnable then) {
        if (begins) {
            begun.add(part.get());
            after.add(then);
        } else {
            whole.run();
            then.run();
        }
    }

    private void one(int number, int kind, int elements, long choice) {
        Channel channel = state.channels.of(number);
        int root = (int) Math.floorMod(choice, (long) channel.size());
        switch (kind) {
            case 0 -> call(channel::barrier, channel::ibarrier, () -> { });
            case 1 -> broadcast(number, elements, root);
            case 2 -> reduce(channel, elements, root);
            case 3 -> allReduce(number, elements, OPS[(int) Math.floorMod(choice, (long) OPS.length)]);
            case 4 -> floats(number, elements);
            case 5 -> gather(number, elements, root);
            case 6 -> scatter(number, elements, root);
            case 7 -> allGather(number, elements);
            case 8 -> allToAll(number, elements);
            case 9 -> unequal(number, choice);
            case 10 -> scan(channel, elements);
            default -> values(number, choice);
        }
    }

    private MemorySegment content(int elements) {
        return state.content(8L * elements);
    }

    /** For each rank of the channel, its own included, as if it were a message. */
    private void sent(int number, int target, MemorySegment data) {
        state.sent(state.channels.member(number, target), MessageState.digest(data));
    }

    private void received(int number, int source, MemorySegment data) {
        state.received(state.channels.member(number, source), data);
    }

    private void sentToAll(int number, MemorySegment data) {
        for (int i = 0; i < state.channels.of(number).size(); i++) {
            sent(number, i, data);
        }
    }

    private void broadcast(int number, int elements, int root) {
        Channel channel = state.channels.of(number);
        MemorySegment data = content(elements);
        if (channel.rank() == root) {
            sentToAll(number, data);
        }
        call(() -> channel.broadcast(data, root), () -> channel.ibroadcast(data, root),
            () -> received(number, root, data));
    }

    private void contribute(MemorySegment data) {
        state.contributed(sum(data));
    }

    private static long sum(MemorySegment data) {
        long sum = 0;
        for (long i = 0; i < data.byteSize() / 8; i++) {
            sum += data.getAtIndex(LONG, i);
        }
        return sum;
    }

    private void reduce(Channel channel, int elements, int root) {
        MemorySegment data = content(elements);
        contribute(data);
        MemorySegment result = channel.rank() == root ? state.room(8L * elements) : null;
        call(() -> channel.reduce(AtomicOp.SUM, DataType.INT64, data, result, root),
            () -> channel.ireduce(AtomicOp.SUM, DataType.INT64, data, result, root), () -> {
                if (result != null) {
                    state.reduced(sum(result));
                }
            });
    }

    private void scan(Channel channel, int elements) {
        MemorySegment data = content(elements);
        contribute(data);
        MemorySegment result = state.room(8L * elements);
        call(() -> channel.scan(AtomicOp.SUM, DataType.INT64, data, result),
            () -> channel.iscan(AtomicOp.SUM, DataType.INT64, data, result), () -> {
                state.learn(MessageState.digest(result));
                if (channel.rank() == channel.size() - 1) {
                    state.reduced(sum(result));
                }
            });
    }

    private void allReduce(int number, int elements, AtomicOp op) {
        MemorySegment result = state.room(8L * elements);
        allReduce(number, op, DataType.INT64, content(elements), result);
    }

    private void allReduce(int number, AtomicOp op, DataType type, MemorySegment data, MemorySegment result) {
        Channel channel = state.channels.of(number);
        call(() -> channel.allReduce(op, type, data, result), () -> channel.iallReduce(op, type, data, result),
            () -> state.agreed(number, MessageState.digest(result)));
    }

    /** Sums whose bits depend on the order in which they are made. */
    private void floats(int number, int elements) {
        MemorySegment data = content(elements);
        for (int i = 0; i < elements; i++) {
            data.setAtIndex(LONG, i, Double.doubleToRawLongBits(real(data.getAtIndex(LONG, i))));
        }
        MemorySegment result = state.room(8L * elements);
        allReduce(number, AtomicOp.SUM, DataType.FLOAT64, data, result);
    }

    private static double real(long any) {
        return Math.scalb((double) any, (int) (any & 31) - 80);
    }

    private void gather(int number, int elements, int root) {
        Channel channel = state.channels.of(number);
        MemorySegment data = content(elements);
        sent(number, root, data);
        MemorySegment result = channel.rank() == root ? state.room(data.byteSize() * channel.size()) : null;
        call(() -> channel.gather(data, result, root), () -> channel.igather(data, result, root), () -> {
            if (result != null) {
                receivedParts(number, result);
            }
        });
    }

    private void receivedParts(int number, MemorySegment parts) {
        int size = state.channels.of(number).size();
        long part = parts.byteSize() / size;
        for (int i = 0; i < size; i++) {
            received(number, i, parts.asSlice(i * part, part));
        }
    }

    private void allGather(int number, int elements) {
        Channel channel = state.channels.of(number);
        MemorySegment data = content(elements);
        sentToAll(number, data);
        MemorySegment result = state.room(data.byteSize() * channel.size());
        call(() -> channel.allGather(data, result), () -> channel.iallGather(data, result),
            () -> receivedParts(number, result));
    }

    private MemorySegment parts(int number, int elements) {
        int size = state.channels.of(number).size();
        MemorySegment data = content(elements * size);
        for (int i = 0; i < size; i++) {
            sent(number, i, data.asSlice(8L * elements * i, 8L * elements));
        }
        return data;
    }

    private void scatter(int number, int elements, int root) {
        Channel channel = state.channels.of(number);
        MemorySegment data = channel.rank() == root ? parts(number, elements) : null;
        MemorySegment result = state.room(8L * elements);
        call(() -> channel.scatter(data, result, root), () -> channel.iscatter(data, result, root),
            () -> received(number, root, result));
    }

    private void allToAll(int number, int elements) {
        MemorySegment data = parts(number, elements);
        MemorySegment result = state.room(data.byteSize());
        Channel channel = state.channels.of(number);
        call(() -> channel.allToAll(data, result), () -> channel.iallToAll(data, result),
            () -> receivedParts(number, result));
    }

    /** Parts of all sizes, some of them empty. */
    private void unequal(int number, long choice) {
        Channel channel = state.channels.of(number);
        int size = channel.size();
        long[] sendBytes = new long[size];
        long[] sendOffsets = new long[size];
        long[] recvBytes = new long[size];
        long[] recvOffsets = new long[size];
        long sends = 0;
        long receives = 0;
        for (int i = 0; i < size; i++) {
            sendBytes[i] = bytes(choice, channel.rank(), i);
            sendOffsets[i] = sends;
            sends += sendBytes[i];
            recvBytes[i] = bytes(choice, i, channel.rank());
            recvOffsets[i] = receives;
            receives += recvBytes[i];
        }
        MemorySegment data = state.content(sends);
        for (int i = 0; i < size; i++) {
            sent(number, i, data.asSlice(sendOffsets[i], sendBytes[i]));
        }
        MemorySegment result = state.room(receives);
        call(() -> channel.allToAll(data, sendOffsets, sendBytes, result, recvOffsets, recvBytes),
            () -> channel.iallToAll(data, sendOffsets, sendBytes, result, recvOffsets, recvBytes), () -> {
                for (int i = 0; i < size; i++) {
                    received(number, i, result.asSlice(recvOffsets[i], recvBytes[i]));
                }
            });
    }

    private static long bytes(long choice, int from, int to) {
        return MessageState.size(new SimRandom(mix(choice, from, to))) & ~7L;
    }

    private void values(int number, long choice) {
        Channel channel = state.channels.of(number);
        state.learn(choice);
        if ((choice & 1) == 0) {
            state.agreed(number, channel.allReduce(AtomicOp.BXOR, state.history()));
        } else {
            state.agreed(number,
                Double.doubleToRawLongBits(channel.allReduce(AtomicOp.SUM, real(state.history()))));
        }
    }

    private void ofJob(long choice) {
        switch ((int) Math.floorMod(choice, 4L)) {
            case 0 -> state.job.barrier();
            case 1 -> state.job.gsync();
            case 2 -> allReduceOfJob();
            default -> broadcastOfJob((int) Math.floorMod(choice >>> 8, (long) state.ranks));
        }
    }

    private void allReduceOfJob() {
        state.learn(1);
        state.agreed(MessageChannels.WORLD, state.job.allReduce(AtomicOp.SUM, state.history()));
    }

    private void broadcastOfJob(int root) {
        MemorySegment data = content(3);
        state.job.broadcast(data, root);
        state.agreed(MessageChannels.WORLD, MessageState.digest(data));
    }
}
