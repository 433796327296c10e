package org.ftrma.rank.control;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
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

    private final Socket socket = new Socket();
    private final ReentrantLock writing = new ReentrantLock();
    private final FrameReader reader = new FrameReader();
    private final OutputStream output;
    private final long heartbeatNanos;
    private Supplier<byte[]> beat = () -> null;
    private long beatenNanos;
    private volatile long heardNanos;
    private volatile boolean closed;

    /**
     * Connects and shows the token.
     *
     * @param launcher where the launcher listens
     * @param who what connects here
     * @param joinMillis how long the launcher may take to accept the connection, and to answer: it has others to attend
     *     to
     * @throws IOException if there is no launcher, or a wrong one
     */
    public ControlLink(InetSocketAddress launcher, Token token, ControlPeer who, int joinMillis) throws IOException {
        try {
            socket.connect(launcher, joinMillis);
            socket.setTcpNoDelay(true);
            output = socket.getOutputStream();
            output.write(FrameDescriptor.hello(who, token).array());
            socket.setSoTimeout(joinMillis);
            heartbeatNanos = welcome(token);
        } catch (IOException e) {
            socket.close();
            throw e;
        }
        reader.trust();
        beatenNanos = System.nanoTime();
        heardNanos = beatenNanos;
    }

    private long welcome(Token token) throws IOException {
        while (!reader.next()) {
            if (read() < 0) {
                throw new IOException("the launcher closed the connection instead of answering");
            }
        }
        if (reader.kind() != FrameDescriptor.WELCOME || reader.body().length != FrameDescriptor.WELCOME_BYTES) {
            throw new MalformedFrameException("kind " + reader.kind() + " instead of a welcome");
        }
        ByteBuffer body = ByteBuffer.wrap(reader.body());
        long heartbeat = body.getLong();
        byte[] shown = new byte[Token.BYTES];
        body.get(shown);
        if (!token.launcherMatches(shown) || heartbeat <= 0) {
            throw new IOException("whoever listens there is not this job's launcher");
        }
        return heartbeat;
    }

    private int read() throws IOException {
        ByteBuffer space = reader.space();
        int count = socket.getInputStream().read(space.array(), space.position(), space.remaining());
        if (count > 0) {
            space.position(space.position() + count);
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
        ByteBuffer frame = FrameDescriptor.frame(kind, body);
        writing.lock();
        try {
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
                    byte[] payload = receive(Long.MAX_VALUE);
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
