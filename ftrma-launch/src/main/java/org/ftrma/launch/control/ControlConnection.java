package org.ftrma.launch.control;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import org.ftrma.rank.control.ControlPeer;
import org.ftrma.rank.control.FrameDescriptor;
import org.ftrma.rank.control.FrameReader;
import org.ftrma.rank.control.Handshake;
import org.ftrma.rank.control.MachineClock;
import org.ftrma.rank.control.Seal;

/** One accepted connection: what was read of it and what is to be written. The server's thread only. */
final class ControlConnection {
    private final SocketChannel channel;
    private final MachineClock clock;
    private final FrameReader reader = new FrameReader();
    private final ArrayDeque<ByteBuffer> queue = new ArrayDeque<>();
    private final long acceptedNanos;
    private final InetSocketAddress from;
    private SelectionKey key;
    private long heardNanos;
    private long queuedBytes;
    private final byte[] nonce;
    private ControlPeer peer;
    private Seal outgoing = Seal.none();

    /**
     * A stranger's.
     *
     * @param nonce what it is challenged with
     */
    ControlConnection(SocketChannel channel, byte[] nonce, MachineClock clock) throws IOException {
        this.clock = clock;
        this.channel = channel;
        this.nonce = nonce;
        this.from = (InetSocketAddress) channel.getRemoteAddress();
        this.acceptedNanos = clock.nanoTime();
        this.heardNanos = acceptedNanos;
    }

    void register(Selector selector) throws IOException {
        key = channel.register(selector, SelectionKey.OP_READ, this);
    }

    /** What the other end was challenged with. */
    byte[] nonce() {
        return nonce;
    }

    /** The sender knows the token, and is welcome. */
    void becomes(Handshake handshake) {
        peer = handshake.who();
        outgoing = handshake.fromLauncher();
        reader.trust(handshake.toLauncher());
    }

    /** Who is at the other end; null: a stranger. */
    ControlPeer peer() {
        return peer;
    }

    /** Where the other end is. */
    InetSocketAddress from() {
        return from;
    }

    long acceptedNanos() {
        return acceptedNanos;
    }

    long heardNanos() {
        return heardNanos;
    }

    void forgiveSilence() {
        heardNanos = clock.nanoTime();
    }

    FrameReader reader() {
        return reader;
    }

    boolean isOpen() {
        return channel.isOpen();
    }

    /** The bytes read; 0 if there are none now, -1 at the end. */
    int read() throws IOException {
        int count = channel.read(reader.space());
        if (count > 0) {
            heardNanos = clock.nanoTime();
        }
        return count;
    }

    /** A payload's frame, which is to be written next. */
    ByteBuffer tagged(byte[] payload) {
        return outgoing.frame(FrameDescriptor.PAYLOAD, payload);
    }

    /** Writes at once what the socket takes; the rest follows when it takes more. */
    void write(ByteBuffer frame) throws IOException {
        queue.add(frame);
        queuedBytes += frame.remaining();
        if (queue.size() == 1) {
            flush();
        }
    }

    void flush() throws IOException {
        while (!queue.isEmpty()) {
            ByteBuffer head = queue.peek();
            queuedBytes -= channel.write(head);
            if (head.hasRemaining()) {
                break;
            }
            queue.remove();
        }
        if (key.isValid()) {
            key.interestOps(queue.isEmpty() ? SelectionKey.OP_READ : SelectionKey.OP_READ | SelectionKey.OP_WRITE);
        }
    }

    long queuedBytes() {
        return queuedBytes;
    }

    /** Gives up what could not be written. */
    void dropWrites() {
        queue.clear();
        queuedBytes = 0;
        if (key.isValid()) {
            key.interestOps(SelectionKey.OP_READ);
        }
    }

    void close() {
        try {
            channel.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
