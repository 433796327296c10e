package org.ftrma.testkit.programs;

import static org.ftrma.testkit.programs.Mixer.LONG;
import static org.ftrma.testkit.programs.Mixer.mix;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.ftrma.AtomicOp;
import org.ftrma.Channel;
import org.ftrma.DataType;
import org.ftrma.Job;
import org.ftrma.MessageRequest;
import org.ftrma.Window;

/**
 * Messages of all sizes between all ranks, which the step and the ranks decide on: some are received in their step,
 * some one or two steps later, some by any source, some synchronously; with collectives of all and of a part of the
 * ranks, and puts beside them.
 */
final class MessagesProgram implements SimProgram {
    private static final int CELLS = 8;
    private static final int[] SIZES = {0, 8, 24, 4096, 4104, 65_544};
    private static final int LATEST = 2;
    private final long steps;
    private final boolean hasPuts;

    /** With puts beside the messages, or without. */
    MessagesProgram(long steps, boolean hasPuts) {
        this.steps = steps;
        this.hasPuts = hasPuts;
    }

    @Override
    public String name() {
        return hasPuts ? "messages" : "logged-messages";
    }

    private static long bytes(long choice) {
        return SIZES[(int) Math.floorMod(choice >>> 8, (long) SIZES.length)];
    }

    /** How many steps later it is received; -1: there is no such message. */
    private static int later(long choice) {
        return (int) Math.floorMod(choice >>> 32, LATEST + 2L) - 1;
    }

    private static MemorySegment contents(Arena arena, long choice, long bytes) {
        MemorySegment segment = arena.allocate(Math.max(8, bytes), 8);
        for (long i = 0; i < bytes / 8; i++) {
            segment.setAtIndex(LONG, i, mix(choice, i));
        }
        return segment.asSlice(0, bytes);
    }

    private static long digest(MemorySegment segment) {
        long digest = segment.byteSize();
        for (long i = 0; i < segment.byteSize() / 8; i++) {
            digest = mix(digest, segment.getAtIndex(LONG, i));
        }
        return digest;
    }

    @Override
    public void run(Job job, Results results) {
        Channel world = job.messages();
        Channel part = world.split(job.rank() % 2, -job.rank());
        MemorySegment state = job.protect("state", CELLS * 8L);
        Window window = job.allocateWindow("window", 8L * job.ranks());
        job.initialize(() -> {
            for (int i = 0; i < CELLS; i++) {
                state.setAtIndex(LONG, i, mix(job.rank(), i));
            }
        });
        for (long step : job.steps(steps)) {
            try (Arena arena = Arena.ofConfined()) {
                exchange(job, world, state, step, arena);
                int target = hasPuts ? (job.rank() + 1) % job.ranks() : job.rank();
                window.put(state, 0, target, 8L * job.rank(), 8);
                job.gsync();
                state.setAtIndex(LONG, 1, mix(state.getAtIndex(LONG, 1), digest(window.memory())));
                collectives(world, part, state, arena);
                job.gsync();
            }
        }
        results.store("state", state);
        results.store("window", window.memory());
    }

    private void exchange(Job job, Channel world, MemorySegment state, long step, Arena arena) {
        List<MessageRequest> sends = new ArrayList<>();
        List<MessageRequest> receives = new ArrayList<>();
        List<MemorySegment> came = new ArrayList<>();
        for (int peer = 0; peer < world.size(); peer++) {
            long choice = mix(step, world.rank(), peer);
            if (later(choice) >= 0 && step + later(choice) <= steps) {
                MemorySegment source = contents(arena, mix(choice, state.getAtIndex(LONG, 0)), bytes(choice));
                sends.add(later(choice) == 0 && (choice & 1) == 0 ? world.issend(source, peer, (int) step)
                    : world.isend(source, peer, (int) step));
            }
        }
        for (int late = 0; late <= LATEST && late < step; late++) {
            for (int peer = 0; peer < world.size(); peer++) {
                long choice = mix(step - late, peer, world.rank());
                if (later(choice) == late) {
                    MemorySegment destination = arena.allocate(Math.max(8, bytes(choice)), 8);
                    receives.add(world.irecv(destination, 0, bytes(choice), peer, (int) (step - late)));
                    came.add(destination.asSlice(0, bytes(choice)));
                }
            }
        }
        world.waitAll(receives.toArray(MessageRequest[]::new));
        world.waitAll(sends.toArray(MessageRequest[]::new));
        long sum = state.getAtIndex(LONG, 0);
        for (MemorySegment one : came) {
            sum = mix(sum, digest(one));
        }
        state.setAtIndex(LONG, 0, sum);
        fromAny(world, state, step, arena);
    }

    /** What comes of any rank counts in the same way whatever comes first. */
    private static void fromAny(Channel world, MemorySegment state, long step, Arena arena) {
        int tag = 1 << 20 | (int) step;
        int root = (int) (step % world.size());
        world.sendLong(state.getAtIndex(LONG, 0), root, tag);
        if (world.rank() == root) {
            MemorySegment cell = arena.allocate(8, 8);
            long sum = 0;
            for (int i = 0; i < world.size(); i++) {
                if (world.probe(Channel.ANY_SOURCE, tag).bytes() != 8) {
                    throw new IllegalStateException("a message of another size");
                }
                world.recv(cell, Channel.ANY_SOURCE, tag);
                sum += cell.get(LONG, 0);
            }
            state.setAtIndex(LONG, 2, sum);
        }
    }

    private static void collectives(Channel world, Channel part, MemorySegment state, Arena arena) {
        MemorySegment sum = arena.allocate(CELLS * 8L, 8);
        world.allReduce(AtomicOp.SUM, DataType.INT64, state, sum);
        state.setAtIndex(LONG, 3, mix(sum.getAtIndex(LONG, 0), part.allReduce(AtomicOp.BXOR, sum.getAtIndex(LONG, 2)
            + world.rank())));
        MemorySegment all = arena.allocate(CELLS * 8L * part.size(), 8);
        part.allGather(state, all);
        state.setAtIndex(LONG, 4, digest(all));
    }
}
