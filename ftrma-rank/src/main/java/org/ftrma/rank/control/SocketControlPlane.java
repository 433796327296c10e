package org.ftrma.rank.control;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.net.InetSocketAddress;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;
import org.ftrma.FtrmaException;
import org.ftrma.spi.ControlPlane;

/**
 * A process's end of the control protocol. The thread of its link reads frames into a queue and sends heartbeats;
 * {@link #ready} and {@link #poll} belong to the data thread, which is woken when a frame arrives while it sleeps;
 * {@link #send} may be called from any thread.
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

    private final ControlLink link;
    private final ConcurrentLinkedQueue<byte[]> frames = new ConcurrentLinkedQueue<>();
    private final Thread dataThread;
    private boolean flag;
    /** When the data thread was seen last to have asked whether there are frames. */
    private volatile long calledNanos = System.nanoTime();
    private volatile String lost;
    private volatile Runnable whenBeating = () -> { };
    private volatile UnaryOperator<byte[]> answerer = frame -> null;

    /** As below, within 10 s. */
    public SocketControlPlane(InetSocketAddress launcher, Token token, int process, Thread dataThread,
        Runnable whenLost) {
        this(launcher, token, process, dataThread, whenLost, JOIN_MILLIS);
    }

    /**
     * Connects, and shows that it knows the token.
     *
     * @param process this process's number, as the launcher gave it
     * @param dataThread who is woken when a frame arrives
     * @param whenLost run on the control thread when the launcher is gone without having been left
     * @param joinMillis how long the launcher may take to accept the connection, and to answer: it has others to attend
     *     to
     * @throws FtrmaException of category FATAL if there is no launcher, or a wrong one
     */
    public SocketControlPlane(InetSocketAddress launcher, Token token, int process, Thread dataThread,
        Runnable whenLost, int joinMillis) {
        this.dataThread = dataThread;
        try {
            link = new ControlLink(launcher, token, ControlPeer.process(process), joinMillis);
        } catch (IOException e) {
            throw new FtrmaException(FtrmaException.Category.FATAL, "cannot join the job at "
                + launcher.getAddress().getHostAddress() + " port " + launcher.getPort() + ": " + e.getMessage(), e);
        }
        link.beating(() -> {
            whenBeating.run();
            idleNanos();
            return null;
        });
        link.start("ftrma-control", new ControlLink.Hearer() {
            @Override
            public void received(byte[] payload) {
                byte[] answer = answerer.apply(payload);
                if (answer == null) {
                    frames.add(payload);
                    signal();
                } else {
                    send(answer);
                }
            }

            @Override
            public void lost(String why, boolean closed) {
                lost = why;
                signal();
                if (!closed) {
                    whenLost.run();
                }
            }
        });
    }

    /** What is done, on the control thread, each time that this process shows the launcher that it lives. */
    public void whenBeating(Runnable action) {
        whenBeating = action;
    }

    private void signal() {
        READY.setVolatile(this, true);
        LockSupport.unpark(dataThread);
    }

    @Override
    public void send(byte[] frame) {
        try {
            link.send(frame);
        } catch (IOException e) {
            // The control thread sees the same loss and poll() reports it; a sender on the way out has nobody to tell.
            signal();
        }
    }

    @Override
    public void answerWith(UnaryOperator<byte[]> newAnswerer) {
        answerer = newAnswerer;
    }

    @Override
    public boolean ready() {
        return (boolean) READY.getOpaque(this);
    }

    /** Whether something has come that was not polled, or the launcher is gone; any thread. */
    public boolean isAsked() {
        return !frames.isEmpty() || lost != null;
    }

    /** It takes the flag down when it asks next: what is still up since the last look was not seen. */
    @Override
    public long idleNanos() {
        if (!ready()) {
            calledNanos = System.nanoTime();
            READY.setVolatile(this, true);
        }
        return System.nanoTime() - calledNanos;
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
        try {
            link.close();
        } catch (IOException e) {
            throw new FtrmaException(FtrmaException.Category.FATAL, "closing the control connection: " + e.getMessage(),
                e);
        }
    }
}
