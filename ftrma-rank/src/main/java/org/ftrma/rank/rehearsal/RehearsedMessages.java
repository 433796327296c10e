package org.ftrma.rank.rehearsal;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.ftrma.AtomicOp;
import org.ftrma.Channel;
import org.ftrma.Job;
import org.ftrma.Program;

/**
 * Default rehearsal of spares if messages are logged: messages short and long, by source and from any, and reductions.
 * Data thread.
 */
public final class RehearsedMessages implements Program {
    private static final int STEPS = 20;
    private static final int ROUNDS = 300;
    private static final int SHORT_BYTES = 512;
    private static final int LONG_BYTES = 32 << 10;

    /** One for one rank. */
    public RehearsedMessages() {
        // it has no state beside what it protects
    }

    @Override
    public void run(Job job) {
        Channel world = job.messages();
        int other = 1 - job.rank();
        MemorySegment sent = job.protect("sent", LONG_BYTES);
        MemorySegment received = job.protect("received", LONG_BYTES);
        for (long step : job.steps(STEPS)) {
            for (int i = 0; i < ROUNDS; i++) {
                int bytes = i % 16 == 0 ? LONG_BYTES : SHORT_BYTES;
                sent.set(ValueLayout.JAVA_LONG, 0, step * i);
                world.sendrecv(sent.asSlice(0, bytes), other, i, received.asSlice(0, bytes), other, i);
                world.sendLong(step + i, other, ROUNDS);
                world.recvLong(i % 2 == 0 ? other : Channel.ANY_SOURCE, ROUNDS);
            }
            world.allReduce(AtomicOp.SUM, received.get(ValueLayout.JAVA_LONG, 0));
        }
    }
}
