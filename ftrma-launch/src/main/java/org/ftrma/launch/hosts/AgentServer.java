package org.ftrma.launch.hosts;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.CharacterCodingException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.ftrma.launch.agent.AgentLink;
import org.ftrma.launch.control.ControlServer;
import org.ftrma.rank.control.MachineClock;
import org.ftrma.rank.control.Token;

/**
 * The port that agents connect to, and the connections of those that have. A thread of its own serves it, so that an
 * agent is answered also while the job's thread has other things to do. Any thread.
 */
public final class AgentServer implements AutoCloseable {
    private static final long HANDSHAKE_NANOS = 10_000_000_000L;
    private static final long TURN_MILLIS = 50;
    private static final long CLOSE_SECONDS = 10;
    private static final int MOST_TOKEN_BYTES = 1024;

    private final Token token = Token.random();
    private final ControlServer server;
    private final Map<Integer, Link> links = new ConcurrentHashMap<>();
    private final ConcurrentLinkedQueue<Link> arrivals = new ConcurrentLinkedQueue<>();
    private final ConcurrentLinkedQueue<Runnable> orders = new ConcurrentLinkedQueue<>();
    private final Consumer<String> rejected;
    private final Thread thread;
    private volatile boolean isClosed;
    private final MachineClock clock;
    private Path tokenFile;

    /**
     * Opens any port on one address of this host.
     *
     * @param address the one that the other hosts reach
     * @param port 0: any
     * @param hosts agents of hosts 0 to this number may join, once each; and those of any further ones
     * @param heartbeatNanos how often an agent shows that it lives
     * @param rejected hears of connections that were refused, on the own thread
     */
    public AgentServer(InetAddress address, int port, int hosts, long heartbeatNanos, Consumer<String> rejected,
        MachineClock clock) {
        this.clock = clock;
        this.rejected = rejected;
        this.server = new ControlServer(new InetSocketAddress(address, port), token, new Hearer(), HANDSHAKE_NANOS,
            heartbeatNanos, clock);
        for (int host = 0; host < hosts; host++) {
            server.expectAgent(host);
            links.put(host, new Link(host));
        }
        server.welcomeNewAgents();
        thread = Thread.ofPlatform().daemon().name("ftrma-agents").start(this::serve);
    }

    /** Where agents connect to. */
    public InetSocketAddress address() {
        return server.address();
    }

    /** What they must know. */
    public Token token() {
        return token;
    }

    /** The connection of a host's agent; null as long as that has not joined. */
    public AgentLink joined(int host) {
        Link link = links.get(host);
        if (link.from == null) {
            return null;
        }
        link.isTaken = true;
        return link;
    }

    /** The connection of an agent that has joined and was not asked for by {@link #joined}, once; null: none. */
    AgentLink nextArrival() {
        Link link = arrivals.poll();
        while (link != null && link.isTaken) {
            link = arrivals.poll();
        }
        return link;
    }

    /**
     * Keeps what agents must know in a file, which only this user can read, until the end.
     *
     * @throws FileAlreadyExistsException there is such a file, and it is not one that a job has left
     */
    public void keepTokenIn(Path file) throws IOException {
        if (Files.exists(file, LinkOption.NOFOLLOW_LINKS) && tokenIn(file).isEmpty()) {
            throw new FileAlreadyExistsException(file.toString());
        }
        Path made = Files.createTempFile(file.toAbsolutePath().getParent(), ".ftrma-", ".token",
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        try {
            Files.writeString(made, token.text() + "\n");
            Files.move(made, file, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(made);
        }
        tokenFile = file;
    }

    /** The token that a file consists of, or nothing. */
    private static String tokenIn(Path file) throws IOException {
        if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS) || Files.size(file) > MOST_TOKEN_BYTES) {
            return "";
        }
        try {
            return Token.parse(Files.readString(file).strip()).text();
        } catch (IllegalArgumentException | CharacterCodingException e) {
            return "";
        }
    }

    private void serve() {
        while (!isClosed) {
            server.poll(TURN_MILLIS);
            for (Runnable order = orders.poll(); order != null; order = orders.poll()) {
                order.run();
            }
        }
        server.close();
    }

    private void order(Runnable order) {
        orders.add(order);
        server.wakeup();
    }

    /** Ends all connections, when what was sent before is on its way. */
    @Override
    public void close() {
        order(() -> isClosed = true);
        deleteTokenFile();
        try {
            thread.join(TimeUnit.SECONDS.toMillis(CLOSE_SECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void deleteTokenFile() {
        try {
            if (tokenFile != null && Files.exists(tokenFile) && tokenIn(tokenFile).equals(token.text())) {
                Files.delete(tokenFile);
            }
        } catch (IOException e) {
            rejected.accept("the file " + tokenFile + " with the job's secret cannot be removed: " + e.getMessage());
        }
    }

    /** Hears what comes, on the own thread. */
    private final class Hearer implements ControlServer.Listener {
        @Override
        public void agentJoined(int host, InetSocketAddress from) {
            Link link = links.computeIfAbsent(host, Link::new);
            link.heardNanos = clock.nanoTime();
            link.from = from;
            arrivals.add(link);
        }

        @Override
        public void agentReceived(int host, byte[] payload) {
            Link link = links.get(host);
            link.heardNanos = clock.nanoTime();
            link.frames.add(payload);
            link.wakeup.run();
        }

        @Override
        public void agentDisconnected(int host, String why) {
            links.get(host).end(why.equals(ControlServer.CLOSED) ? "its agent has closed the connection" : why);
        }

        @Override
        public void rejected(String why) {
            rejected.accept(why);
        }

        @Override
        public void joined(int process, long pid) {
            throw new IllegalStateException("process " + process + " joined where agents do");
        }

        @Override
        public void received(int process, byte[] payload) {
            throw new IllegalStateException("process " + process + " is heard where agents are");
        }

        @Override
        public void disconnected(int process, String why) {
            throw new IllegalStateException("process " + process + " left where agents do");
        }
    }

    /** The connection of one agent. */
    private final class Link implements AgentLink {
        private final int host;
        private final ConcurrentLinkedQueue<byte[]> frames = new ConcurrentLinkedQueue<>();
        private volatile Runnable wakeup = () -> { };
        private volatile InetSocketAddress from;
        private volatile long heardNanos;
        private volatile boolean isTaken;
        private volatile String over;

        Link(int host) {
            this.host = host;
        }

        private void end(String why) {
            if (over == null) {
                over = why;
            }
            wakeup.run();
        }

        @Override
        public void send(byte[] frame) {
            order(() -> server.sendToAgent(host, frame));
        }

        @Override
        public byte[] poll() {
            return frames.poll();
        }

        @Override
        public String whyOver() {
            return frames.isEmpty() ? over : null;
        }

        @Override
        public long heardNanos() {
            return heardNanos;
        }

        @Override
        public void whenHeard(Runnable run) {
            wakeup = run;
        }

        @Override
        public void close() {
            end("closed here");
            order(() -> server.forgetAgent(host));
        }
    }
}
