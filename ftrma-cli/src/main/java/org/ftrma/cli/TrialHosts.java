package org.ftrma.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.ftrma.launch.agent.Watchdog;
import org.ftrma.testkit.hosts.NamespacedHosts;

/**
 * Several hosts on this machine, to show or to measure something on: made of namespaces where this process may make
 * some; else each is an agent of this machine, whose ranks reach others by the network path only. Numbered from 1. One
 * thread.
 */
public interface TrialHosts extends AutoCloseable {
    /**
     * Makes hosts.
     *
     * @param count at most {@link NamespacedHosts#MAX}
     */
    static TrialHosts make(int count) throws IOException {
        return whyNoNamespaces().isEmpty() ? new OfNamespaces(NamespacedHosts.of(count))
            : OfAgents.in(Files.createTempDirectory("ftrma-trial-"));
    }

    /** Why hosts cannot be made of namespaces here; empty if they can. */
    static String whyNoNamespaces() {
        return NamespacedHosts.whyNot();
    }

    /** Starts a command from which all hosts are reached, with pipes: a launcher. */
    Process launch(List<String> command) throws IOException;

    /** Options by which a launcher reaches the hosts. */
    List<String> options() throws IOException;

    /** The address at which hosts reach a launcher. */
    String launcherAddress();

    /** The name of a host. */
    String name(int host);

    /** A host is gone, without a word. */
    void lose(int host);

    /** A host that was lost can be used again. */
    void restore(int host);

    @Override
    void close();

    /** With networks of their own. */
    record OfNamespaces(NamespacedHosts hosts) implements TrialHosts {
        @Override
        public Process launch(List<String> command) {
            return hosts.run(NamespacedHosts.LOGIN, command);
        }

        @Override
        public List<String> options() {
            return List.of("--shell", hosts.remoteShell().toString(), "--advertise", launcherAddress());
        }

        @Override
        public String launcherAddress() {
            return hosts.address(NamespacedHosts.LOGIN);
        }

        @Override
        public String name(int host) {
            return hosts.name(host);
        }

        @Override
        public void lose(int host) {
            hosts.powerOff(host);
        }

        @Override
        public void restore(int host) {
            hosts.restart(host);
        }

        @Override
        public void close() {
            hosts.close();
        }
    }

    /**
     * Which are killed with their ranks, and whose connections end then. Each has an address of its own, of those that
     * every loopback device has: 127.0.0.2, 127.0.0.3, and so on. Nobody need be root for that.
     */
    record OfAgents(Path directory) implements TrialHosts {
        private static OfAgents in(Path directory) throws IOException {
            Path shell = directory.resolve("shell");
            Files.writeString(shell, "#!/bin/sh\necho $$ > '" + directory + "'/\"$1\"\n"
                + "exec /bin/sh -c \"$2 --address $1\"\n");
            Files.setPosixFilePermissions(shell, PosixFilePermissions.fromString("rwx------"));
            return new OfAgents(directory);
        }

        @Override
        public Process launch(List<String> command) throws IOException {
            return new ProcessBuilder(command).start();
        }

        @Override
        public List<String> options() {
            return List.of("--shell", directory.resolve("shell").toString(), "--advertise", launcherAddress());
        }

        @Override
        public String launcherAddress() {
            return "127.0.0.1";
        }

        @Override
        public String name(int host) {
            return "127.0.0." + (1 + host);
        }

        @Override
        public void lose(int host) {
            try {
                long pid = Long.parseLong(Files.readString(directory.resolve(name(host))).strip());
                ProcessHandle.of(pid).ifPresent(agent -> {
                    // Unlike a host this machine goes on: what cleans up behind an agent is left to its work. Who began
                    // others is killed after them, since they are told to end when it ends.
                    List<ProcessHandle> all = agent.descendants().filter(process -> !Watchdog.is(process)).toList();
                    all.reversed().forEach(ProcessHandle::destroyForcibly);
                    agent.destroyForcibly();
                });
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        /** An agent is started by each launcher anyway. */
        @Override
        public void restore(int host) {
            try {
                Files.delete(directory.resolve(name(host)));
            } catch (NoSuchFileException e) {
                return; // it was never started
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public void close() {
            try (Stream<Path> files = Files.list(directory)) {
                for (Path file : files.toList()) {
                    Files.delete(file);
                }
                Files.delete(directory);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
