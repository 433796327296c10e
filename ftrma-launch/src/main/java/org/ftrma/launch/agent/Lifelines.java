package org.ftrma.launch.agent;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import org.ftrma.rank.control.Acceptor;
import org.ftrma.rank.control.FrameReader;
import org.ftrma.rank.control.LifelineGreeting;
import org.ftrma.rank.control.MachineClock;
import org.ftrma.rank.control.Token;

/**
 * The host's ends of its processes' lifelines: a port on the loopback interface, and a thread that waits for the ends
 * of connections. A process says once which one it is; the end of its connection after that is the first sign of its
 * death. Who says anything else, or nothing, is dropped without a word.
 *
 * <p>{@link #next} belongs to the job's thread, which is woken when there is something.
 */
final class Lifelines implements AutoCloseable {
    /** More connections than this that have said nothing yet are not kept at once. */
    static final int MAX_STRANGERS = 64;

    private final Token token;
    private final long greetingNanos;
    private final Runnable wakeup;
    private final MachineClock clock;
    private final Selector selector;
    private final Acceptor acceptor;
    private final ConcurrentLinkedQueue<LifelineGreeting> broken = new ConcurrentLinkedQueue<>();
    /** The thread's. */
    private final Set<Line> strangers = new LinkedHashSet<>();
    private final Map<LifelineGreeting, Line> held = new HashMap<>();

    /** A connection, and who holds its other end. */
    private static final class Line {
        final SocketChannel channel;
        final long acceptedNanos;
        final FrameReader reader = new FrameReader();
        /** Null: a stranger. */
        LifelineGreeting holder;

        Line(SocketChannel channel, long acceptedNanos) {
            this.acceptedNanos = acceptedNanos;
            this.channel = channel;
        }
    }

    /**
     * Opens the port, and waits.
     *
     * @param greetingNanos how long a new connection may take to say whose it is
     * @param wakeup runs when {@link #next} has something to tell
     * @param notes is told for people what keeps lifelines from being held
     */
    Lifelines(Token token, long greetingNanos, Runnable wakeup, Consumer<String> notes,
        MachineClock clock) throws IOException {
        this.clock = clock;
        this.token = token;
        this.greetingNanos = greetingNanos;
        this.wakeup = wakeup;
        this.selector = Selector.open();
        try {
            acceptor = new Acceptor(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), selector, notes);
        } catch (IOException e) {
            selector.close();
            throw new IOException("cannot open a port on the loopback interface: " + e.getMessage(), e);
        }
        Thread.ofPlatform().name("ftrma-lifelines").daemon().start(this::serve);
    }

    /** The port that processes connect to. */
    int port() {
        return acceptor.address().getPort();
    }

    /** A process whose lifeline is broken since, once; null: none. */
    LifelineGreeting next() {
        return broken.poll();
    }

    /** Whether {@link #next} has something to tell. */
    boolean hasNext() {
        return !broken.isEmpty();
    }

    private void serve() {
        try {
            while (true) {
                selector.select(this::act, acceptor.waitMillis(strangers.isEmpty() ? 0
                    : Math.max(1, greetingNanos / 1_000_000)));
                long now = clock.nanoTime();
                for (Line stranger : List.copyOf(strangers)) {
                    if (now - stranger.acceptedNanos > greetingNanos) {
                        drop(stranger);
                    }
                }
            }
        } catch (IOException | ClosedSelectorException e) {
            // Closed; or, without it, deaths are known later, when processes have been taken apart.
            closeAll();
        }
    }

    private void act(SelectionKey key) {
        if (key.attachment() instanceof Line line) {
            read(line);
        } else {
            accept();
        }
    }

    private void accept() {
        SocketChannel channel = acceptor.accept();
        if (channel == null) {
            return;
        }
        Line line = new Line(channel, clock.nanoTime());
        try {
            if (strangers.size() >= MAX_STRANGERS) {
                drop(strangers.iterator().next());
            }
            strangers.add(line);
            channel.register(selector, SelectionKey.OP_READ, line);
        } catch (IOException e) {
            drop(line); // it is gone already
        }
    }

    private void read(Line line) {
        try {
            while (true) {
                ByteBuffer space = line.reader.space();
                int count = line.channel.read(space);
                if (count < 0) {
                    drop(line);
                    return;
                }
                if (count == 0) {
                    return;
                }
                while (line.reader.next()) {
                    greet(line);
                }
            }
        } catch (IOException e) {
            drop(line); // also where what came in is no greeting
        }
    }

    private void greet(Line line) throws IOException {
        LifelineGreeting said = LifelineGreeting.read(line.reader.kind(), line.reader.body(), token);
        if (line.holder != null || held.putIfAbsent(said, line) != null) {
            throw new IOException("one lifeline for each process");
        }
        strangers.remove(line);
        line.holder = said;
    }

    private void drop(Line line) {
        strangers.remove(line);
        close(line.channel);
        if (line.holder != null) {
            held.remove(line.holder);
            broken.add(line.holder);
            wakeup.run();
        }
    }

    private static void close(Closeable channel) {
        try {
            channel.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void closeAll() {
        close(acceptor);
        strangers.forEach(line -> close(line.channel));
        held.values().forEach(line -> close(line.channel));
    }

    /** Has the thread close the port and all connections. Any thread. */
    @Override
    public void close() {
        try {
            selector.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
