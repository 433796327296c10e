package org.ftrma.launch.control;

import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Properties;
import java.util.Set;
import org.ftrma.FtrmaException;

/**
 * What a process must know to join its job, in a file that only its owner can read.
 *
 * @param port the launcher's port on the loopback interface
 * @param token the job's secret
 * @param launcherPid the process without which this job ends
 * @param oversubscribed whether the job has more computing ranks than the machine has cores: checksum ranks and spares sleep most of the time
 * @param sharing whether it has more computing and checksum ranks than cores
 * @param joinMillis how long the launcher may take to answer one of so many processes
 */
public record JobFile(int port, Token token, long launcherPid, boolean oversubscribed, boolean sharing, int joinMillis) {
    private static final String NAME = "job.properties";

    /** Writes the file into the job's directory. */
    public void write(Path directory) throws IOException {
        Properties properties = new Properties();
        properties.setProperty("port", Integer.toString(port));
        properties.setProperty("token", token.text());
        properties.setProperty("launcherPid", Long.toString(launcherPid));
        properties.setProperty("oversubscribed", Boolean.toString(oversubscribed));
        properties.setProperty("sharing", Boolean.toString(sharing));
        properties.setProperty("joinMillis", Integer.toString(joinMillis));
        StringWriter text = new StringWriter();
        properties.store(text, null);
        Path file = directory.resolve(NAME);
        Set<StandardOpenOption> create = EnumSet.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        try (var channel = Files.newByteChannel(file, create,
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")))) {
            channel.write(java.nio.ByteBuffer.wrap(text.toString().getBytes(java.nio.charset.StandardCharsets.ISO_8859_1)));
        }
    }

    /** Reads the file of the job's directory. */
    public static JobFile read(Path directory) {
        Path file = directory.resolve(NAME);
        try {
            Properties properties = new Properties();
            properties.load(new StringReader(Files.readString(file)));
            return new JobFile(Integer.parseInt(properties.getProperty("port")), Token.parse(properties.getProperty("token")),
                Long.parseLong(properties.getProperty("launcherPid")), Boolean.parseBoolean(properties.getProperty("oversubscribed")),
                Boolean.parseBoolean(properties.getProperty("sharing")), Integer.parseInt(properties.getProperty("joinMillis")));
        } catch (IOException | IllegalArgumentException | NullPointerException e) {
            throw new FtrmaException(FtrmaException.Category.FATAL, "cannot read the job's file " + file + ": " + e.getMessage(), e);
        }
    }
}
