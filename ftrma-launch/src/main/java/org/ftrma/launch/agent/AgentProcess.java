package org.ftrma.launch.agent;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;
import org.ftrma.FtrmaException;
import org.ftrma.rank.RankLibrary;
import org.ftrma.rank.control.ControlLink;
import org.ftrma.rank.control.ControlPeer;
import org.ftrma.rank.control.HostPlace;
import org.ftrma.rank.control.MachineClock;
import org.ftrma.rank.control.Token;
import org.ftrma.rank.program.ClassPathDigest;

/**
 * The agent of a host as a process: it connects to the launcher, says what the host is, and works until the job is
 * over. One thread.
 */
public final class AgentProcess {
    private static final Path BOOT = Path.of("/proc/sys/kernel/random/boot_id");
    /** In UTF-8 less than a frame takes. */
    private static final int MOST_LIBRARY_CHARACTERS = 256 << 10;

    private AgentProcess() {
    }

    /**
     * Who the agent is, and where it belongs.
     *
     * @param launcher where the launcher waits for agents
     * @param address the one of this host from which the launcher is reached; null: as the system chooses
     * @param token the job's secret
     * @param host the number that the launcher knows the host by; -1: it does not know it yet
     * @param name what the host is called
     * @param slots processes that it is to run at a time, if the job does not know; 0: as many as it has cores
     * @param device the network device that processes of other hosts are reached by; null: the one that the launcher is
     *     reached by
     * @param hostTimeoutNanos so long the launcher waits for a host that is silent
     * @param joinMillis how long the launcher may take to answer
     */
    public record Settings(InetSocketAddress launcher, InetAddress address, Token token, int host, String name,
        int slots, String device, long hostTimeoutNanos, int joinMillis) {
    }

    /** What the places of the library of this process hold. */
    public static ClassPathDigest library() {
        ClassPathDigest library = ClassPathDigest.of(RankLibrary.classPath());
        int characters = library.text().length();
        if (characters > MOST_LIBRARY_CHARACTERS) {
            throw new FtrmaException(FtrmaException.Category.SETUP, "the list of the library's files has " + characters
                + " characters, and may have " + MOST_LIBRARY_CHARACTERS + "; put its classes into jars: "
                + library.classPath());
        }
        return library;
    }

    /**
     * Works for the job, and leaves nothing behind.
     *
     * @param joined is told of the work before it begins
     * @throws FtrmaException of category SETUP if there is no launcher, or the host lacks something
     */
    public static AgentLoop.End run(Settings settings, Consumer<AgentLoop> joined) {
        ControlLink control;
        try {
            control = new ControlLink(settings.launcher(), settings.address(), settings.token(), settings.host() < 0
                ? ControlPeer.newAgent(new SecureRandom()) : ControlPeer.agent(settings.host()),
                settings.joinMillis());
        } catch (BindException e) {
            throw new FtrmaException(FtrmaException.Category.SETUP, "--address="
                + settings.address().getHostAddress() + ": this host has no such address (" + e.getMessage() + ")", e);
        } catch (IOException e) {
            throw new FtrmaException(FtrmaException.Category.SETUP, "cannot join the job at "
                + settings.launcher().getAddress().getHostAddress() + ":" + settings.launcher().getPort() + ": "
                + e.getMessage() + "; is its launcher alive, and reached from here by that address?", e);
        }
        try (Link link = new Link(control)) {
            InetAddress here = control.localAddress();
            HostPlace place = new HostPlace(settings.device() == null ? deviceOf(here) : checked(settings.device()),
                new SecureRandom().nextLong() | 1);
            LeftPlaces.remove();
            LocalAgent local = new LocalAgent(place, MachineClock.HERE);
            HostFacts facts = new HostFacts(settings.name(), place.identity(), Files.readString(BOOT).strip(),
                here.getHostAddress(), place.device(), Surroundings.switches(System.getenv()), local.room(),
                System.getProperty("java.runtime.version"), library(), settings.slots(), addressesOf(place.device()));
            AgentLoop loop = new AgentLoop(link, local, settings.token(), settings.hostTimeoutNanos());
            joined.accept(loop);
            AgentLoop.End end = loop.run(facts);
            if (end == AgentLoop.End.REFUSED) {
                throw new FtrmaException(FtrmaException.Category.SETUP, "the job does not take this host: "
                    + loop.refusal());
            }
            return end;
        } catch (IOException e) {
            throw new FtrmaException(FtrmaException.Category.SETUP, "this host cannot take part: " + e.getMessage(),
                e);
        }
    }

    private static String deviceOf(InetAddress address) throws IOException {
        // The loopback device has all loopback addresses, and names one of them.
        NetworkInterface device = NetworkInterface.getByInetAddress(address.isLoopbackAddress()
            ? InetAddress.getLoopbackAddress() : address);
        if (device == null) {
            throw new IOException("no network device has the address " + address.getHostAddress()
                + " by which the launcher is reached; name one with --device");
        }
        return device.getName();
    }

    private static List<String> addressesOf(String device) throws IOException {
        return NetworkInterface.getByName(device).inetAddresses().map(address ->
            address.getHostAddress().replaceFirst("%.*", "")).toList();
    }

    private static String checked(String device) throws IOException {
        if (NetworkInterface.getByName(device) == null) {
            throw new IOException("--device=" + device + ": there is no such network device; there are "
                + NetworkInterface.networkInterfaces().map(NetworkInterface::getName).sorted().toList());
        }
        return device;
    }

    /** The agent's end of its connection; a thread of its own sends, so that who says something never waits. */
    private static final class Link implements AgentLink, ControlLink.Hearer {
        private static final byte[] END = {};
        private final ControlLink control;
        private final ConcurrentLinkedQueue<byte[]> frames = new ConcurrentLinkedQueue<>();
        private final LinkedBlockingQueue<byte[]> sent = new LinkedBlockingQueue<>();
        private volatile Runnable wakeup = () -> { };
        private volatile String over;

        Link(ControlLink control) {
            this.control = control;
            control.start("ftrma-agent-link", this);
            Thread.ofPlatform().daemon().name("ftrma-agent-send").start(this::sendAll);
        }

        private void sendAll() {
            try {
                for (byte[] frame = sent.take(); frame != END; frame = sent.take()) {
                    control.send(frame);
                }
                control.close();
            } catch (IOException e) {
                // Whoever receives is told that the connection is over.
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        @Override
        public void received(byte[] payload) {
            frames.add(payload);
            wakeup.run();
        }

        @Override
        public void lost(String why, boolean closed) {
            over = why;
            wakeup.run();
        }

        @Override
        public void send(byte[] frame) {
            sent.add(frame);
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
            return control.heardNanos();
        }

        @Override
        public void whenHeard(Runnable run) {
            wakeup = run;
        }

        /** What was said before is sent yet, for as long as the launcher takes it. */
        @Override
        public void close() {
            sent.add(END);
        }
    }
}
