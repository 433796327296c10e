package org.ftrma.launch.hosts;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.function.Supplier;
import org.ftrma.FtrmaException;
import org.ftrma.launch.agent.RemoteAgent;
import org.ftrma.launch.agent.SharedFile;

/**
 * A directory that all hosts of a job are to see, and the file in it by which that is found out. One thread at a
 * time.
 */
public final class SharedDirectory implements AutoCloseable {
    private static final String PREFIX = ".probe-";

    private final Path place;
    private final Path file;
    private final String digest;

    private SharedDirectory(Path place, Path file, String digest) {
        this.place = place;
        this.file = file;
        this.digest = digest;
    }

    /** One that is to be written to: each host reads what this one has written there, and writes itself. */
    public static SharedDirectory written(Path directory) {
        try {
            Path place = Files.createTempDirectory(directory, PREFIX,
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            Path file = place.resolve("launcher");
            return new SharedDirectory(place, file, SharedFile.write(file));
        } catch (IOException e) {
            throw new FtrmaException(FtrmaException.Category.SETUP, directory + ": nothing can be written there: " + e,
                e);
        }
    }

    /** One that is only read: each host reads a file that is there. */
    public static SharedDirectory read(Path file) {
        try {
            return new SharedDirectory(null, file, SharedFile.digest(file));
        } catch (IOException e) {
            throw new FtrmaException(FtrmaException.Category.SETUP, file + " cannot be read: " + e, e);
        }
    }

    /**
     * Finds out whether all hosts see the same directory as this one. Before they are opened for the job.
     *
     * @param option how its user named it
     * @throws FtrmaException if one does not, with its name and the fix
     */
    public void check(List<Host> hosts, String option) {
        hosts.forEach(host -> ask(host.agent(), host.name()));
        for (Host host : hosts) {
            String why = host.agent().whyNotShared(answer(host.name()));
            if (why != null) {
                throw new FtrmaException(FtrmaException.Category.SETUP, refusal(host.name(), option, why));
            }
        }
    }

    /** Asks one host; {@link #verdict} is next, when it {@linkplain RemoteAgent#isProbed has answered}. */
    void ask(RemoteAgent agent, String host) {
        agent.probe(file, digest, answer(host));
    }

    /** What it has answered, for any thread: why it does not share the directory, or null. */
    Supplier<String> verdict(RemoteAgent agent, String host) {
        return agent.verdict(answer(host));
    }

    /** The same for people. */
    static String refusal(String host, String option, String why) {
        return "host " + host + " does not share the directory of " + option + " with this one: " + why
            + "; it must be on a file system that all hosts have in the same place";
    }

    /** What a host is to write; null: nothing. */
    private Path answer(String host) {
        return place == null ? null : place.resolve("host-" + host.replaceAll("[^A-Za-z0-9.-]", "_"));
    }

    /** Removes what was written. */
    @Override
    public void close() {
        if (place == null) {
            return;
        }
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(place)) {
            for (Path entry : entries) {
                Files.deleteIfExists(entry);
            }
            Files.deleteIfExists(place);
        } catch (IOException e) {
            throw new FtrmaException(FtrmaException.Category.SETUP, place + " cannot be removed: " + e, e);
        }
    }
}
