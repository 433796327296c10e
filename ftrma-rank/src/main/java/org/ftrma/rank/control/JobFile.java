package org.ftrma.rank.control;

import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Properties;
import java.util.Set;
import org.ftrma.FtrmaException;

/**
 * File, readable only by its owner, with all that a process needs to join its job and to be ready for a role.
 * Immutable; any thread.
 *
 * @param launcher where the launcher listens
 * @param lifelines the port of this host where lifelines end
 * @param token the job's secret
 * @param launcherPid the process without which this job ends
 * @param joinMillis how long the launcher may take to answer one of so many processes
 * @param place where its processes are
 * @param counters the directory in which each process keeps its counters
 * @param rank what it must know besides
 */
public record JobFile(InetSocketAddress launcher, int lifelines, Token token, long launcherPid, int joinMillis,
    HostPlace place, Path counters, RankOptions rank) {
    private static final String NAME = "job.properties";
    /** It is there when the process without which the job ends was told to end. */
    private static final String TOLD = "told";

    /** From now on {@link #isParentTold} in the job's directory. Any thread. */
    public static void tell(Path directory) throws IOException {
        Files.write(directory.resolve(TOLD), new byte[0]);
    }

    /**
     * Whether the process without which the job ends was told to end, and sees to that: what its processes are told
     * then by the same signal is not for them.
     */
    public static boolean isParentTold(Path directory) {
        return Files.exists(directory.resolve(TOLD));
    }

    /** Writes the file into the job's directory. */
    public void write(Path directory) throws IOException {
        Properties properties = new Properties();
        properties.setProperty("address", launcher.getAddress().getHostAddress());
        properties.setProperty("port", Integer.toString(launcher.getPort()));
        properties.setProperty("lifelines", Integer.toString(lifelines));
        properties.setProperty("token", token.text());
        properties.setProperty("launcherPid", Long.toString(launcherPid));
        properties.setProperty("joinMillis", Integer.toString(joinMillis));
        properties.setProperty("device", place.device());
        properties.setProperty("host", Long.toUnsignedString(place.identity()));
        properties.setProperty("counters", counters.toString());
        rank.write(properties);
        StringWriter text = new StringWriter();
        properties.store(text, null);
        Path file = directory.resolve(NAME);
        Set<StandardOpenOption> create = EnumSet.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        try (var channel = Files.newByteChannel(file, create,
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")))) {
            ByteBuffer bytes = StandardCharsets.UTF_8.encode(text.toString());
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
        }
    }

    /** Reads the file of the job's directory. */
    public static JobFile read(Path directory) {
        Path file = directory.resolve(NAME);
        try {
            Properties properties = new Properties();
            properties.load(new StringReader(Files.readString(file)));
            InetSocketAddress launcher = new InetSocketAddress(
                InetAddress.ofLiteral(RankOptions.text(properties, "address")),
                Integer.parseInt(RankOptions.text(properties, "port")));
            return new JobFile(launcher, Integer.parseInt(RankOptions.text(properties, "lifelines")),
                Token.parse(RankOptions.text(properties, "token")),
                Long.parseLong(RankOptions.text(properties, "launcherPid")),
                Integer.parseInt(RankOptions.text(properties, "joinMillis")),
                new HostPlace(RankOptions.text(properties, "device"),
                    Long.parseUnsignedLong(RankOptions.text(properties, "host"))),
                Path.of(RankOptions.text(properties, "counters")), RankOptions.read(properties));
        } catch (IOException | IllegalArgumentException e) {
            throw new FtrmaException(FtrmaException.Category.FATAL,
                "cannot read the job's file " + file + ": " + e.getMessage(), e);
        }
    }
}
