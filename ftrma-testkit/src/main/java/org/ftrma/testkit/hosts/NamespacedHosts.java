package org.ftrma.testkit.hosts;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.ftrma.FtrmaException;
import org.ftrma.MisuseException;

/**
 * Several hosts on one machine, made of namespaces: each has its own network with a device {@code eth0}, its own shared
 * memory, processes, name, and place for temporary files, and sees all other files of the machine by the same paths. A
 * switch joins them, also in a namespace: nothing of the machine's own network is touched or reached.
 *
 * <pre>
 *  try (NamespacedHosts hosts = NamespacedHosts.of(3)) {
 *      Process program = hosts.run(2, List.of("java", …));
 *      hosts.powerOff(2);
 *  }
 * </pre>
 *
 * <p>The hosts are numbered from 1, and named h1, h2, …; {@link #LOGIN} is one more, from which a launcher reaches all
 * others. Each knows the names of all. Any number of such objects do not disturb each other. All is gone when one is
 * closed, and also when the process that made it has ended, however: there are no names of namespaces, and what is
 * mounted is seen on the hosts only.
 *
 * <p>Needs root and a few programs: {@link #whyNot} tells. Any thread; one call is carried out at a time, and has had
 * its effect when it returns.
 */
public final class NamespacedHosts implements AutoCloseable {
    /** The number of the host for people and launchers, named login. */
    public static final int LOGIN = 0;
    /** So many hosts at most. */
    public static final int MAX = 200;
    private static final String NETWORK = "10.77.0.";
    private static final int LOGIN_ADDRESS = 250;
    private static final int SHELL_PORT = 22;

    private final Path folder;
    private final HostSwitch hostSwitch;
    private final List<NamespacedHost> hosts = new ArrayList<>();
    private final Set<Integer> unplugged = new TreeSet<>();
    private boolean closed;

