package org.ftrma.rank.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.ftrma.FtrmaException;
import org.ftrma.rank.program.ClassPathDigest;
import org.ftrma.spi.MemoryShare;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JobFileTest {
    @TempDir
    private Path directory;

    @Test
    void whatIsWrittenIsReadWhateverCharactersItHas() throws IOException {
        List<String> arguments = List.of("--text", "a b\t=#!:\\ \n", "", "\u00e4\u4e16\ud83d\ude00", "--", "-Dx=y");
        ClassPathDigest program = new ClassPathDigest("out:my jars/*", List.of(new ClassPathDigest.Place("out", true,
            List.of(new ClassPathDigest.CodeFile("a\\\nb \u00e9.class", 17, 0xfedcba98L, -5L))),
            new ClassPathDigest.Place("my jars/*", false, List.of())));
        RankOptions rank = new RankOptions("org.example.H\u00e9", arguments, "out:my jars/*", program,
            RankCheck.RACES, 5, 4, 2,
            true, false, new MemoryShare("h\u00f6st", 3, 1, 2));
        Token token = Token.random();
        InetSocketAddress launcher = new InetSocketAddress(InetAddress.ofLiteral("10.20.30.40"), 1234);
        HostPlace place = new HostPlace("eth0", -5);
        Path counters = Path.of("/a dir\u00e9/of=counters");
        new JobFile(launcher, 4321, token, 77, 10_000, place, counters, rank).write(directory);
        JobFile read = JobFile.read(directory);
        assertEquals(rank, read.rank());
        assertEquals(List.of(launcher, 4321, 77L, 10_000),
            List.of(read.launcher(), read.lifelines(), read.launcherPid(), read.joinMillis()));
        assertEquals(token.text(), read.token().text());
        assertEquals(place, read.place());
        assertEquals(Path.of("/a dir\u00e9/of=counters"), read.counters());
        assertFalse(read.rank().isReplacement(4));
        assertTrue(read.rank().isReplacement(5));
        Path file = directory.resolve("job.properties");
        assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
        assertEquals(token.text().length(),
            Files.readString(file).split("token=")[1].lines().findFirst().orElse("").length());
    }

    @Test
    void aFileThatLacksSomethingIsRefused() throws IOException {
        Files.writeString(directory.resolve("job.properties"), "address=127.0.0.1\nport=1\nlifelines=2\n");
        String message = assertThrows(FtrmaException.class, () -> JobFile.read(directory)).getMessage();
        assertTrue(message.contains("job.properties") && message.contains("token is missing"), message);
    }

    /** Two threads of each rank wait there: its own, and the one that serves others. */
    @Test
    void ranksOfAHostSpinOnlyWhereEachHasTwoCores() {
        RankOptions options = new RankOptions("Main", List.of(), "", ClassPathDigest.NONE, RankCheck.NONE, 6, 3, 1,
            true, true);
        assertFalse(options.sharing(new MemoryShare("h", 2, 0, 0), 4).oversubscribed());
        assertTrue(options.sharing(new MemoryShare("h", 2, 0, 0), 3).oversubscribed());
        assertFalse(options.sharing(new MemoryShare("h", 2, 1, 0), 3).sharing());
        assertTrue(options.sharing(new MemoryShare("h", 2, 2, 0), 3).sharing());
    }
}
