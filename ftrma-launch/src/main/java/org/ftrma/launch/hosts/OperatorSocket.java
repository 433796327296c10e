package org.ftrma.launch.hosts;

import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import org.ftrma.FtrmaException;
import org.ftrma.launch.agent.JobDirectory;
import org.ftrma.launch.agent.Watchdog;

/**
 * Where people ask something of a job that runs: a Unix socket in a folder of the launcher's machine that nobody but
 * the user can enter, so that the system itself knows who comes. A request is a line, {@code drain HOST}; the answer is
 * lines that begin with {@code note}, and a last one with {@code done} or {@code refused}. Threads of its own serve it.
 *
 * <pre>
 *   /tmp/ftrma-PID-.../operator
 * </pre>
 */
public final class OperatorSocket implements AutoCloseable {
    /** The longest line. */
    static final int MOST_BYTES = 512;
    private static final String NAME = "operator";
    private static final String DRAIN = "drain ";
    private static final int MOST_CONNECTIONS = 8;

    private final Path folder;
    private final ServerSocketChannel server;
    private final Watchdog watchdog;
    private final ConcurrentLinkedQueue<Request> requests = new ConcurrentLinkedQueue<>();
    private final Semaphore free = new Semaphore(MOST_CONNECTIONS);
    private volatile Runnable wakeup = () -> { };

    /** Opens it. */
    public OperatorSocket() {
        Path made = null;
        ServerSocketChannel opened = null;
        try {
            made = JobDirectory.create(JobDirectory.base());
            watchdog = new Watchdog(List.of(made));
            opened = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
            opened.bind(UnixDomainSocketAddress.of(made.resolve(NAME)));
        } catch (IOException e) {
            throw new FtrmaException(FtrmaException.Category.SETUP, "cannot make the job's socket in " + made + ": "
                + e.getMessage() + "; set XDG_RUNTIME_DIR to a directory of your own", e);
        }
        folder = made;
        server = opened;
        Thread.ofPlatform().daemon().name("ftrma-operator").start(this::serve);
    }

    /** What somebody asks for. Its answers may come from any thread. */
    public static final class Request {
        private final SocketChannel channel;
        private final String host;
        private final Semaphore over = new Semaphore(0);

        Request(SocketChannel channel, String host) {
            this.channel = channel;
            this.host = host;
        }

        /** The host that is to be left. */
        public String host() {
            return host;
        }

        /** What happens meanwhile. */
        public void tell(String text) {
            say(channel, "note " + text);
        }

        /** The last word. */
        public void end(boolean isDone, String text) {
            say(channel, (isDone ? "done " : "refused ") + text);
            over.release();
        }
    }

    /** A line that is short enough for the system to take at once; nobody waits for who does not read. */
    private static void say(SocketChannel channel, String text) {
        try {
            channel.write(ByteBuffer.wrap((text.replace('\n', ' ') + "\n").getBytes(StandardCharsets.UTF_8)));
        } catch (IOException e) {
            Thread.onSpinWait(); // who asked is gone; what was asked for goes on
        }
    }

    /** Whom to tell that {@link #poll} has something; called by another thread. */
    public void whenAsked(Runnable action) {
        wakeup = action;
    }

    /** The next request, or null. */
    public Request poll() {
        return requests.poll();
    }

    private void serve() {
        while (server.isOpen()) {
            try {
                free.acquireUninterruptibly();
                SocketChannel channel = server.accept();
                Thread.ofVirtual().start(() -> hear(channel));
            } catch (IOException e) {
                return; // it was closed
            }
        }
    }

    private void hear(SocketChannel channel) {
        try (channel) {
            String line = line(Channels.newInputStream(channel));
            if (!line.startsWith(DRAIN)) {
                say(channel, "refused " + "there is no such request; there is: drain HOST");
                return;
            }
            Request request = new Request(channel, line.substring(DRAIN.length()));
            requests.add(request);
            wakeup.run();
            request.over.acquireUninterruptibly();
        } catch (IOException e) {
            Thread.onSpinWait(); // it is gone
        } finally {
            free.release();
        }
    }

    private static String line(InputStream in) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0 || line.size() >= MOST_BYTES) {
                throw new IOException("no line");
            }
            line.write(next);
        }
        return line.toString(StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        for (Request request = poll(); request != null; request = poll()) {
            request.end(false, "the job has ended");
        }
        try {
            server.close();
            Files.deleteIfExists(folder.resolve(NAME));
            Files.deleteIfExists(folder);
        } catch (IOException e) {
            Thread.onSpinWait(); // the watchdog has it
            return;
        }
        watchdog.close();
    }

    /** The other side: of one job. */
    public record Door(long launcher, Path socket) {
        /** Those of all jobs of this user on this machine that run. */
        public static List<Door> all() {
            List<Door> doors = new ArrayList<>();
            List<Path> places = new ArrayList<>(List.of(Path.of("/tmp")));
            if (!JobDirectory.base().equals(places.getFirst())) {
                places.addFirst(JobDirectory.base());
            }
            for (Path place : places) {
                try (DirectoryStream<Path> entries = Files.newDirectoryStream(place, "ftrma-*-*")) {
                    for (Path entry : entries) {
                        Door door = new Door(pid(entry), entry.resolve(NAME));
                        if (door.isOpen()) {
                            doors.add(door);
                        }
                    }
                } catch (IOException e) {
                    Thread.onSpinWait(); // nothing is found there
                }
            }
            return doors;
        }

        private static long pid(Path folder) {
            String[] parts = folder.getFileName().toString().split("-");
            return parts[1].matches("[0-9]{1,9}") ? Long.parseLong(parts[1]) : -1;
        }

        /** It is this user's, and somebody is behind it. */
        private boolean isOpen() {
            try {
                if (!Files.getOwner(socket.getParent(), LinkOption.NOFOLLOW_LINKS).equals(
                    Files.getOwner(Path.of("/proc/self"))) || !Files.exists(socket, LinkOption.NOFOLLOW_LINKS)) {
                    return false;
                }
                return ProcessHandle.of(launcher).isPresent();
            } catch (IOException | SecurityException e) {
                return false;
            }
        }

        /**
         * Asks for a host to be left, and returns when it is, or is not.
         *
         * @param notes is told what happens meanwhile
         * @return whether it is, and why not
         */
        public Answer drain(String host, Consumer<String> notes) throws IOException {
            try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
                channel.write(ByteBuffer.wrap((DRAIN + host + "\n").getBytes(StandardCharsets.UTF_8)));
                BufferedReader reader = new BufferedReader(new InputStreamReader(Channels.newInputStream(channel),
                    StandardCharsets.UTF_8));
                for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                    int space = Math.max(line.indexOf(' '), 0);
                    String text = line.substring(Math.min(line.length(), space + 1));
                    switch (line.substring(0, space)) {
                        case "note" -> notes.accept(text);
                        case "done" -> {
                            return new Answer(true, text);
                        }
                        default -> {
                            return new Answer(false, text);
                        }
                    }
                }
                return new Answer(false, "the job has ended");
            }
        }
    }

    /** What became of a request. */
    public record Answer(boolean isDone, String text) {
    }
}
