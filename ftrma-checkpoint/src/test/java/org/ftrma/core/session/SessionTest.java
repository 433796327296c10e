package org.ftrma.core.session;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.ftrma.PeerLostException;
import org.ftrma.core.control.Blob;
import org.ftrma.core.control.ControlMessage;
import org.ftrma.core.control.MessageCodec;
import org.ftrma.options.JobOptions;
import org.ftrma.spi.Clock;
import org.ftrma.spi.ControlPlane;
import org.ftrma.spi.Fabric;
import org.ftrma.spi.FabricInfo;
import org.ftrma.spi.ImageStore;
import org.ftrma.spi.MemoryRegion;
import org.ftrma.spi.MemoryShare;
import org.ftrma.spi.RemoteMemory;
import org.ftrma.spi.Wait;
import org.junit.jupiter.api.Test;

/**
 * How rank 0 comes to the memory of rank 1, which is lost once: its processes are 1 and 2, and so are their addresses
 * and keys.
 */
class SessionTest {
    private static final int VIEW = 1;

    private final ArrayDeque<byte[]> frames = new ArrayDeque<>();
    /** What comes when there is nothing else to do but to wait. */
    private final ArrayDeque<ControlMessage> later = new ArrayDeque<>();
    private final List<String> calls = new ArrayList<>();
    private final Inbox inbox = new Inbox(new Coordinator(), StateListener.NONE);
    private final Session session = session();
    private byte process = 1;

    private void tell(ControlMessage message) {
        frames.add(MessageCodec.encode(message));
    }

    private Session session() {
        JobOptions options = JobOptions.of(Map.of("ranks", "2", "checksums", "1", "protocol", "full"));
        Time clock = new Time();
        Session opened = new Session(new Memories(), clock, inbox, options, 0, ImageStore.NONE, MemoryShare.ALL, 0);
        inbox.playedHere();
        return opened;
    }

    /**
     * Answers with what the process that plays rank 1 has contributed. The first one dies when its key is asked for.
     */
    private final class Coordinator implements ControlPlane {
        @Override
        public void send(byte[] frame) {
            switch (decoded(frame)) {
                case ControlMessage.Exchange m -> tell(new ControlMessage.Exchanged(VIEW, m.scope(), m.sequence()));
                case ControlMessage.Ask m -> answer(m, m.scope() == ControlMessage.Scope.COMPUTING.ordinal());
                case ControlMessage.LostSeen m -> {
                    process++;
                    later.add(new ControlMessage.PeerLive(VIEW, 1));
                }
                case ControlMessage m -> throw new AssertionError(m);
            }
        }

        private static ControlMessage decoded(byte[] frame) {
            try {
                return MessageCodec.decode(frame);
            } catch (MessageCodec.MalformedException e) {
                throw new AssertionError(e);
            }
        }

        private void answer(ControlMessage.Ask m, boolean isKey) {
            if (isKey && process == 1) {
                tell(new ControlMessage.Lost(VIEW, 1, 1));
            }
            byte[] own = {process};
            byte[] blob = isKey ? own : Blob.pack(List.of(own, own));
            tell(new ControlMessage.Answer(VIEW, m.scope(), m.sequence(), m.member(), new byte[][] {blob}));
        }

        @Override
        public boolean ready() {
            return !frames.isEmpty();
        }

        @Override
        public byte[] poll() {
            return frames.poll();
        }

        @Override
        public void close() {
            // nothing is open
        }
    }

    private final class Time implements Clock {
        private long now;

        @Override
        public long nanoTime() {
            return ++now;
        }

        @Override
        public void relax(int turn) {
            later.forEach(SessionTest.this::tell);
            later.clear();
        }
    }

    private record Region(MemorySegment segment, byte[] key) implements MemoryRegion {
        @Override
        public void close() {
            // freed with the arena
        }
    }

    /** Notes who is connected, and whose memory is opened. */
    private final class Memories implements Fabric {
        @Override
        public FabricInfo info() {
            return new FabricInfo("memories", "1", "none", "mapped");
        }

        @Override
        public void waitWith(Wait wait) {
            // nothing is waited for
        }

        @Override
        public byte[] address() {
            return new byte[1];
        }

        @Override
        public MemoryRegion expose(long bytes) {
            return new Region(Arena.ofAuto().allocate(bytes, 8), new byte[1]);
        }

        @Override
        public boolean isImmediate(int peer) {
            return true;
        }

        @Override
        public void connect(int peer, byte[] address) {
            calls.add("connect " + address[0]);
        }

        @Override
        public RemoteMemory attach(int peer, byte[] key) {
            calls.add("attach " + key[0]);
            if (key[0] != process) {
                throw new PeerLostException(peer, "the process " + key[0] + " is gone");
            }
            return null;
        }

        @Override
        public void renew() {
            // nothing is under way
        }

        @Override
        public void revoke(int peer) {
            // nothing is under way
        }

        @Override
        public int progress() {
            return 0;
        }

        @Override
        public void flush(int peer) {
            // nothing is under way
        }

        @Override
        public void flushAll() {
            // nothing is under way
        }

        @Override
        public void flushLocal(int peer) {
            // nothing is under way
        }

        @Override
        public boolean test(long request) {
            return true;
        }

        @Override
        public void copy(MemorySegment source, long sourceOffset, MemorySegment destination, long destinationOffset,
            long length) {
            throw new AssertionError();
        }

        @Override
        public void close() {
            // nothing is open
        }
    }

    @Test
    void aKeyThatWasAskedForBeforeALossWasHeardOfOpensNothing() {
        tell(new ControlMessage.Assign(0, 0, new ControlMessage.Start(VIEW, 1, 1, 0), 0, Map.of(), new long[0],
            new long[3], new long[0]));
        inbox.receive();
        session.open();
        Contributions keys = session.exchange(ControlMessage.Scope.COMPUTING, new byte[1]);
        session.attach(1, () -> keys.of(1));
        assertEquals(List.of("connect 1", "connect 2", "attach 2"), calls);
    }
}
