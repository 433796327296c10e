package org.ftrma.launch.control;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.security.SecureRandom;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.ftrma.FtrmaException;
import org.ftrma.rank.control.Acceptor;
import org.ftrma.rank.control.ControlPeer;
import org.ftrma.rank.control.FrameDescriptor;
import org.ftrma.rank.control.Handshake;
import org.ftrma.rank.control.MachineClock;
import org.ftrma.rank.control.MalformedFrameException;
import org.ftrma.rank.control.Token;

/**
 * The launcher's end of the control protocol: accepts processes and agents that know the job's token, hands their
 * payloads to a {@link Listener} in the order they were sent, and tells how long each has been silent. Everything
 * happens in {@link #poll}, on the one thread that owns this object; only {@link #wakeup} may be called from others.
 */
public final class ControlServer implements AutoCloseable {
    /** More strangers than this, and those who are on their way, are not kept waiting at once. */
    static final int MAX_STRANGERS = 64;
    /** Bytes that wait for one peer before it counts as hung. */
    static final long MAX_QUEUED_BYTES = 256L << 20;

    /** Why a connection ended that the other side closed in an orderly way. */
    public static final String CLOSED = "connection closed";

    /** Who listens; called inside {@link #poll} and {@link #drain}. */
    public interface Listener {
        /** An expected process is here, and knows the token. */
        void joined(int process, long pid);

        /** A payload of a joined process. */
        void received(int process, byte[] payload);

        /** A joined process closed its connection, or sent what it must not; nothing can be sent to it any more. */
        void disconnected(int process, String why);

        /** Input of a stranger was dropped. */
        void rejected(String why);

        /** An expected agent is here, from there, and knows the token. A job of one host has none. */
        default void agentJoined(int host, InetSocketAddress from) {
        }

        /** A payload of a joined agent. */
        default void agentReceived(int host, byte[] payload) {
        }

        /** An agent closed its connection, or sent what it must not; nothing can be sent to it any more. */
        default void agentDisconnected(int host, String why) {
        }
    }

    /** So many strangers are told of one by one; then each time that they are twice as many. */
    private static final int MAX_TOLD = 1000;

    private final SecureRandom random = new SecureRandom();
    private final Token token;
    private final boolean sealed;
    private final Listener listener;
    private final long handshakeNanos;
    private final long heartbeatNanos;
    private final MachineClock clock;
    private final Selector selector;
    private final Acceptor acceptor;
    private final Peers processes = new Peers();
    private final Peers agents = new Peers();
    private final Set<ControlConnection> strangers = new LinkedHashSet<>();
    private int rejected;

