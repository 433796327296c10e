package org.ftrma.testkit.contract;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;
import org.ftrma.spi.Clock;
import org.ftrma.spi.Fabric;
import org.ftrma.spi.MemoryRegion;
import org.ftrma.spi.RemoteMemory;
import org.ftrma.spi.Wait;

/**
 * One member of a contract test, with its fabric and a way to meet the others that does not use the fabric. Its own
 * thread only.
 */
public abstract class ContractMember {
    static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;
    static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
    private static final int MAX_ADDRESS_BYTES = 4096 + Integer.BYTES;

    private final int index;
    private final int members;
    private Fabric fabric;
    private final List<Fabric> reopened = new ArrayList<>();
    private final byte[][] connectedBy;
    private final Clock clock;
    private final long deadlineNanos;

    /** A member whose waits, those inside of the fabric included, end with an error after the time given. */
    protected ContractMember(int index, int members, Fabric fabric, Clock clock, long timeoutNanos) {
        this.index = index;
        this.members = members;
        this.connectedBy = new byte[members][];
        this.fabric = fabric;
        this.clock = clock;
        this.deadlineNanos = clock.nanoTime() + timeoutNanos;
        fabric.waitWith(new DeadlineWait());
    }

    /** All members' contributions, when all have come. Progresses the fabric while it waits. */
    public abstract byte[][] exchange(byte[] mine);

    /** Throws if another member has failed, so that nobody waits for it. */
    protected abstract void checkOthers();

    /** The fabric of a further process that plays this member. */
    protected abstract Fabric openFabric();

    /** From here on this member is played by a further process; returns the fabric of the one before. */
    final Fabric reopen() {
        Fabric before = fabric;
        fabric = openFabric();
        reopened.add(fabric);
        fabric.waitWith(new DeadlineWait());
        return before;
    }

    /** Closes all fabrics but the first. */
    public final void closeReopened() {
        reopened.forEach(Fabric::close);
    }

    /** How this member waits. */
    final Wait newWait() {
        return new DeadlineWait();
    }

    /** Returns when all members have come; progresses the fabric meanwhile. */
    final void meet() {
        exchange(new byte[0]);
    }

    /** This member's number. */
    public final int index() {
        return index;
    }

    final int members() {
        return members;
    }

    final Fabric fabric() {
        return fabric;
    }

    /** The neighbour to the right. */
    final int next() {
        return (index + 1) % members;
    }

    /** One turn of a wait of the test itself. */
    protected final void turn(String what, int turn) {
        checkOthers();
        if (clock.nanoTime() > deadlineNanos) {
            throw new IllegalStateException("member=" + index + ": deadline reached in " + what);
        }
        if (fabric.progress() == 0) {
            clock.relax(turn);
        }
    }

    /** Exposes a region. */
    final MemoryRegion expose(long bytes) {
        return fabric.expose(bytes);
    }

    /** Connects all members with each other and themselves. */
    final void connectAll() {
        connect(peer -> true);
    }

    /** Connects with some, who do the same at the same time. */
    private void connect(IntPredicate met) {
        byte[][] addresses = exchange(fabric.address());
        byte[] questions = new byte[members];
        for (int peer = 0; peer < members; peer++) {
            questions[peer] = (byte) (met.test(peer) && fabric.mustAsk(addresses[peer]) ? 1 : 0);
        }
        byte[][] asked = exchange(questions);
        ByteBuffer answers = ByteBuffer.allocate(members * MAX_ADDRESS_BYTES);
        for (int peer = 0; peer < members; peer++) {
            byte[] answer = asked[peer][index] == 0 ? addresses[index] : fabric.addressFor(peer, addresses[peer]);
            answers.position(peer * MAX_ADDRESS_BYTES).putInt(answer.length).put(answer);
        }
        byte[][] answered = exchange(answers.array());
        for (int peer = 0; peer < members; peer++) {
            if (met.test(peer)) {
                ByteBuffer answer = ByteBuffer.wrap(answered[peer]).position(index * MAX_ADDRESS_BYTES);
                connectedBy[peer] = new byte[answer.getInt()];
                answer.get(connectedBy[peer]);
                fabric.connect(peer, connectedBy[peer]);
            }
        }
    }

    /** By which address a peer was connected last. */
    final byte[] connectedBy(int peer) {
        return connectedBy[peer];
    }

    /** Every member's region as seen from here; all must have connected. */
    final RemoteMemory[] attachAll(MemoryRegion mine) {
        return attach(peer -> true, mine);
    }

    private RemoteMemory[] attach(IntPredicate met, MemoryRegion mine) {
        byte[][] keys = exchange(mine.key());
        RemoteMemory[] remotes = new RemoteMemory[members];
        for (int peer = 0; peer < members; peer++) {
            remotes[peer] = met.test(peer) ? fabric.attach(peer, keys[peer]) : null;
        }
        meet();
        return remotes;
    }

    /**
     * A member that {@link #reopen reopened} meets all, and they it: returns everybody's regions as seen from there,
     * and elsewhere only its own.
     */
    final RemoteMemory[] admit(int newcomer, MemoryRegion mine) {
        IntPredicate met = peer -> peer == newcomer || index == newcomer;
        connect(met);
        return attach(met, mine);
    }

    /** Local memory filled with a pattern. */
    static MemorySegment pattern(long bytes, int seed) {
        MemorySegment segment = Arena.ofAuto().allocate(Math.max(1, bytes), 8).asSlice(0, bytes);
        for (long i = 0; i < bytes; i++) {
            segment.set(ValueLayout.JAVA_BYTE, i, patternByte(i, seed));
        }
        return segment;
    }

    static byte patternByte(long index, int seed) {
        return (byte) (index * 31 + (index >>> 8) * 7 + seed * 131 + 1);
    }

    private final class DeadlineWait implements Wait {
        private String what = "";
        private int peer;
        private int turns;

        @Override
        public void begin(String newWhat, int newPeer) {
            what = newWhat;
            peer = newPeer;
            turns = 0;
        }

        @Override
        public void turn() {
            checkOthers();
            if (clock.nanoTime() > deadlineNanos) {
                throw new IllegalStateException("member=" + index + ": deadline reached in " + what + " peer=" + peer);
            }
            clock.relax(turns++);
        }
    }
}
