package org.ftrma.rank.control;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.ftrma.FtrmaException;
import org.ftrma.spi.ControlPlane;

/**
 * A process's end of the control protocol. Its own thread reads frames into a queue and sends heartbeats;
 * {@link #ready} and {@link #poll} belong to the data thread, which is woken when a frame arrives while it sleeps;
 * {@link #send} may be called from any thread. A plain socket and not a channel is used because an interrupt of a
 * program's thread would close a channel.
 */
public final class SocketControlPlane implements ControlPlane {
    private static final int JOIN_MILLIS = 10_000;
    private static final VarHandle READY;

    static {
        try {
            READY = MethodHandles.lookup().findVarHandle(SocketControlPlane.class, "flag", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final Socket socket;
    private final OutputStream output;
    private final ReentrantLock writing = new ReentrantLock();
    private final FrameReader reader = new FrameReader();
    private final ConcurrentLinkedQueue<byte[]> frames = new ConcurrentLinkedQueue<>();
    private final Thread dataThread;
    private final Runnable whenLost;
    private final long heartbeatNanos;
    private boolean flag;
    private volatile String lost;
    private volatile boolean closed;

    /** As below, within 10 s. */
    public SocketControlPlane(int port, Token token, int process, Thread dataThread, Runnable whenLost) {
        this(port, token, process, dataThread, whenLost, JOIN_MILLIS);
    }

    /**
     * Connects and shows the token.
     *
     * @param process this process's number, as the launcher gave it
     * @param dataThread who is woken when a frame arrives
     * @param whenLost run on the control thread when the launcher is gone without having been left
     * @param joinMillis how long the launcher may take to accept the connection, and to answer: it has others to attend
     *     to
     * @throws FtrmaException of category FATAL if there is no launcher, or a wrong one
     */
    public SocketControlPlane(int port, Token token, int process, Thread dataThread, Runnable whenLost,
        int joinMillis) {
        this.dataThread = dataThread;
        this.whenLost = whenLost;
        this.socket = new Socket();
        try {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), joinMillis);
            socket.setTcpNoDelay(true);
            output = socket.getOutputStream();
            output.write(FrameDescriptor.hello(process, ProcessHandle.current().pid(), token).array());
            socket.setSoTimeout(joinMillis);
            heartbeatNanos = welcome(token);
            reader.trust();
            socket.setSoTimeout((int) Math.max(1, heartbeatNanos / 1_000_000));
        } catch (IOException e) {
            close();
            throw new FtrmaException(FtrmaException.Category.FATAL,
                "cannot join the job at port " + port + ": " + e.getMessage(), e);
        }
        Thread.ofPlatform().name("ftrma-control").daemon().start(this::duty);
    }

    /** What a process says on the connection whose end tells of its death. */
    public static byte[] lifeline(int process, Token token) {
        return FrameDescriptor.lifeline(process, ProcessHandle.current().pid(), token).array();
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
        }
        return count;
    }

    private void duty() {
        long beaten = System.nanoTime();
        try {
            while (true) {
                while (reader.next()) {
                    if (reader.kind() != FrameDescriptor.PAYLOAD) {
                        throw new MalformedFrameException("unexpected kind " + reader.kind());
                    }
                    frames.add(reader.body());
                    signal();
                }
                long now = System.nanoTime();
                if (now - beaten >= heartbeatNanos) {
                    beaten = now;
                    write(FrameDescriptor.heartbeat());
                }
                if (!readOrTimeOut()) {
                    throw new IOException("the launcher closed the connection");
                }
            }
        } catch (IOException e) {
            lost = e.getMessage() == null ? e.toString() : e.getMessage();
            signal();
            if (!closed) {
                whenLost.run();
            }
        }
    }

    private boolean readOrTimeOut() throws IOException {
        try {
            return read() >= 0;
        } catch (SocketTimeoutException e) {
            return true;
        }
    }

    private void signal() {
        READY.setVolatile(this, true);
        LockSupport.unpark(dataThread);
    }

    @Override
    public void send(byte[] frame) {
        try {
            write(FrameDescriptor.frame(FrameDescriptor.PAYLOAD, frame));
        } catch (IOException e) {
            // The control thread sees the same loss and poll() reports it; a sender on the way out has nobody to tell.
            signal();
        }
    }

    private void write(ByteBuffer frame) throws IOException {
        writing.lock();
        try {
            output.write(frame.array(), 0, frame.limit());
        } finally {
            writing.unlock();
        }
    }

    @Override
    public boolean ready() {
        return (boolean) READY.getOpaque(this);
    }

    @Override
    public byte[] poll() {
        READY.setVolatile(this, false);
        byte[] frame = frames.poll();
        if (!frames.isEmpty() || lost != null) {
            READY.setVolatile(this, true);
        }
        if (frame == null && lost != null && frames.isEmpty()) {
            throw new FtrmaException(FtrmaException.Category.FATAL, "the connection to the launcher is lost: " + lost);
        }
        return frame;
    }

    @Override
    public void close() {
        closed = true;
        try {
            socket.close();
        } catch (IOException e) {
            throw new FtrmaException(FtrmaException.Category.FATAL, "closing the control connection: " + e.getMessage(),
                e);
        }
    }
}
