package org.ftrma.launch.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("long")
@Timeout(60)
class ClientWatchdogTest {
    private static Process sleeping(String seconds) throws IOException {
        return new ProcessBuilder("sleep", seconds).start();
    }

    @Test
    void whoDoesNotEndIsEndedSomeSecondsAfterTheLauncher() throws Exception {
        Process client = sleeping("1000");
        Process other = sleeping("1000");
        try (ClientWatchdog watchdog = new ClientWatchdog()) {
            watchdog.watch(sleeping("0"));
            watchdog.watch(client);
            long begun = System.nanoTime();
            Process shell = watchdog.abandon();
            assertTrue(client.waitFor(30, TimeUnit.SECONDS), "a client is ended");
            long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begun);
            assertTrue(seconds >= 4, () -> "it had " + seconds + " s for an end of its own");
            assertEquals(137, client.exitValue());
            assertTrue(shell.waitFor(30, TimeUnit.SECONDS), "then nobody waits any more");
            assertTrue(other.isAlive(), "who is not told of is left alone");
        } finally {
            client.destroyForcibly();
            other.destroyForcibly();
        }
    }

    @Test
    void itEndsAtOnceWhereClientsDo() throws Exception {
        Process client = sleeping("1000");
        try (ClientWatchdog watchdog = new ClientWatchdog()) {
            watchdog.watch(client);
            client.destroyForcibly().waitFor();
            Process shell = watchdog.abandon();
            assertTrue(shell.waitFor(4, TimeUnit.SECONDS), "nobody is left to wait for");
        }
    }

    @Test
    void aWatchdogThatIsClosedEndsNobody() throws Exception {
        Process client = sleeping("1000");
        try {
            ClientWatchdog watchdog = new ClientWatchdog();
            watchdog.watch(client);
            watchdog.close();
            assertFalse(client.waitFor(6, TimeUnit.SECONDS), "it goes on");
        } finally {
            client.destroyForcibly();
        }
    }
}