    private NamespacedHosts(int count) throws IOException {
        folder = Files.createTempDirectory(Path.of("/tmp"), "ftrma-hosts-" + ProcessHandle.current().pid() + "-",
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        Files.createDirectory(folder.resolve("own"));
        StringBuilder names = new StringBuilder("127.0.0.1 localhost\n");
        for (int i = 0; i <= count; i++) {
            names.append(NETWORK).append(i == LOGIN ? LOGIN_ADDRESS : i).append(' ').append(nameOf(i)).append('\n');
        }
        Files.writeString(folder.resolve("names"), names);
        hostSwitch = new HostSwitch(folder);
        try {
            for (int i = 0; i <= count; i++) {
                hosts.add(new NamespacedHost(i, nameOf(i), NETWORK + (i == LOGIN ? LOGIN_ADDRESS : i), folder,
                    hostSwitch));
                hosts.get(i).switchOn();
            }
            hosts.forEach(NamespacedHost::awaitReady);
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    private static String nameOf(int host) {
        return host == LOGIN ? "login" : "h" + host;
    }

    /**
     * Makes hosts, and switches them on.
     *
     * @param count besides {@link #LOGIN}: 1 to {@link #MAX}
     */
    public static NamespacedHosts of(int count) {
        if (count < 1 || count > MAX) {
            throw new MisuseException("count=" + count + ": there can be 1 to " + MAX + " hosts");
        }
        if (!whyNot().isEmpty()) {
            throw new FtrmaException(FtrmaException.Category.SETUP, whyNot());
        }
        try {
            return new NamespacedHosts(count);
        } catch (IOException e) {
            throw new FtrmaException(FtrmaException.Category.SETUP, "cannot make hosts: " + e.getMessage(), e);
        }
    }

    /** Why there cannot be such hosts on this machine, with what helps; empty if there can. Tried once in a process. */
    public static String whyNot() {
        return HostRequirements.whyNot();
    }

    private NamespacedHost host(int host) {
        if (host < 0 || host >= hosts.size()) {
            throw new MisuseException("host=" + host + ": there are hosts 0 (login) to " + (hosts.size() - 1));
        }
        if (closed) {
            throw new MisuseException("host=" + host + ": these hosts were closed");
        }
        return hosts.get(host);
    }

    /** Where the files are that hosts are made with. */
    Path folder() {
        return folder;
    }

    /** How many there are, besides {@link #LOGIN}. */
    public synchronized int count() {
        return hosts.size() - 1;
    }

    /** Its IPv4 address. */
    public synchronized String address(int host) {
        return host(host).address();
    }

    /** Its name, as it knows itself and as all others know it. */
    public synchronized String name(int host) {
        return host(host).name();
    }

    // ---- processes ----

    /**
     * Starts a process on a host, with pipes, in the folder of this process and with its environment, but for
     * XDG_RUNTIME_DIR, TMPDIR and HOSTNAME. Signals by way of the {@link Process} reach it; {@link Process#pid} is its
     * number on this machine. It is killed if this process ends.
     */
    public Process run(int host, List<String> command) {
        return run(host, command, builder -> { });
    }

    /** @param shaping may set environment, folder and streams */
    public synchronized Process run(int host, List<String> command, Consumer<ProcessBuilder> shaping) {
        return host(host).run(command, shaping);
    }

    /** What runs on a host now. */
    public synchronized List<RunningProcess> processes(int host) {
        return host(host).processes();
    }

    /** Files in /dev/shm of a host, and its segments of System V. */
    public synchronized List<String> sharedMemory(int host) {
        return host(host).sharedMemory();
    }

    /** Files in XDG_RUNTIME_DIR of a host, which is its own. */
    public synchronized List<String> temporaryFiles(int host) {
        return host(host).temporaryFiles();
    }

    /**
     * All that hosts have which they had not in the beginning, for people: what was done to them and not undone,
     * processes, shared memory, temporary files. Empty: somebody else may have them.
     */
    public synchronized List<String> remains() {
        List<String> remains = new ArrayList<>(hostSwitch.rules().faults());
        unplugged.forEach(host -> remains.add(name(host) + " is unplugged"));
        for (NamespacedHost host : hosts) {
            remains.addAll(host.faults());
            host.processes().forEach(process -> remains.add(host.name() + ": " + process));
            host.sharedMemory().forEach(memory -> remains.add(host.name() + ": " + memory + " in shared memory"));
            host.temporaryFiles().forEach(file -> remains.add(host.name() + ": " + file + " among temporary files"));
        }
        return remains;
    }

    // ---- hosts that fail ----

    /**
     * Kills all processes of a host at the same time. Its kernel goes on: it closes their connections, which others
     * hear of, refuses new ones, and keeps what is in shared memory. New processes can be run.
     */
    public synchronized void kill(int host) {
        host(host).kill();
    }

    /** Takes the power from a host: nobody hears anything of it any more. */
    public synchronized void powerOff(int host) {
        NamespacedHost lost = host(host);
        hostSwitch.run("ip link set v" + host + " down 2>/dev/null || true");
        lost.switchOff();
    }

    /** Switches a host on again, after switching it off if it is on: without processes, shared memory and files. */
    public synchronized void restart(int host) {
        host(host).restart();
        unplugged.remove(host);
    }

    /** Stops all processes of a host, until it is {@linkplain #thaw thawed}; its kernel goes on. */
    public synchronized void freeze(int host) {
        host(host).freeze();
    }

    /** Lets all processes of a host go on. */
    public synchronized void thaw(int host) {
        host(host).thaw();
    }

    // ---- links that fail ----

    /** Pulls a host's plug: both ends see that there is no carrier. */
    public synchronized void unplug(int host) {
        host(host);
        hostSwitch.link(host, false);
        unplugged.add(host);
    }

    /** Puts the plug in again. */
    public synchronized void plug(int host) {
        host(host);
        hostSwitch.link(host, true);
        unplugged.remove(host);
    }

    /** Drops all packets from and to a host, while its link stays up. */
    public synchronized void mute(int host) {
        host(host);
        hostSwitch.rules().mute(host);
        hostSwitch.applyRules();
    }

    /** Ends {@link #mute}. */
    public synchronized void unmute(int host) {
        host(host);
        hostSwitch.rules().unmute(host);
        hostSwitch.applyRules();
    }

    /** Drops the packets that one host sends to another one; the other direction goes on. */
    public synchronized void block(int from, int to) {
        host(from);
        host(to);
        hostSwitch.rules().block(from, to);
        hostSwitch.applyRules();
    }

    /** Ends {@link #block}. */
    public synchronized void unblock(int from, int to) {
        host(from);
        host(to);
        hostSwitch.rules().unblock(from, to);
        hostSwitch.applyRules();
    }

    /** Drops all packets between the hosts of one side and those of another one. */
    public synchronized void split(List<Integer> side, List<Integer> otherSide) {
        for (int one : side) {
            for (int other : otherSide) {
                host(one);
                host(other);
                if (one == other) {
                    throw new MisuseException("host=" + one + ": it is on both sides");
                }
            }
        }
        side.forEach(one -> otherSide.forEach(other -> hostSwitch.rules().split(one, other)));
        hostSwitch.applyRules();
    }

    /** Ends every {@link #split}. */
    public synchronized void heal() {
        hostSwitch.rules().heal();
        hostSwitch.applyRules();
    }

    /**
     * Drops some packets from and to a host, at random.
     *
     * @param percent of them, 0 to 100; 0: none any more
     */
    public synchronized void lossy(int host, int percent) {
        host(host);
        if (percent < 0 || percent > 100) {
            throw new MisuseException("percent=" + percent + ": must be 0 to 100");
        }
        hostSwitch.rules().lose(host, percent);
        hostSwitch.applyRules();
    }

    /**
     * Limits what a host sends and what it gets.
     *
     * @param kilobitsPerSecond at least 8; 0: no limit any more
     */
    public synchronized void slow(int host, int kilobitsPerSecond) {
        NamespacedHost limited = host(host);
        if (kilobitsPerSecond != 0 && kilobitsPerSecond < 8) {
            throw new MisuseException("kilobitsPerSecond=" + kilobitsPerSecond + ": must be 8 at least, or 0");
        }
        limited.limit(kilobitsPerSecond == 0 ? null : kilobitsPerSecond + "kbit");
    }

    // ---- remote shells ----

    /**
     * A program to be used as ssh is: {@code PROGRAM [options] HOST COMMAND…} runs the command by a shell on that host,
     * passes standard input, output and error on, and ends with the command's status, or with 255 if the host cannot be
     * reached. It works on every host, {@link #LOGIN} by all means, and goes through their network. A host whose
     * processes were killed refuses it, until it is restarted. Of ssh's options ConnectTimeout has an effect.
     */
    public synchronized Path remoteShell() {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        List<String> jvm = List.of(java, "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:-UsePerfData", "-Xmx64m",
            "-cp", classes());
        List<NamespacedHost> fresh = new ArrayList<>();
        for (NamespacedHost host : hosts) {
            if (host.isOn() && !host.servesShells()) {
                List<String> server = new ArrayList<>(jvm);
                server.addAll(List.of(RemoteShellServer.class.getName(), host.address(), Integer.toString(SHELL_PORT)));
                host.serveShells(server);
                fresh.add(host);
            }
        }
        fresh.forEach(NamespacedHost::awaitShells);
        Path script = folder.resolve("remote-shell");
        try {
            Files.writeString(script, "#!/bin/sh\nexec '" + String.join("' '", jvm) + "' "
                + RemoteShell.class.getName() + " " + SHELL_PORT + " \"$@\"\n");
            Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwx------"));
            return script;
        } catch (IOException e) {
            throw new FtrmaException(FtrmaException.Category.FATAL, "cannot write " + script + ": " + e.getMessage(),
                e);
        }
    }

    /** Where the classes of this package are loaded from. */
    private static String classes() {
        try {
            return Path.of(NamespacedHosts.class.getProtectionDomain().getCodeSource().getLocation().toURI())
                .toString();
        } catch (URISyntaxException e) {
            throw new FtrmaException(FtrmaException.Category.FATAL, "where classes are is no path: " + e.getMessage(),
                e);
        }
    }

    /** Ends all processes and hosts; nothing is left. */
    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            hostSwitch.close();
            hosts.forEach(NamespacedHost::awaitStarted);
        }
    }
}
