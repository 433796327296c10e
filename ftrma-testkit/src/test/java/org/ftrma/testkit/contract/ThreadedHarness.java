package org.ftrma.testkit.contract;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.ftrma.spi.Clock;
import org.ftrma.spi.Fabric;

/** Members on platform threads of this JVM, in real time. */
public final class ThreadedHarness implements FabricHarness {
    /** Opens the fabric of a member, on the member's thread. */
    @FunctionalInterface
    public interface Opener {
        /** A new fabric. */
        Fabric open(int member) throws Exception;
    }

    private final Opener opener;
    private final long timeoutNanos;

    /** A harness whose tests may take as long as given. */
    public ThreadedHarness(Opener opener, long timeoutNanos) {
        this.opener = opener;
        this.timeoutNanos = timeoutNanos;
    }

    @Override
    public void run(int members, MemberBody body) throws Exception {
        Meeting meeting = new Meeting(members);
        AtomicReference<Throwable> failure = new AtomicReference<>();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < members; i++) {
            int index = i;
            threads.add(Thread.ofPlatform().daemon().name("member-" + index)
                .start(() -> play(index, members, body, meeting, failure)));
        }
        long end = System.nanoTime() + timeoutNanos + TimeUnit.SECONDS.toNanos(5);
        for (Thread thread : threads) {
            thread.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime())));
            if (thread.isAlive()) {
                IllegalStateException stuck = new IllegalStateException(thread.getName()
                    + " did not end before the deadline");
                stuck.setStackTrace(thread.getStackTrace());
                failure.compareAndSet(null, stuck);
            }
        }
        if (failure.get() != null) {
            throw new AssertionError(failure.get().getMessage(), failure.get());
        }
    }

    private void play(int index, int members, MemberBody body, Meeting meeting, AtomicReference<Throwable> failure) {
        try (Fabric fabric = opener.open(index)) {
            ThreadMember member = new ThreadMember(index, members, fabric, meeting, failure);
            try {
                body.run(member);
                // Nobody closes its memory while others may still use it.
                member.meet();
            } finally {
                member.closeReopened();
            }
        } catch (Throwable e) {
            if (!failure.compareAndSet(null, e) && failure.get() != e) {
                failure.get().addSuppressed(e);
            }
        }
    }

    /** Where members exchange contributions. */
    private static final class Meeting {
        private final byte[][] contributions;
        private byte[][] complete;
        private int arrived;
        private long round;

        Meeting(int members) {
            contributions = new byte[members][];
        }

        /** Leaves a contribution; returns the round to wait for. */
        synchronized long arrive(int member, byte[] mine) {
            contributions[member] = mine.clone();
            long mineRound = round;
            if (++arrived == contributions.length) {
                complete = contributions.clone();
                arrived = 0;
                round++;
            }
            return mineRound;
        }

        /** The result of the round, or null while it is incomplete. */
        synchronized byte[][] result(long awaited) {
            // A member cannot be two rounds ahead: it needs everybody's next contribution for that.
            return round > awaited ? complete : null;
        }
    }

    private final class ThreadMember extends ContractMember {
        private final Meeting meeting;
        private final AtomicReference<Throwable> failure;

        ThreadMember(int index, int members, Fabric fabric, Meeting meeting, AtomicReference<Throwable> failure) {
            super(index, members, fabric, new RealClock(), timeoutNanos);
            this.meeting = meeting;
            this.failure = failure;
        }

        @Override
        public byte[][] exchange(byte[] mine) {
            long round = meeting.arrive(index(), mine);
            byte[][] result = meeting.result(round);
            for (int turn = 0; result == null; turn++) {
                turn("exchange", turn);
                result = meeting.result(round);
            }
            return result;
        }

        @Override
        protected Fabric openFabric() {
            try {
                return opener.open(index());
            } catch (Exception e) {
                throw new IllegalStateException("member=" + index() + ": its fabric does not open again", e);
            }
        }

        @Override
        protected void checkOthers() {
            if (failure.get() != null) {
                throw new IllegalStateException("member=" + index() + ": gave up, another member has failed");
            }
        }
    }

    private static final class RealClock implements Clock {
        private static final int SPINS = 50;
        private static final int YIELDS = 200;

        @Override
        public long nanoTime() {
            return System.nanoTime();
        }

        @Override
        public void relax(int turn) {
            if (turn < SPINS) {
                Thread.onSpinWait();
            } else if (turn < YIELDS) {
                Thread.yield();
            } else {
                LockSupport.parkNanos(50_000);
            }
        }
    }
}
