package org.ftrma.testkit.hosts;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.ftrma.FtrmaException;

/**
 * A real Slurm on {@link NamespacedHosts}: its controller on {@link NamespacedHosts#LOGIN}, a daemon on each other
 * host, and munge on all. A node has two processors; the first half of them is below switch s1, and the others are
 * below s2. A node of which nothing is heard is down after some ten seconds. All daemons end with the hosts. One
 * thread.
 */
public final class SlurmHosts {
    /** A program, and Debian's package that has it. */
    private static final List<String[]> PROGRAMS = List.of(new String[] {"munged", "munge"},
        new String[] {"slurmctld", "slurmctld"}, new String[] {"slurmd", "slurmd"}, new String[] {"srun",
            "slurm-client"});
    private static final List<String> DAEMONS = List.of("munged", "slurmctld", "slurmd", "slurmstepd", "slurmscriptd");
    private static final int KEY_BYTES = 1024;
    private static final long SECONDS = 60;

    private final NamespacedHosts hosts;
    private final Path folder;
    private final String hierarchy;

    /**
     * Starts it, and waits until all nodes are idle.
     *
     * @param hosts must have no Slurm yet
     */
    public SlurmHosts(NamespacedHosts hosts) {
        this.hosts = hosts;
        this.folder = hosts.folder().resolve("slurm");
        this.hierarchy = ProcFiles.read(Path.of("/proc/self/cgroup")).contains("freezer:") ? "v1" : "v2";
        if (!whyNot().isEmpty()) {
            throw new FtrmaException(FtrmaException.Category.SETUP, whyNot());
        }
        try {
            write();
        } catch (IOException e) {
            throw new FtrmaException(FtrmaException.Category.SETUP, "Slurm's files cannot be written: "
                + e.getMessage(), e);
        }
        for (int host = 0; host <= hosts.count(); host++) {
            start(host);
        }
        awaitIdle();
    }

    /** Waits until all nodes are up, and no job has one. */
    public void awaitIdle() {
        ProcFiles.await(() -> output(NamespacedHosts.LOGIN, "sinfo", "-h", "-o", "%D %t").strip()
            .equals(hosts.count() + " idle"), SECONDS, () -> "all nodes of Slurm to be idle: "
            + output(NamespacedHosts.LOGIN, "sinfo", "-N") + ProcFiles.read(folder.resolve("controller.log")));
    }

    /** Why there cannot be a Slurm on such hosts here, with what helps; empty if there can. */
    public static String whyNot() {
        List<String> missing = new ArrayList<>();
        List<String> packages = new ArrayList<>();
        String path = path(System.getenv("PATH"));
        for (String[] program : PROGRAMS) {
            if (!HostRequirements.isOn(path, program[0])) {
                missing.add(program[0]);
                packages.add(program[1]);
            }
        }
        return !NamespacedHosts.whyNot().isEmpty() ? NamespacedHosts.whyNot() : missing.isEmpty() ? ""
            : "a Slurm of a test's own needs " + String.join(", ", missing) + ", not found in " + path
                + "; install: apt-get install -y " + String.join(" ", packages);
    }

    /** Daemons are where not everybody looks for programs. */
    private static String path(String given) {
        return (given == null ? "" : given + ":") + "/usr/local/sbin:/usr/sbin:/sbin";
    }

