package org.ftrma.rank.control;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * The end of a control connection that connects: a process's, or an agent's. It shakes hands with the launcher, then
 * carries payloads both ways, and shows that it lives as often as the launcher wants to hear it. A plain socket and not
 * a channel is used because an interrupt of a program's thread would close a channel.
 *
 * <p>{@link #send} and {@link #close} may be called from any thread. Payloads are taken either by {@link #receive}, on
 * one thread of the caller's, which is to come back sooner than the launcher misses it; or, after {@link #start}, by a
 * {@link Hearer} on a thread of the link's own.
 */
public final class ControlLink implements AutoCloseable {
    /** Hears of a link, on its thread. */
    public interface Hearer {
        /** The next payload of the launcher's. */
        void received(byte[] payload);

        /**
         * The connection is gone; nothing more is told.
         *
         * @param closed whether this side has closed it
         */
        void lost(String why, boolean closed);
    }

    /** Before another try, where the launcher has dropped a connection without a word. */
    private static final long RETRY_NANOS = 20_000_000;

    private final Socket socket;
    private final FrameReader reader;
    private final OutputStream output;
    private final long heartbeatNanos;
    private final ReentrantLock writing = new ReentrantLock();
    private final Seal seal;
    private Supplier<byte[]> beat = () -> null;
    private long beatenNanos;
    private volatile long heardNanos;
    private volatile boolean closed;

    /** A connection that may become a link; it ended without a word before that. */
    private static final class DroppedException extends IOException {
        private static final long serialVersionUID = 1L;

        DroppedException(String message) {
            super(message);
        }

        IOException forGood() {
            return new IOException(getMessage() + ", each time that it was tried", this);
        }
    }

    /** As below; frames have tags unless the launcher is on the loopback address. */
    public ControlLink(InetSocketAddress launcher, Token token, ControlPeer who, int joinMillis) throws IOException {
        this(launcher, null, token, who, joinMillis);
    }

    /** The same from one address of this host; null: as the system chooses. */
    public ControlLink(InetSocketAddress launcher, InetAddress from, Token token, ControlPeer who, int joinMillis)
        throws IOException {
        this(launcher, from, token, who, joinMillis, !launcher.getAddress().isLoopbackAddress());
    }

    /**
     * Connects and shakes hands. A launcher that drops the connection without a word has others to attend to, or
     * strangers crowd at its door: it is tried again.
     *
     * @param launcher where the launcher listens
     * @param from the address of this host from which it is reached; null: as the system chooses
     * @param who what connects here
     * @param joinMillis how long the launcher may take to accept the connection, and to answer: it has others to attend
     *     to
     * @param sealed whether frames have tags: as the launcher wants it
     * @throws IOException if there is no launcher, or a wrong one, or it refuses
     */
    public ControlLink(InetSocketAddress launcher, InetAddress from, Token token, ControlPeer who, int joinMillis,
        boolean sealed) throws IOException {
        Connecting connecting = connect(launcher, from, token, who, joinMillis, sealed);
        socket = connecting.socket;
        reader = connecting.reader;
        output = socket.getOutputStream();
        heartbeatNanos = connecting.heartbeatNanos;
        seal = connecting.handshake.toLauncher();
        reader.trust(connecting.handshake.fromLauncher());
        beatenNanos = System.nanoTime();
        heardNanos = beatenNanos;
    }

    private static Connecting connect(InetSocketAddress launcher, InetAddress from, Token token, ControlPeer who,
        int joinMillis, boolean sealed) throws IOException {
        long endNanos = System.nanoTime() + joinMillis * 1_000_000L;
        DroppedException dropped = null;
        while (dropped == null || endNanos - System.nanoTime() > RETRY_NANOS) {
            if (dropped != null) {
                LockSupport.parkNanos(RETRY_NANOS);
            }
            Connecting connecting = new Connecting(endNanos);
            try {
                if (from != null) {
                    connecting.socket.bind(new InetSocketAddress(from, 0));
                }
                connecting.shakeHands(launcher, token, who, sealed);
                return connecting;
            } catch (DroppedException e) {
                connecting.socket.close();
                dropped = e;
            } catch (SocketTimeoutException e) {
                connecting.socket.close();
                throw dropped == null ? e : dropped.forGood();
            } catch (IOException e) {
                connecting.socket.close();
                throw e;
            }
        }
        throw dropped.forGood();
    }

    /** One try to become a link. */
    private static final class Connecting {
        final Socket socket = new Socket();
        final FrameReader reader = new FrameReader();
        final long endNanos;
        Handshake handshake;
        long heartbeatNanos;

        Connecting(long endNanos) {
            this.endNanos = endNanos;
        }

        void shakeHands(InetSocketAddress launcher, Token token, ControlPeer who, boolean sealed) throws IOException {
            socket.connect(launcher, leftMillis());
            socket.setTcpNoDelay(true);
            await();
            handshake = Handshake.answering(reader.kind(), reader.body(), who, sealed, token);
            try {
                socket.getOutputStream().write(handshake.hello().array());
            } catch (SocketException e) {
                throw dropped(e.getMessage());
            }
            await();
            heartbeatNanos = handshake.welcomed(reader.kind(), reader.body());
        }

        private int leftMillis() {
            return Math.clamp((endNanos - System.nanoTime()) / 1_000_000, 1, Integer.MAX_VALUE);
        }

        private void await() throws IOException {
            while (!reader.next()) {
                if (System.nanoTime() - endNanos >= 0) {
                    throw new SocketTimeoutException("the launcher did not answer in time");
                }
                socket.setSoTimeout(leftMillis());
                int count;
                try {
                    count = readInto(reader, socket);
                } catch (SocketException e) {
                    throw dropped(e.getMessage());
                }
                if (count < 0) {
                    throw dropped("connection closed");
                }
            }
        }

        private static DroppedException dropped(String how) {
            return new DroppedException("the launcher closed the connection instead of answering (" + how + ")");
        }
    }

    private static int readInto(FrameReader reader, Socket socket) throws IOException {
        ByteBuffer space = reader.space();
        int count = socket.getInputStream().read(space.array(), space.position(), space.remaining());
        if (count > 0) {
            space.position(space.position() + count);
        }
        return count;
    }

    private int read() throws IOException {
        int count = readInto(reader, socket);
        if (count > 0) {
            heardNanos = System.nanoTime();
        }
        return count;
    }

    /**
     * How this side shows that it lives. Before {@link #start} and {@link #receive}.
     *
     * @param payload gives what is sent each time, on the thread that receives; null: a heartbeat that says nothing
     */
    public ControlLink beating(Supplier<byte[]> payload) {
        beat = payload;
        return this;
    }

    /** The address of this host by which the launcher is reached. */
    public InetAddress localAddress() {
        return socket.getLocalAddress();
    }

    /** How often the launcher wants to hear from this side. */
    public long heartbeatNanos() {
        return heartbeatNanos;
    }

    /** When something of the launcher's came last. Any thread. */
    public long heardNanos() {
        return heardNanos;
    }

    /** Sends a payload whole, when those before are on their way. Any thread. */
    public void send(byte[] payload) throws IOException {
        write(FrameDescriptor.PAYLOAD, payload);
    }

    private void write(byte kind, byte[] body) throws IOException {
        writing.lock();
        try {
            ByteBuffer frame = seal.frame(kind, body); // they are counted as they are written
            output.write(frame.array(), 0, frame.limit());
        } finally {
            writing.unlock();
        }
    }

    /**
     * The next payload, and meanwhile what shows that this side lives.
     *
     * @return null if none comes for so long
     * @throws IOException if the connection is gone, and all that came before was taken
     */
    public byte[] receive(long timeoutNanos) throws IOException {
        long begun = System.nanoTime();
        while (true) {
            if (reader.next()) {
                if (reader.kind() != FrameDescriptor.PAYLOAD) {
                    throw new MalformedFrameException("unexpected kind " + reader.kind());
                }
                return reader.body();
            }
            long now = System.nanoTime();
            if (now - beatenNanos >= heartbeatNanos) {
                beatenNanos = now;
                byte[] payload = beat.get();
                write(payload == null ? FrameDescriptor.HEARTBEAT : FrameDescriptor.PAYLOAD,
                    payload == null ? new byte[0] : payload);
            }
            long left = timeoutNanos - (now - begun);
            if (left <= 0) {
                return null;
            }
            if (!readFor(Math.min(left, beatenNanos + heartbeatNanos - now))) {
                throw new IOException("the launcher closed the connection");
            }
        }
    }

    private boolean readFor(long nanos) throws IOException {
        socket.setSoTimeout(Math.clamp(nanos / 1_000_000, 1, Integer.MAX_VALUE));
        try {
            return read() >= 0;
        } catch (SocketTimeoutException e) {
            return true;
        }
    }

    /**
     * Has a thread take what comes, for as long as the connection lasts. Once.
     *
     * @param thread its name
     */
    public void start(String thread, Hearer hearer) {
        Thread.ofPlatform().name(thread).daemon().start(() -> {
            try {
                while (true) {
                    byte[] payload = receive(RunningClock.LOOK_NANOS);
                    RunningClock.HERE.nanoTime(); // so that a time in which this process does not run is noticed
                    if (payload != null) {
                        hearer.received(payload);
                    }
                }
            } catch (IOException e) {
                hearer.lost(e.getMessage() == null ? e.toString() : e.getMessage(), closed);
            }
        });
    }

    /** Closes the connection; who receives is told so. Any thread. */
    @Override
    public void close() throws IOException {
        closed = true;
        socket.close();
    }
}
