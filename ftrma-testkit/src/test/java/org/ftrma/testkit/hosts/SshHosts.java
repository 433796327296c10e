package org.ftrma.testkit.hosts;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.ftrma.FtrmaException;

/**
 * A real sshd of OpenSSH on each of several {@link NamespacedHosts}, with keys of its own, and what the real ssh client
 * needs to reach them from {@link NamespacedHosts#LOGIN}. They end when this is closed. One thread.
 */
public final class SshHosts implements AutoCloseable {
    private static final int PORT = 2222;
    private static final long SECONDS = 60;
    /** A program, and Debian's package that has it. */
    private static final List<String[]> PROGRAMS = List.of(new String[] {"ssh", "openssh-client"},
        new String[] {"ssh-keygen", "openssh-client"}, new String[] {"sshd", "openssh-server"});
    /** sshd insists on this folder, which is no affair of the machine's. */
    private static final String OWN_RUN = "mount -t tmpfs tmpfs /run && mkdir -m 755 /run/sshd && exec \"$@\"";

    private final NamespacedHosts hosts;
    private final Path folder;
    private final String program = find("sshd");
    private final List<Process> servers = new ArrayList<>();

    /**
     * Starts a server on each host, and waits for all of them. Each host has a key of its own, which the client knows.
     *
     * @param folder for keys and such; all hosts must see it by this name
     */
    public SshHosts(NamespacedHosts hosts, Path folder) {
        this.hosts = hosts;
        this.folder = folder;
        if (!whyNot().isEmpty()) {
            throw new FtrmaException(FtrmaException.Category.SETUP, whyNot());
        }
        try {
            makeKey("login");
            StringBuilder known = new StringBuilder();
            for (int host = 1; host <= hosts.count(); host++) {
                makeKey(hosts.name(host));
                Files.copy(folder.resolve("login.pub"), welcome(host));
                known.append(known(host, hosts.name(host)));
            }
            Files.writeString(folder.resolve("known"), known);
            Files.writeString(config(), String.join("\n", "Port " + PORT, "User root", "IdentitiesOnly yes",
                "IdentityAgent none", "IdentityFile " + folder.resolve("login"), "GlobalKnownHostsFile /dev/null",
                "UserKnownHostsFile " + folder.resolve("known"), "StrictHostKeyChecking ask", ""));
            for (int host = 1; host <= hosts.count(); host++) {
                serve(host);
            }
            for (int host = 1; host <= hosts.count(); host++) {
                awaitServer(host);
            }
        } catch (IOException e) {
            close();
            throw new FtrmaException(FtrmaException.Category.SETUP, "files of ssh cannot be made: " + e.getMessage(),
                e);
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    /** Why there cannot be such hosts here, with what helps; empty if there can. */
    public static String whyNot() {
        List<String> missing = new ArrayList<>();
        List<String> packages = new ArrayList<>();
        for (String[] one : PROGRAMS) {
            if (find(one[0]) == null) {
                missing.add(one[0]);
                if (!packages.contains(one[1])) {
                    packages.add(one[1]);
                }
            }
        }
        if (!NamespacedHosts.whyNot().isEmpty()) {
            return NamespacedHosts.whyNot();
        }
        if (!missing.isEmpty()) {
            return "hosts with ssh need " + String.join(", ", missing) + ", not found in " + path()
                + "; install: apt-get install -y " + String.join(" ", packages);
        }
        return ProcFiles.read(Path.of("/etc/shadow")).lines().anyMatch(line -> line.startsWith("root:!"))
            ? "hosts with ssh need a user root that is not locked (passwd --status root)" : "";
    }

    /** Servers are where not everybody looks for programs. */
    private static String path() {
        String given = System.getenv("PATH");
        return (given == null ? "" : given + ":") + "/usr/local/sbin:/usr/sbin:/sbin";
    }

    /** A program's whole name, by which sshd wants to be called; null if there is none. */
    private static String find(String program) {
        for (String place : path().split(":")) {
            if (HostRequirements.isOn(place, program)) {
                return Path.of(place, program).toAbsolutePath().toString();
            }
        }
        return null;
    }

    private void makeKey(String name) throws IOException {
        Process made = new ProcessBuilder(find("ssh-keygen"), "-q", "-t", "ed25519", "-N", "", "-C", name, "-f",
            folder.resolve(name).toString()).redirectErrorStream(true).start();
        made.getOutputStream().close();
        String told = new String(made.getInputStream().readAllBytes());
        try {
            if (made.waitFor() != 0) {
                throw new IOException("ssh-keygen: " + told);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted in ssh-keygen", e);
        }
    }

    /** A line of what the client knows: that a host has the key of this name. */
    private String known(int host, String key) throws IOException {
        return "[" + hosts.name(host) + "]:" + PORT + " " + Files.readString(folder.resolve(key + ".pub"));
    }

    /** Whose keys a host accepts. */
    private Path welcome(int host) {
        return folder.resolve("welcome." + hosts.name(host));
    }

    private Path log(int host) {
        return folder.resolve("sshd." + hosts.name(host) + ".log");
    }

    private void serve(int host) {
        String name = hosts.name(host);
        List<String> command = new ArrayList<>(List.of("unshare", "--mount", "--", "/bin/sh", "-c", OWN_RUN, "sshd",
            program, "-D", "-e", "-f", "/dev/null", "-h", folder.resolve(name).toString()));
        for (String option : List.of("ListenAddress=" + hosts.address(host) + ":" + PORT, "PidFile=none",
            "AuthorizedKeysFile=" + welcome(host),
            "StrictModes=no", "PermitRootLogin=prohibit-password", "PasswordAuthentication=no",
            "KbdInteractiveAuthentication=no", "UsePAM=no", "UseDNS=no", "PrintMotd=no",
            "SetEnv=XDG_RUNTIME_DIR=" + hosts.folder().resolve("own") + " TMPDIR=" + hosts.folder().resolve("own"))) {
            command.add("-o");
            command.add(option);
        }
        servers.add(hosts.run(host, command, builder -> builder.redirectErrorStream(true)
            .redirectOutput(log(host).toFile())));
    }

    private void awaitServer(int host) {
        Process server = servers.get(host - 1);
        ProcFiles.await(() -> ProcFiles.read(log(host)).contains("Server listening") || !server.isAlive(), SECONDS,
            () -> "sshd on " + hosts.name(host) + ": " + told(host));
        if (!server.isAlive()) {
            throw new FtrmaException(FtrmaException.Category.SETUP, "sshd on " + hosts.name(host) + " has ended: "
                + told(host));
        }
    }

    /** What a host's server has printed. */
    public String told(int host) {
        return ProcFiles.read(log(host));
    }

    /** A file of options for the client ({@code ssh -F FILE}), by which it reaches all hosts by their names. */
    public Path config() {
        return folder.resolve("config");
    }

    /** From now on the client takes a host for another one: its key is not the one that is known. */
    public void forgeKeyOf(int host) {
        try {
            StringBuilder known = new StringBuilder();
            for (int i = 1; i <= hosts.count(); i++) {
                known.append(known(i, i == host ? "login" : hosts.name(i)));
            }
            Files.writeString(folder.resolve("known"), known);
        } catch (IOException e) {
            throw new FtrmaException(FtrmaException.Category.FATAL, "keys cannot be read: " + e.getMessage(), e);
        }
    }

    /** From now on a host lets nobody in. */
    public void refuseLoginsOn(int host) {
        try {
            Files.delete(welcome(host));
        } catch (IOException e) {
            throw new FtrmaException(FtrmaException.Category.FATAL, "logins cannot be refused: " + e.getMessage(), e);
        }
    }

    /** What runs on a host, but for its server as long as nobody is logged in. */
    public List<RunningProcess> processes(int host) {
        return hosts.processes(host).stream().filter(process -> !process.command().startsWith("sshd: " + program)
            && !process.command().startsWith(program)).toList();
    }

    /** Ends all servers; whoever is logged in goes on until a command ends. */
    @Override
    public void close() {
        servers.forEach(Process::destroyForcibly);
        for (Process server : servers) {
            try {
                if (!server.waitFor(SECONDS, TimeUnit.SECONDS)) {
                    throw new FtrmaException(FtrmaException.Category.FATAL, "an sshd did not end within " + SECONDS
                        + " s");
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
