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
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.ftrma.FtrmaException;
import org.ftrma.launch.agent.JobDirectory;
import org.ftrma.launch.agent.Watchdog;

/**
 * The socket for people's requests to a running job: a Unix socket in a folder of the launcher's machine that nobody
 * but the user can enter, so that the system itself knows who comes. A request is a line, {@code drain HOST} or {@code
 * checkpoint}; the answer is lines that begin with {@code note}, and a last one with {@code done} or {@code refused}.
 * Threads of its own serve it.
 *
 * <pre>
 *   /tmp/ftrma-PID-.../operator          of a job on several hosts
 *   /tmp/ftrma-PID-.../operator-local    of a job on this machine alone
 * </pre>
 */
public final class OperatorSocket implements AutoCloseable {
    /** The longest line. */
    static final int MOST_BYTES = 512;
    private static final String NAME = "operator";
    private static final String LOCAL_NAME = "operator-local";
    private static final int MOST_CONNECTIONS = 8;

    private final Path socket;
    /** Made for it alone; null where it is in a place of the job. */
    private final Path folder;
    private final ServerSocketChannel server;
    private final Watchdog watchdog;
    private final ConcurrentLinkedQueue<Request> requests = new ConcurrentLinkedQueue<>();
    private final Semaphore free = new Semaphore(MOST_CONNECTIONS);
    private volatile Runnable wakeup = () -> { };

    /** Opens that of a job on several hosts, in a folder of its own. */
    public OperatorSocket() {
        try {
            folder = JobDirectory.create(JobDirectory.base());
            watchdog = new Watchdog(List.of(folder));
        } catch (IOException e) {
            throw cannot("a folder of " + JobDirectory.base(), e);
        }
        socket = folder.resolve(NAME);
        server = open(socket);
    }

    /** Opens that of a job on this machine alone, in a folder of the job that outlives it. */
    public OperatorSocket(Path place) {
        folder = null;
        watchdog = null;
        socket = place.resolve(LOCAL_NAME);
        server = open(socket);
    }

    private ServerSocketChannel open(Path at) {
        try {
            ServerSocketChannel opened = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
            opened.bind(UnixDomainSocketAddress.of(at));
            Thread.ofPlatform().daemon().name("ftrma-operator").start(() -> serve(opened));
            return opened;
        } catch (IOException e) {
            throw cannot(at.getParent().toString(), e);
        }
    }

    private static FtrmaException cannot(String place, IOException e) {
        return new FtrmaException(FtrmaException.Category.SETUP, "cannot make the job's socket in " + place + ": "
            + e.getMessage() + "; set XDG_RUNTIME_DIR to a directory of your own", e);
    }

    /** What can be asked for. */
    public enum Verb {
        /** That the job leaves a host. */
        DRAIN("drain", " HOST"),
        /** A checkpoint. */
        CHECKPOINT("checkpoint", "");

        private final String word;
        private final String argument;

        Verb(String word, String argument) {
            this.word = word;
            this.argument = argument;
        }

        private boolean fits(String line) {
            return argument.isEmpty() ? line.equals(word) : line.startsWith(word + " ");
        }

        private static String all() {
            return Arrays.stream(values()).map(verb -> verb.word + verb.argument).collect(Collectors.joining(", "));
        }
    }

    /** What somebody asks for. Its answers may come from any thread. */
    public static final class Request {
        private final SocketChannel channel;
        private final Verb verb;
        private final String argument;
        private final Semaphore over = new Semaphore(0);

        Request(SocketChannel channel, Verb verb, String argument) {
            this.channel = channel;
            this.verb = verb;
            this.argument = argument;
        }

        /** What it is. */
        public Verb verb() {
            return verb;
        }

        /** The host that is to be left. */
        public String host() {
            return argument;
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

    private void serve(ServerSocketChannel opened) {
        while (opened.isOpen()) {
            try {
                free.acquireUninterruptibly();
                SocketChannel channel = opened.accept();
                Thread.ofVirtual().start(() -> hear(channel));
            } catch (IOException e) {
                return; // it was closed
            }
        }
    }

    private void hear(SocketChannel channel) {
        try (channel) {
            String line = line(Channels.newInputStream(channel));
            Verb verb = Arrays.stream(Verb.values()).filter(one -> one.fits(line)).findFirst().orElse(null);
            if (verb == null) {
                say(channel, "refused there is no such request; there are: " + Verb.all());
                return;
            }
            Request request = new Request(channel, verb, line.substring(Math.min(line.length(),
                verb.word.length() + 1)));
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
            Files.deleteIfExists(socket);
            JobDirectory.delete(folder);
        } catch (IOException | FtrmaException e) {
            Thread.onSpinWait(); // the watchdog has it, or who made the place
            return;
        }
        if (watchdog != null) {
            watchdog.close();
        }
    }

    /** The other side: of one job. */
    public record Door(long launcher, Path socket) {
        /** Those of all jobs on several hosts of this user whose launchers run on this machine. */
        public static List<Door> ofHosts() {
            return all().stream().filter(door -> door.socket.endsWith(NAME)).toList();
        }

        /** Those of all jobs of this user whose launchers run on this machine. */
        public static List<Door> all() {
            List<Door> doors = new ArrayList<>();
            List<Path> places = new ArrayList<>(List.of(Path.of("/tmp")));
            if (!JobDirectory.base().equals(places.getFirst())) {
                places.addFirst(JobDirectory.base());
            }
            for (Path place : places) {
                try (DirectoryStream<Path> entries = Files.newDirectoryStream(place, "ftrma-*-*")) {
                    for (Path entry : entries) {
                        for (String name : List.of(NAME, LOCAL_NAME)) {
                            Door door = new Door(pid(entry), entry.resolve(name));
                            if (door.isOpen()) {
                                doors.add(door);
                            }
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
            return ask(Verb.DRAIN.word + " " + host, notes);
        }

        /**
         * Asks for a checkpoint, and returns when it is there, or will not be.
         *
         * @param notes is told what happens meanwhile
         * @return whether it is, and which one, or why not
         */
        public Answer checkpoint(Consumer<String> notes) throws IOException {
            return ask(Verb.CHECKPOINT.word, notes);
        }

        private Answer ask(String request, Consumer<String> notes) throws IOException {
            try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
                channel.write(ByteBuffer.wrap((request + "\n").getBytes(StandardCharsets.UTF_8)));
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
