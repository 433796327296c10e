package org.ftrma.rank.control;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.function.Consumer;

/**
 * A port, and the connections that come there. While this process has no file left for one more, those that come wait
 * in the kernel, and the port is not looked at for a while: its thread does not spin. The thread of the selector only.
 */
public final class Acceptor implements Closeable {
    private static final long PAUSE_MILLIS = 100;
    private static final int BACKLOG = 1024;

    private final ServerSocketChannel channel;
    private final SelectionKey key;
    private final Consumer<String> notes;
    private boolean isPaused;
    private long pausedNanos;
    private boolean isTold;

    /**
     * Opens a port.
     *
     * @param at one address of this host; the port, 0: any
     * @param selector is told of connections; the attachment of this port's key is null
     * @param notes is told for people, once, that connections wait
     */
    public Acceptor(InetSocketAddress at, Selector selector, Consumer<String> notes) throws IOException {
        this.notes = notes;
        channel = ServerSocketChannel.open();
        try {
            channel.bind(at, BACKLOG);
            channel.configureBlocking(false);
            key = channel.register(selector, SelectionKey.OP_ACCEPT);
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    /** Where it is. */
    public InetSocketAddress address() {
        return new InetSocketAddress(channel.socket().getInetAddress(), channel.socket().getLocalPort());
    }

    /** The next connection, which does not block; null: none has come, or there is no file for it now. */
    public SocketChannel accept() {
        SocketChannel accepted;
        try {
            accepted = channel.accept();
        } catch (IOException e) {
            pause(e);
            return null;
        }
        try {
            if (accepted != null) {
                accepted.configureBlocking(false);
            }
            return accepted;
        } catch (IOException e) {
            closeQuietly(accepted);
            return null; // it is gone already
        }
    }

    private static void closeQuietly(SocketChannel accepted) {
        try {
            accepted.close();
        } catch (IOException e) {
            // nothing more can be done about it
            return;
        }
    }

    private void pause(IOException why) {
        key.interestOps(0);
        isPaused = true;
        pausedNanos = System.nanoTime();
        if (!isTold) {
            isTold = true;
            notes.accept("no connection can be accepted at port " + address().getPort() + ": " + why.getMessage()
                + "; those that come wait until there are free files (ulimit -n raises the limit)");
        }
    }

    /**
     * How long the selector may wait at most; the port is looked at again when it is time. To be called before each
     * wait.
     *
     * @param millis as long as its thread would wait; 0: for ever
     */
    public long waitMillis(long millis) {
        if (!isPaused) {
            return millis;
        }
        long left = PAUSE_MILLIS - (System.nanoTime() - pausedNanos) / 1_000_000;
        if (left <= 0) {
            isPaused = false;
            key.interestOps(SelectionKey.OP_ACCEPT);
            return millis;
        }
        return millis == 0 ? left : Math.min(millis, left);
    }

    /** Closes the port. */
    @Override
    public void close() throws IOException {
        channel.close();
    }
}
