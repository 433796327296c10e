package org.ftrma.launch.agent;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.ftrma.rank.control.RankCheck;
import org.ftrma.rank.control.RankOptions;
import org.ftrma.rank.counter.CounterFile;
import org.ftrma.rank.program.ClassPathDigest;
import org.ftrma.spi.MemoryShare;
import org.junit.jupiter.api.Test;

/** Messages between a job and an agent as bytes. */
class AgentCodecTest {
    private static final List<AgentMessage.Request> REQUESTS = List.of(
        new AgentMessage.Open("10.1.2.3", 4711, 30_000, 1L << 35, new RankOptions("org.example.H\u00e9",
            List.of("a b", "", "--"), "out:my jars/*", ClassPathDigest.NONE, RankCheck.RACES, 7, 3, 2, true, false,
            new MemoryShare("h1", 3, 1, 2)),
            new RankJvm(5, 2, List.of("-Xss1m"), null, "/a/cache"), List.of("/b")),
        new AgentMessage.Program("a\nb"), new AgentMessage.Start(7),
        new AgentMessage.Send(8, HostAgent.Signal.STOP), new AgentMessage.AskVitals(9),
        new AgentMessage.FinishOutput(1L << 40), new AgentMessage.KillAll(-1), new AgentMessage.Close(),
        new AgentMessage.Printed(65_536), new AgentMessage.Refuse("no"), new AgentMessage.Crash(),
        new AgentMessage.Echo(Long.MIN_VALUE));
    private static final List<AgentMessage.Event> EVENTS = List.of(
        new AgentMessage.Facts(new HostFacts("h1", -5, "kernel", "10.1.2.4", "eth0", List.of("top", "s1"),
            new HostRoom(64, 1L << 38), "25", new ClassPathDigest("lib/a.jar", List.of(
                new ClassPathDigest.Place("lib/a.jar", true,
                    List.of(new ClassPathDigest.CodeFile("", 9, -7, 5))))), 3, List.of("10.1.2.4", "fe80::1"))),
        new AgentMessage.Opened(null), new AgentMessage.Opened("no room"), new AgentMessage.Started(3, 1L << 33),
        new AgentMessage.NotStarted(4, "why"), new AgentMessage.Dead(new HostAgent.Death(5, 137, "killed", null, true)),
        new AgentMessage.Dead(new HostAgent.Death(5, -1, "\u4e16", "in step 3", false)),
        new AgentMessage.Vitals(6, null), new AgentMessage.Vitals(6, new ProcessVitals('T', 20_000_000)),
        new AgentMessage.Broken(8, "pipe"), new AgentMessage.OutputFinished(false),
        new AgentMessage.Killed(List.of(1, 2, 3)), new AgentMessage.Killed(List.of()), new AgentMessage.Beat(9, 10),
        new AgentMessage.Leaving("SIGTERM"), new AgentMessage.Stuck("10.1.2.5", 3));

    @Test
    void whatIsReadIsWhatWasWritten() throws AgentCodec.MalformedException {
        for (AgentMessage.Request request : REQUESTS) {
            assertEquals(request, AgentCodec.request(AgentCodec.encode(request)));
        }
        for (AgentMessage.Event event : EVENTS) {
            assertEquals(event, AgentCodec.event(AgentCodec.encode(event)));
        }
        byte[] piece = {1, 0, -1};
        AgentMessage.Counted counted = (AgentMessage.Counted) AgentCodec.event(AgentCodec.encode(
            new AgentMessage.Counted(5, piece)));
        assertArrayEquals(piece, counted.counters());
        assertEquals(5, counted.process());
        AgentMessage.Line line = (AgentMessage.Line) AgentCodec.event(AgentCodec.encode(new AgentMessage.Line(7, true,
            false, piece)));
        assertArrayEquals(piece, line.piece());
        assertEquals(List.of(7, true, false), List.of(line.process(), line.isError(), line.ends()));
    }

    /** Agents and launchers of one version speak to each other: the bytes of frames are part of it. */
    @Test
    void framesAreTheSameBytesAsEver() throws NoSuchAlgorithmException {
        MessageDigest digest = MessageDigest.getInstance("SHA-256");
        REQUESTS.forEach(request -> digest.update(AgentCodec.encode(request)));
        EVENTS.forEach(event -> digest.update(AgentCodec.encode(event)));
        byte[] piece = {1, 0, -1};
        for (AgentMessage message : List.of(new AgentMessage.Probe("/a/f", "d", null), new AgentMessage.Probed(null,
            "e"), new AgentMessage.Counted(5, piece), new AgentMessage.Line(7, true, false, piece))) {
            digest.update(AgentCodec.encode(message));
        }
        assertEquals("70b52b50528ba3fb0c4502bc500f3857c7376a792cafe0c5d48077dedbb080eb",
            HexFormat.of().formatHex(digest.digest()));
    }

    @Test
    void aFrameThatIsCutOrGoesOnIsRefused() {
        List<AgentMessage> all = new ArrayList<>(REQUESTS);
        all.addAll(EVENTS);
        for (AgentMessage message : all) {
            byte[] frame = AgentCodec.encode(message);
            for (int length = 0; length < frame.length; length++) {
                byte[] cut = Arrays.copyOf(frame, length);
                assertThrows(AgentCodec.MalformedException.class, () -> read(message, cut), message::toString);
            }
            byte[] longer = Arrays.copyOf(frame, frame.length + 1);
            assertThrows(AgentCodec.MalformedException.class, () -> read(message, longer), message::toString);
        }
    }

    private static AgentMessage read(AgentMessage like, byte[] frame) throws AgentCodec.MalformedException {
        return like instanceof AgentMessage.Request ? AgentCodec.request(frame) : AgentCodec.event(frame);
    }

    @Test
    void aLengthBeyondTheFrameTakesNoMemory() {
        byte[] frame = AgentCodec.encode(new AgentMessage.NotStarted(4, "why"));
        Arrays.fill(frame, 8, 12, (byte) 0x7f);
        String message = assertThrows(AgentCodec.MalformedException.class, () -> AgentCodec.event(frame)).getMessage();
        assertTrue(message.contains("a length of " + 0x7f7f7f7f), message);
    }

    @Test
    void countersAreNotLongerThanAFileOfThemMayBe() throws AgentCodec.MalformedException {
        byte[] most = new byte[CounterFile.MOST_BYTES];
        AgentCodec.event(AgentCodec.encode(new AgentMessage.Counted(5, most)));
        byte[] frame = AgentCodec.encode(new AgentMessage.Counted(5, new byte[most.length + 1]));
        String message = assertThrows(AgentCodec.MalformedException.class, () -> AgentCodec.event(frame)).getMessage();
        assertEquals("counters of 65537 bytes; there are 65536 at most", message);
    }

    @Test
    void whateverComesIsReadOrRefused() {
        Random random = new Random(5);
        List<AgentMessage> all = new ArrayList<>(REQUESTS);
        all.addAll(EVENTS);
        int refused = 0;
        for (int turn = 0; turn < 20_000; turn++) {
            byte[] frame = AgentCodec.encode(all.get(random.nextInt(all.size())));
            for (int change = 0; change <= random.nextInt(4); change++) {
                frame[random.nextInt(frame.length)] = (byte) random.nextInt();
            }
            try {
                if (random.nextBoolean()) {
                    AgentCodec.request(frame);
                } else {
                    AgentCodec.event(frame);
                }
            } catch (AgentCodec.MalformedException e) {
                refused++;
            }
        }
        assertTrue(refused > 10_000, "refused " + refused);
    }
}
