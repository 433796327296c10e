package org.ftrma.testkit.programs;

import static org.ftrma.testkit.programs.Mixer.LONG;
import static org.ftrma.testkit.programs.Mixer.mix;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.ftrma.AtomicOp;
import org.ftrma.Channel;
import org.ftrma.Job;
import org.ftrma.MessageRequest;

/**
 * State of a rank of a random message program: its history, into which all results are folded and from which all that
 * it sends is made; for each other rank a sum of what was sent to it and one of what was received from it The history
 * is protected memory, the sums are the own window. Of one rank.
 */
final class MessageState {
    /** The longest message. */
    static final int LONGEST = 66_000;
    private static final int[] SIZES = {0, 4, 8, 8, 24, 200, 520, 1032, 4096, 4104, 20_000, LONGEST};
    private static final int USUAL_SIZES = 9;
    private static final int LAST = 1 << 30;
    private static final int HISTORY = 0;
    private static final int CONTRIBUTED = 1;
    private static final int REDUCED = 2;
    private static final int AGREED = 3;
    /** Receives of at most so many bytes may go into memory that lasts. */
    private static final long LANDING = 1032;
    private static final int LANDINGS = 4;

    final Job job;
    final Channel world;
    final int rank;
    final int ranks;
    final MessageChannels channels;
    private final long seed;
    private final MemorySegment memory;
    private final MemorySegment window;
    private int landings;
    private Arena arena;

    MessageState(Job job, long seed) {
        this.job = job;
        this.seed = seed;
        world = job.messages();
        rank = job.rank();
        ranks = job.ranks();
        channels = new MessageChannels(job, world, plan(0, 0));
        memory = job.protect("state", 8L * (AGREED + channels.count()));
        window = job.allocateWindow("sums", 16L * ranks + LANDINGS * LANDING).memory();
    }

    /** The choices of a part in a step: the same on all ranks. */
    SimRandom plan(long part, long step) {
        return new SimRandom(mix(seed, part, step));
    }

    /** Other choices on each rank. */
    SimRandom ownPlan(long part, long step) {
        return new SimRandom(mix(mix(seed, part, step), rank + 1));
    }

    void beginStep(Arena ofStep) {
        arena = ofStep;
        landings = 0;
        learn(digest(window.asSlice(16L * ranks)));
    }

    long history() {
        return memory.getAtIndex(LONG, HISTORY);
    }

    void learn(long what) {
        memory.setAtIndex(LONG, HISTORY, mix(history(), what));
    }

    static int size(SimRandom random) {
        return SIZES[random.below(random.chance(850) ? USUAL_SIZES : SIZES.length)];
    }

    /** A size that receivers do not know. */
    int ownSize(long salt) {
        return size(new SimRandom(mix(history(), salt)));
    }

    /** A message to a rank of the job, made from all that was told before. */
    MemorySegment message(int target, long bytes) {
        MemorySegment data = content(bytes);
        sent(target, digest(data));
        return data;
    }

    /** So many bytes that follow from the history, and other ones each time. */
    MemorySegment content(long bytes) {
        learn(bytes);
        MemorySegment data = room(bytes);
        for (long i = 0; i < bytes / 8; i++) {
            data.setAtIndex(LONG, i, mix(history(), i));
        }
        for (long i = bytes & ~7; i < bytes; i++) {
            data.set(ValueLayout.JAVA_BYTE, i, (byte) (history() >>> i % 8));
        }
        return data;
    }

    /** Memory of the step. */
    MemorySegment room(long bytes) {
        return arena.allocate(Math.max(8, bytes), 8).asSlice(0, bytes);
    }

    /** Where to receive so many bytes: memory of the step, or memory that lasts and that the next step looks at. */
    MemorySegment destination(long bytes, SimRandom random) {
        if (bytes <= LANDING && landings < LANDINGS && random.chance(400)) {
            return window.asSlice(16L * ranks + landings++ * LANDING, bytes);
        }
        return room(bytes);
    }

    static long digest(MemorySegment data) {
        long digest = data.byteSize();
        for (long i = 0; i < data.byteSize() / 8; i++) {
            digest = mix(digest, data.getAtIndex(LONG, i));
        }
        for (long i = data.byteSize() & ~7; i < data.byteSize(); i++) {
            digest = mix(digest, data.get(ValueLayout.JAVA_BYTE, i));
        }
        return digest;
    }

    void sent(int target, long digest) {
        window.setAtIndex(LONG, target, window.getAtIndex(LONG, target) + mix(digest, 1));
    }

    void received(int source, MemorySegment data) {
        long digest = digest(data);
        int at = ranks + source;
        window.setAtIndex(LONG, at, window.getAtIndex(LONG, at) + mix(digest, 1));
        learn(mix(source, digest));
    }

    /** To a sum of which one rank hears. */
    void contributed(long value) {
        memory.setAtIndex(LONG, CONTRIBUTED, memory.getAtIndex(LONG, CONTRIBUTED) + value);
    }

    /** The sum. */
    void reduced(long value) {
        memory.setAtIndex(LONG, REDUCED, memory.getAtIndex(LONG, REDUCED) + value);
        learn(value);
    }

    /** What all ranks of a channel were told alike. */
    void agreed(int channel, long value) {
        memory.setAtIndex(LONG, AGREED + channel, mix(memory.getAtIndex(LONG, AGREED + channel), value));
        learn(value);
    }

    void waitAll(List<MessageRequest> requests) {
        world.waitAll(requests.toArray(MessageRequest[]::new));
    }

    void storeMemory(SimProgram.Results results) {
        results.store("state", memory);
        results.store("sums", window);
    }

    /**
     * Compares what ranks have received with what their senders remember, and what they were told alike: returns zeros,
     * or a one for each difference.
     */
    MemorySegment compare(Arena last) {
        MemorySegment orphans = last.allocate(8L * (ranks + 1 + channels.count()), 8);
        List<MessageRequest> sends = new ArrayList<>();
        for (int peer = 0; peer < ranks; peer++) {
            sends.add(world.isend(window, 8L * peer, 8, peer, LAST));
        }
        for (int peer = 0; peer < ranks; peer++) {
            boolean isSame = world.recvLong(peer, LAST) == window.getAtIndex(LONG, ranks + peer);
            orphans.setAtIndex(LONG, peer, isSame ? 0 : 1);
        }
        waitAll(sends);
        long open = memory.getAtIndex(LONG, CONTRIBUTED) - memory.getAtIndex(LONG, REDUCED);
        orphans.setAtIndex(LONG, ranks, world.allReduce(AtomicOp.SUM, open) == 0 ? 0 : 1);
        for (int channel = 0; channel < channels.count(); channel++) {
            Channel of = channels.of(channel);
            if (of != null) {
                long mine = memory.getAtIndex(LONG, AGREED + channel);
                boolean isSame = of.allReduce(AtomicOp.MIN, mine) == of.allReduce(AtomicOp.MAX, mine);
                orphans.setAtIndex(LONG, ranks + 1 + channel, isSame ? 0 : 1);
            }
        }
        return orphans;
    }
}
