package org.ftrma.testkit.programs;

import static org.ftrma.testkit.programs.Mixer.LONG;
import static org.ftrma.testkit.programs.Mixer.mix;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.ftrma.Channel;
import org.ftrma.Job;
import org.ftrma.Message;
import org.ftrma.MessageRequest;

/**
 * Messages of which each depends on all that its sender was told before, in the order in which it was: which source
 * came first, what tests and probes found, which of several requests was complete. So two runs differ; but in each run
 * all that one rank has received of another one is what that has sent, as it remembers that in the end. Each rank keeps
 * a sum of what it has sent to each other one, and of what it has received of each. They are exchanged at the end, and
 * whoever finds a difference says so in its result: an orphan, whose sender remembers other messages.
 */
final class AnySourceProgram implements SimProgram {
    private static final int ANSWER = 1;
    private static final int LAST = 2;
    private static final int NEVER = 3;
    /** A question of step n has that tag and n. */
    private static final int QUESTION = 4;
    private static final int[] SIZES = {8, 24, 4104, 70_000};
    private final long steps;

    AnySourceProgram(long steps) {
        this.steps = steps;
    }

    @Override
    public String name() {
        return "any-source";
    }

    @Override
    public boolean polls() {
        return true;
    }

    /** The own history at 0; by rank what was sent to it; then by rank what was received of it. */
    private record State(MemorySegment memory, int ranks) {
        long history() {
            return memory.getAtIndex(LONG, 0);
        }

        void learn(long what) {
            memory.setAtIndex(LONG, 0, mix(history(), what));
        }

        void sent(int target, long what) {
            memory.setAtIndex(LONG, 1L + target, memory.getAtIndex(LONG, 1L + target) + mix(what, 1));
        }

        void received(int source, long what) {
            long at = 1L + ranks + source;
            memory.setAtIndex(LONG, at, memory.getAtIndex(LONG, at) + mix(what, 1));
            learn(mix(source, what));
        }

        long sentTo(int target) {
            return memory.getAtIndex(LONG, 1L + target);
        }

        long receivedOf(int source) {
            return memory.getAtIndex(LONG, 1L + ranks + source);
        }
    }

    @Override
    public void run(Job job, Results results) {
        Channel world = job.messages();
        State state = new State(job.protect("state", 8L * (1 + 2 * job.ranks())), job.ranks());
        for (long step : job.steps(steps)) {
            try (Arena arena = Arena.ofConfined()) {
                int others = world.size() - 1;
                int tag = QUESTION + (int) step;
                MessageRequest[] sends = new MessageRequest[others];
                for (int i = 0; i < others; i++) {
                    sends[i] = send(world, state, (world.rank() + 1 + i) % world.size(), tag, step, arena);
                }
                for (int i = 0; i < others; i++) {
                    int source = receive(world, state, (int) Math.floorMod(mix(step, i, world.rank()), 5L), tag, arena);
                    send(world, state, source, ANSWER, step, arena).await();
                }
                for (int i = 0; i < others; i++) {
                    MemorySegment room = arena.allocate(SIZES[SIZES.length - 1], 8);
                    note(state, world.recv(room, Channel.ANY_SOURCE, ANSWER), room);
                }
                if (job.nondeterministic(() -> step * 31 + job.rank()) != step * 31 + job.rank()) {
                    throw new IllegalStateException("another value");
                }
                world.waitAll(sends);
            }
        }
        results.store("orphans", compare(world, state));
    }

    private static MessageRequest send(Channel world, State state, int target, int tag, long step, Arena arena) {
        long bytes = SIZES[(int) Math.floorMod(mix(step, target, state.history()), (long) SIZES.length)];
        MemorySegment data = arena.allocate(bytes, 8);
        long what = mix(state.history(), tag);
        data.setAtIndex(LONG, 0, what);
        data.setAtIndex(LONG, bytes / 8 - 1, what);
        state.sent(target, what);
        return tag != ANSWER && (what & 3) == 0 ? world.issend(data, target, tag) : world.isend(data, target, tag);
    }

    /** In one of five ways; returns the source. */
    private static int receive(Channel world, State state, int way, int tag, Arena arena) {
        MemorySegment room = arena.allocate(SIZES[SIZES.length - 1], 8);
        switch (way) {
            case 0 -> {
                return note(state, world.recv(room, Channel.ANY_SOURCE, tag), room);
            }
            case 1 -> {
                Message found = world.probe(Channel.ANY_SOURCE, tag);
                int source = found.source();
                return note(state, world.recv(room, source, tag), room);
            }
            case 2 -> {
                Message found = world.iprobe(Channel.ANY_SOURCE, tag);
                for (int i = 0; found == null; i++) {
                    state.learn(i);
                    found = world.iprobe(Channel.ANY_SOURCE, tag);
                }
                return note(state, world.recv(room, found.source(), tag), room);
            }
            case 3 -> {
                MessageRequest one = world.irecv(room, Channel.ANY_SOURCE, tag);
                for (int i = 0; !one.test(); i++) {
                    state.learn(-i);
                }
                return note(state, one.message(), room);
            }
            default -> {
                MessageRequest cancelled = world.irecv(arena.allocate(8, 8), Channel.ANY_SOURCE, NEVER);
                MessageRequest taken = world.irecv(room, Channel.ANY_SOURCE, tag);
                MessageRequest[] both = {cancelled, taken};
                int[] done = new int[2];
                int some = (state.history() & 1) == 0 ? world.waitSome(done, both) : world.testSome(done, both);
                for (int i = 0; some == 0; i++) {
                    state.learn(i);
                    some = world.testSome(done, both);
                }
                if (some != 1 || done[0] != 1 || !cancelled.cancel() || !cancelled.test()) {
                    throw new IllegalStateException("a receive of what nobody sends was complete");
                }
                return note(state, taken.message(), room);
            }
        }
    }

    private static int note(State state, Message message, MemorySegment room) {
        long what = room.getAtIndex(LONG, 0);
        if (room.getAtIndex(LONG, message.bytes() / 8 - 1) != what) {
            throw new IllegalStateException("a message of " + message.bytes() + " bytes has two ends");
        }
        state.received(message.source(), what);
        return message.source();
    }

    /** Whether all that was received of each rank is what it has sent: zeros. */
    private static MemorySegment compare(Channel world, State state) {
        MemorySegment orphans = Arena.ofAuto().allocate(8L * world.size(), 8);
        for (int peer = 0; peer < world.size(); peer++) {
            if (peer != world.rank()) {
                world.sendLong(state.sentTo(peer), peer, LAST);
            }
        }
        for (int peer = 0; peer < world.size(); peer++) {
            if (peer != world.rank()) {
                boolean isSame = world.recvLong(peer, LAST) == state.receivedOf(peer);
                orphans.setAtIndex(LONG, peer, isSame ? 0 : 1);
            }
        }
        return orphans;
    }
}
