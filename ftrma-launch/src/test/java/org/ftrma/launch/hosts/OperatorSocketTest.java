package org.ftrma.launch.hosts;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.ftrma.FtrmaException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Who asks something of a job is heard and answered, and nobody but its user can. */
@Timeout(60)
class OperatorSocketTest {
    private final OperatorSocket operator = new OperatorSocket();

    @AfterEach
    void close() {
        operator.close();
    }

    private static OperatorSocket.Door door() {
        List<OperatorSocket.Door> doors = OperatorSocket.Door.all().stream()
            .filter(door -> door.launcher() == ProcessHandle.current().pid()).toList();
        assertEquals(1, doors.size(), doors::toString);
        return doors.getFirst();
    }

    @Test
    void aRequestIsHeardAndItsAnswersComeBack() throws Exception {
        Semaphore asked = new Semaphore(0);
        operator.whenAsked(asked::release);
        List<String> notes = new ArrayList<>();
        CompletableFuture<OperatorSocket.Answer> answer = CompletableFuture.supplyAsync(() -> {
            try {
                return door().drain("höst 1", notes::add);
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        });
        assertTrue(asked.tryAcquire(30, TimeUnit.SECONDS), "nothing was asked");
        OperatorSocket.Request request = operator.poll();
        assertEquals(OperatorSocket.Verb.DRAIN, request.verb());
        assertEquals("höst 1", request.host());
        request.tell("it takes\na while");
        request.end(true, "it is left");
        assertEquals(new OperatorSocket.Answer(true, "it is left"), answer.get(30, TimeUnit.SECONDS));
        assertEquals(List.of("it takes a while"), notes);
    }

    /** That of a job on one host is in a folder of the job, which stays. */
    @Test
    void aJobOnOneHostIsAskedForACheckpoint(@TempDir Path place) throws Exception {
        Semaphore asked = new Semaphore(0);
        try (OperatorSocket local = new OperatorSocket(place)) {
            local.whenAsked(asked::release);
            OperatorSocket.Door door = new OperatorSocket.Door(1, place.resolve("operator-local"));
            CompletableFuture<OperatorSocket.Answer> answer = CompletableFuture.supplyAsync(() -> {
                try {
                    return door.checkpoint(note -> { });
                } catch (IOException e) {
                    throw new AssertionError(e);
                }
            });
            assertTrue(asked.tryAcquire(30, TimeUnit.SECONDS), "nothing was asked");
            OperatorSocket.Request request = local.poll();
            assertEquals(OperatorSocket.Verb.CHECKPOINT, request.verb());
            request.end(true, "it is there");
            assertEquals(new OperatorSocket.Answer(true, "it is there"), answer.get(30, TimeUnit.SECONDS));
        }
        assertTrue(Files.isDirectory(place));
        assertFalse(Files.exists(place.resolve("operator-local")));
    }

    @Test
    void aPlaceThatIsTooLongForASocketIsTold(@TempDir Path place) throws IOException {
        Path longer = Files.createDirectories(place.resolve("x".repeat(120)));
        FtrmaException e = assertThrows(FtrmaException.class, () -> new OperatorSocket(longer));
        assertEquals(FtrmaException.Category.SETUP, e.category());
        assertTrue(e.getMessage().startsWith("cannot make the job's socket in " + longer), e.getMessage());
    }

    @Test
    void whoWaitsWhenTheJobEndsIsToldSo() throws Exception {
        Semaphore asked = new Semaphore(0);
        operator.whenAsked(asked::release);
        OperatorSocket.Door door = door();
        CompletableFuture<OperatorSocket.Answer> answer = CompletableFuture.supplyAsync(() -> {
            try {
                return door.drain("a", note -> { });
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        });
        assertTrue(asked.tryAcquire(30, TimeUnit.SECONDS), "nothing was asked");
        operator.close();
        assertEquals(new OperatorSocket.Answer(false, "the job has ended"), answer.get(30, TimeUnit.SECONDS));
    }

    @Test
    void whatIsNoRequestIsRefused() throws IOException {
        try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(door().socket()))) {
            channel.write(ByteBuffer.wrap("stop everything\n".getBytes(StandardCharsets.UTF_8)));
            assertEquals("refused there is no such request; there are: drain HOST, checkpoint\n",
                new String(Channels.newInputStream(channel).readAllBytes(), StandardCharsets.UTF_8));
        }
        try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(door().socket()))) {
            channel.write(ByteBuffer.allocate(OperatorSocket.MOST_BYTES));
            channel.write(ByteBuffer.allocate(1));
            assertEquals(-1, Channels.newInputStream(channel).read());
        }
        assertEquals(null, operator.poll());
    }

    @Test
    void nobodyElseCanComeAndNothingIsLeft() throws IOException {
        Path folder = door().socket().getParent();
        assertEquals("rwx------", PosixFilePermissions.toString(Files.getPosixFilePermissions(folder)));
        operator.close();
        assertFalse(Files.exists(folder));
    }
}