    /** Opens any port on the loopback interface; else as below. */
    public ControlServer(Token token, Listener listener, long handshakeNanos, long heartbeatNanos) {
        this(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), token, listener, handshakeNanos,
            heartbeatNanos, MachineClock.HERE);
    }

    /** As below; frames have tags unless the address is a loopback address. */
    public ControlServer(InetSocketAddress at, Token token, Listener listener, long handshakeNanos,
        long heartbeatNanos, MachineClock clock) {
        this(at, token, listener, handshakeNanos, heartbeatNanos,
            at.getAddress() == null || !at.getAddress().isLoopbackAddress(), clock);
    }

    /**
     * Opens a port.
     *
     * @param at one address of this host, never all of them; the port, 0: any
     * @param handshakeNanos how long a new connection may take to show that it knows the token
     * @param heartbeatNanos how often peers are asked to show that they live
     * @param sealed whether frames have tags: as peers want it
     * @throws FtrmaException of category SETUP if nobody can listen there
     */
    public ControlServer(InetSocketAddress at, Token token, Listener listener, long handshakeNanos,
        long heartbeatNanos, boolean sealed, MachineClock clock) {
        this.clock = clock;
        this.token = token;
        this.sealed = sealed;
        this.listener = listener;
        this.handshakeNanos = handshakeNanos;
        this.heartbeatNanos = heartbeatNanos;
        if (at.getAddress() == null || at.getAddress().isAnyLocalAddress()) {
            throw new FtrmaException(FtrmaException.Category.SETUP, "the launcher cannot listen on " + at
                + ": name one address of this host, which the job's other hosts can reach");
        }
        try {
            selector = Selector.open();
            acceptor = acceptor(at, selector);
        } catch (IOException e) {
            throw new FtrmaException(FtrmaException.Category.SETUP, "the launcher cannot listen on "
                + at.getAddress().getHostAddress() + " port " + at.getPort() + ": " + e.getMessage()
                + "; name an address of this host and a port that is free (0: any)", e);
        }
    }

    private Acceptor acceptor(InetSocketAddress at, Selector on) throws IOException {
        try {
            return new Acceptor(at, on, this::reject);
        } catch (IOException e) {
            on.close();
            throw e;
        }
    }

    /** Where processes and agents connect to. */
    public InetSocketAddress address() {
        return acceptor.address();
    }

    /** A process of this number was started and may join, once. */
    public void expect(int process) {
        processes.expect(process);
    }

    /** The agent of this host may join, once, whenever it comes. */
    public void expectAgent(int host) {
        agents.expect(host);
    }

    /** Agents of further hosts may join, unasked. */
    public void welcomeNewAgents() {
        agents.welcomeFrom(ControlPeer.FIRST_NEW_HOST);
    }

    /** Ends the current or next {@link #poll} early. Any thread. */
    public void wakeup() {
        selector.wakeup();
    }

    /** Waits for up to so long for something to happen, and does it. */
    public void poll(long timeoutMillis) {
        try {
            long wait = acceptor.waitMillis(Math.max(1, timeoutMillis));
            if (timeoutMillis > 0) {
                selector.select(this::act, wait);
            } else {
                selector.selectNow(this::act);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        long now = clock.nanoTime();
        for (ControlConnection stranger : List.copyOf(strangers)) {
            if (now - stranger.acceptedNanos() > handshakeNanos) {
                dismiss(stranger, "no hello within " + handshakeNanos / 1_000_000 + " ms");
            }
        }
    }

    private void act(SelectionKey key) {
        if (key.attachment() == null) {
            accept();
            return;
        }
        ControlConnection connection = (ControlConnection) key.attachment();
        if (key.isValid() && key.isReadable()) {
            read(connection);
        }
        if (key.isValid() && key.isWritable()) {
            try {
                connection.flush();
            } catch (IOException e) {
                dismiss(connection, "write failed: " + e.getMessage());
            }
        }
    }

    private void accept() {
        SocketChannel channel = acceptor.accept();
        if (channel == null) {
            return;
        }
        try {
            if (strangers.size() >= MAX_STRANGERS + processes.expected() + agents.expected()) {
                // The oldest goes: who belongs here answers at once, so whoever still waits is more likely a
                // stranger than the newcomer; and who belongs here comes again.
                dismiss(strangers.iterator().next(), "made way for a newer connection: " + strangers.size()
                    + " have not answered yet");
            }
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            ControlConnection connection = new ControlConnection(channel, Handshake.nonce(random), clock);
            connection.register(selector);
            strangers.add(connection);
            write(connection, Handshake.challenge(connection.nonce()));
        } catch (IOException e) {
            reject("connection lost while it was accepted: " + e.getMessage());
            close(channel);
        }
    }

    private static void close(SocketChannel channel) {
        try {
            channel.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Reads what is there now; returns false when the connection has ended. */
    private boolean read(ControlConnection connection) {
        try {
            while (true) {
                int count = connection.read();
                if (count < 0) {
                    dismiss(connection, CLOSED);
                    return false;
                }
                if (count == 0) {
                    return true;
                }
                while (connection.isOpen() && connection.reader().next()) {
                    handle(connection, connection.reader().kind(), connection.reader().body());
                }
                if (!connection.isOpen()) {
                    return false;
                }
            }
        } catch (MalformedFrameException e) {
            refuse(connection, "malformed frame: " + e.getMessage());
        } catch (IOException e) {
            dismiss(connection, "connection lost: " + e.getMessage());
        }
        return false;
    }

    private void handle(ControlConnection connection, byte kind, byte[] body) throws MalformedFrameException {
        ControlPeer peer = connection.peer();
        if (peer == null) {
            greet(connection, kind, body);
            return;
        }
        switch (kind) {
            case FrameDescriptor.HEARTBEAT -> {
                if (body.length > 0) {
                    throw new MalformedFrameException("heartbeat with " + body.length + " bytes");
                }
            }
            case FrameDescriptor.PAYLOAD -> {
                switch (peer.kind()) {
                    case PROCESS -> listener.received(peer.number(), body);
                    case AGENT -> listener.agentReceived(peer.number(), body);
                }
            }
            default -> throw new MalformedFrameException("unexpected kind " + kind);
        }
    }

    private void greet(ControlConnection stranger, byte kind, byte[] body) {
        Handshake handshake;
        try {
            handshake = Handshake.of(kind, body, stranger.nonce(), sealed, token);
        } catch (MalformedFrameException e) {
            refuse(stranger, e.getMessage());
            return;
        }
        ControlPeer peer = handshake.who();
        if (!peers(peer).admit(peer.number(), stranger)) {
            refuse(stranger, peer + " was not expected");
            return;
        }
        strangers.remove(stranger);
        stranger.becomes(handshake);
        write(stranger, handshake.welcome(heartbeatNanos));
        switch (peer.kind()) {
            case PROCESS -> listener.joined(peer.number(), peer.pid());
            case AGENT -> listener.agentJoined(peer.number(), stranger.from());
        }
    }

    /** Dismisses a peer, and a stranger with a word. */
    private void refuse(ControlConnection connection, String why) {
        if (connection.peer() == null) {
            write(connection, Handshake.refused(why));
        }
        dismiss(connection, why);
    }

    private Peers peers(ControlPeer peer) {
        return peer.kind() == ControlPeer.Kind.AGENT ? agents : processes;
    }

    /** Queues a payload; those to a process that is not connected are dropped. */
    public void send(int process, byte[] payload) {
        send(processes.get(process), payload);
    }

    /** Queues a payload; those to an agent that is not connected are dropped. */
    public void sendToAgent(int host, byte[] payload) {
        send(agents.get(host), payload);
    }

    private void send(ControlConnection connection, byte[] payload) {
        if (connection == null) {
            return;
        }
        write(connection, connection.tagged(payload));
        if (connection.queuedBytes() > MAX_QUEUED_BYTES) {
            dismiss(connection, "it does not read: " + connection.queuedBytes() + " bytes wait");
        }
    }

    private static void write(ControlConnection connection, ByteBuffer frame) {
        try {
            connection.write(frame);
        } catch (IOException e) {
            // What it sent before is still to be read, and the next read reports the connection's end; nothing more can
            // be done here.
            connection.dropWrites();
        }
    }

    /**
     * Reads what a process that has died had sent.
     *
     * @return true when everything was handed to the listener; else call again after a {@link #poll}
     */
    public boolean drain(int process) {
        ControlConnection connection = processes.get(process);
        return connection == null || !read(connection);
    }

    /** Forgets a process that is gone. */
    public void forget(int process) {
        processes.forget(process);
    }

    /** Forgets an agent that is gone, or is not to come any more; its connection is closed. */
    public void forgetAgent(int host) {
        agents.forget(host);
    }

    /** The joined processes that have not been heard since the moment given. */
    public List<Integer> silentSince(long nanoTime) {
        return processes.silentSince(nanoTime);
    }

    /** The joined agents, by their hosts, that have not been heard since the moment given. */
    public List<Integer> agentsSilentSince(long nanoTime) {
        return agents.silentSince(nanoTime);
    }

    /** For how long a process was silent; {@link Long#MAX_VALUE} if it has not joined. */
    public long silentNanos(int process) {
        ControlConnection connection = processes.get(process);
        return connection == null ? Long.MAX_VALUE : clock.nanoTime() - connection.heardNanos();
    }

    /** When a joined process was heard last. */
    public long heardNanos(int process) {
        return processes.get(process).heardNanos();
    }

    /** When a joined agent was heard last. */
    public long agentHeardNanos(int host) {
        return agents.get(host).heardNanos();
    }

    /** Starts all silences anew: this thread itself was held up, so silence proves nothing. */
    public void forgiveSilence() {
        processes.all().forEach(ControlConnection::forgiveSilence);
        agents.all().forEach(ControlConnection::forgiveSilence);
    }

    private void dismiss(ControlConnection connection, String why) {
        connection.close();
        strangers.remove(connection);
        ControlPeer peer = connection.peer();
        if (peer == null) {
            reject(connection.from() + ": " + why);
        } else if (peers(peer).remove(connection)) {
            switch (peer.kind()) {
                case PROCESS -> listener.disconnected(peer.number(), why);
                case AGENT -> listener.agentDisconnected(peer.number(), why);
            }
        }
    }

    private void reject(String why) {
        rejected++;
        if (rejected <= MAX_TOLD) {
            listener.rejected(why);
        } else if (Integer.bitCount(rejected) == 1) {
            listener.rejected(why + " (" + rejected + " of these so far; not all of them are told)");
        }
    }

    /** Closes the port and all connections. */
    @Override
    public void close() {
        strangers.forEach(ControlConnection::close);
        processes.all().forEach(ControlConnection::close);
        agents.all().forEach(ControlConnection::close);
        try {
            acceptor.close();
            selector.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