    private void write() throws IOException {
        for (String part : List.of("", "munge", "state")) {
            Files.createDirectory(folder.resolve(part), PosixFilePermissions.asFileAttribute(
                PosixFilePermissions.fromString("rwxr-xr-x")));
        }
        byte[] key = new byte[KEY_BYTES];
        new SecureRandom().nextBytes(key);
        Files.createFile(folder.resolve("key"), PosixFilePermissions.asFileAttribute(
            PosixFilePermissions.fromString("rw-------")));
        Files.write(folder.resolve("key"), key);
        Files.writeString(folder.resolve("slurm.conf"), resource("slurm.conf").replace("@FOLDER@", folder.toString())
            .replace("@COUNT@", Integer.toString(hosts.count())));
        Files.writeString(folder.resolve("cgroup.conf"), "CgroupPlugin=cgroup/" + hierarchy + "\nIgnoreSystemd=yes\n");
        int half = (hosts.count() + 1) / 2;
        Files.writeString(folder.resolve("topology.conf"), "SwitchName=s1 Nodes=h[1-" + half + "]\n"
            + (half < hosts.count() ? "SwitchName=s2 Nodes=h[" + (half + 1) + "-" + hosts.count() + "]\n" : "")
            + "SwitchName=top Switches=s[1-" + (half < hosts.count() ? 2 : 1) + "]\n");
        Files.writeString(folder.resolve("slurm-host.sh"), resource("slurm-host.sh"));
        for (int host = 1; host <= hosts.count(); host++) {
            Files.createDirectory(folder.resolve("spool-" + hosts.name(host)));
        }
    }

    private static String resource(String name) throws IOException {
        try (InputStream text = SlurmHosts.class.getResourceAsStream(name)) {
            return new String(text.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /** Starts the daemons of a host: in the beginning, and after {@link NamespacedHosts#restart}. */
    public void start(int host) {
        String name = hosts.name(host);
        require(host, "/bin/sh", folder.resolve("slurm-host.sh").toString(), folder.toString(), hierarchy);
        daemon(host, "munged", "--foreground", "--force", "--key-file=" + folder.resolve("key"), "--socket="
            + folder.resolve("munge/socket"), "--pid-file=" + folder.resolve("munge/pid"), "--log-file="
            + folder.resolve("munge/log"), "--seed-file=" + folder.resolve("munge/seed"));
        ProcFiles.await(() -> output(host, "ls", folder.resolve("munge").toString()).contains("socket"), SECONDS,
            () -> "munge on " + name + ": " + output(host, "cat", folder.resolve("munge/log").toString())
                + ProcFiles.read(folder.resolve(name + ".munged.out")));
        if (host == NamespacedHosts.LOGIN) {
            daemon(host, "slurmctld", "-D");
        } else {
            daemon(host, "slurmd", "-D", "-N", name);
        }
    }

    private void daemon(int host, String... command) {
        Path out = folder.resolve(hosts.name(host) + "." + command[0] + ".out");
        hosts.run(host, List.of(command), builder -> {
            environment(builder);
            builder.redirectErrorStream(true).redirectOutput(out.toFile());
        });
    }

    private void environment(ProcessBuilder builder) {
        builder.environment().put("SLURM_CONF", folder.resolve("slurm.conf").toString());
        builder.environment().put("PATH", path(builder.environment().get("PATH")));
    }

    /** Starts a command of Slurm on a host. */
    public Process run(int host, Path workingFolder, List<String> command) {
        return hosts.run(host, command, builder -> {
            environment(builder);
            builder.directory(workingFolder.toFile());
        });
    }

    /** What a command on a host printed, whatever its status. */
    public String output(int host, String... command) {
        try {
            Process process = hosts.run(host, List.of(command), builder -> {
                environment(builder);
                builder.redirectErrorStream(true);
            });
            process.getOutputStream().close();
            String told = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (!process.waitFor(SECONDS, TimeUnit.SECONDS)) {
                throw new FtrmaException(FtrmaException.Category.FATAL, String.join(" ", command)
                    + " did not end within " + SECONDS + " s");
            }
            return told;
        } catch (IOException e) {
            throw new FtrmaException(FtrmaException.Category.FATAL, command[0] + ": " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new FtrmaException(FtrmaException.Category.FATAL, "interrupted in " + command[0], e);
        }
    }

    private void require(int host, String... command) {
        String told = output(host, command);
        if (!told.isEmpty()) {
            throw new FtrmaException(FtrmaException.Category.SETUP, hosts.name(host) + " cannot have Slurm: " + told);
        }
    }

    /** What runs on a host, but for Slurm's own daemons. */
    public List<RunningProcess> processes(int host) {
        return hosts.processes(host).stream().filter(process -> DAEMONS.stream().noneMatch(daemon ->
            process.command().startsWith(daemon) || process.command().contains("/" + daemon + " "))).toList();
    }
}
