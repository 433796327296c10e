package org.ftrma.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.ftrma.launch.programs.Gate;
import org.ftrma.launch.web.MetricsText;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A real job whose page is asked for too much: each is held to its bound, the page stands back behind the ranks, and
 * the job ends well.
 */
@Timeout(300)
class PageUnderLoadTest {
    /** The page has what the ranks leave: it is not quick. JobPageTest has more, without ranks. */
    private static final int REQUESTS = 2000;
    private static final int CONNECTIONS = 1000;
    /** As many as the page has at a time. */
    private static final int MOST_CONNECTIONS = 512;
    private static final int CLIENTS = 4;
    private static final Duration LONG = Duration.ofSeconds(120);

    private final HttpClient client = HttpClient.newHttpClient();
    private URI page;
    private String token;

    @Test
    void aJobIsUnharmedByRequestsWithoutEnd(@TempDir Path directory) throws Exception {
        try (LauncherProcess launcher = new LauncherProcess("run", "--ranks", "2", "--checksums", "1",
            "--protocol", "full", "--interval", "0.5s", "--deadline", "250s", "--web", "0", "--json", "--job-dir",
            directory.resolve("jobs").toString(), "--", Gate.class.getName(), "300",
            directory.resolve("open").toString(), "10", "hold")) {
            launcher.awaitLine("the job's page is http://");
            String link = launcher.lines().stream().filter(line -> line.contains("the job's page is ")).findFirst()
                .orElseThrow().split("the job's page is ")[1];
            page = URI.create(link.split("\\?")[0]);
            token = link.split("token=")[1];
            launcher.await("the first step", () -> step() > 0);
            ProcessHandle server = assertStandsBack(launcher);
            try (Socket slowAnswer = connection(); Socket slowRequest = connection()) {
                CompletableFuture<Boolean> cutOff = CompletableFuture.supplyAsync(() ->
                    asksAndReadsNothing(slowAnswer));
                slowRequest.getOutputStream().write("GET / HTTP/1.1\r\nHost:".getBytes(StandardCharsets.US_ASCII));
                manyRequests();
                aLargeRequest();
                manyConnections();
                assertRequestCutOff(slowRequest);
                assertEquals(true, cutOff.get(LONG.toSeconds(), TimeUnit.SECONDS));
            }
            assertTrue(step() > 0);
            Files.createFile(directory.resolve("open"));
            launcher.awaitLine("{\"app\":");
            Map<String, Object> result = JSON.std.mapFrom(launcher.lines().stream()
                .filter(line -> line.startsWith("{\"app\":")).findFirst().orElseThrow());
            assertEquals(List.of(0, true, 300, List.of()), List.of(result.get("exitCode"), result.get("verified"),
                result.get("iterations"), result.get("failures")));
            assertEquals(0, launcher.awaitExit());
            launcher.await("the page's end", () -> !server.isAlive());
        } finally {
            client.shutdownNow();
        }
    }

    /** Its process does, with all threads, and ranks are as this process. */
    private static ProcessHandle assertStandsBack(LauncherProcess launcher) throws IOException {
        ProcessHandle server = null;
        int own = nice(Path.of("/proc/self"));
        for (ProcessHandle process : launcher.ranks()) {
            boolean isPage = List.of(process.info().arguments().orElseThrow()).contains("web");
            server = isPage ? process : server;
            for (Path thread : threads(process)) {
                assertEquals(isPage ? 19 : own, nice(thread), process.info()::toString);
            }
        }
        assertTrue(server != null, "the page has no process");
        return server;
    }

    private static int nice(Path task) throws IOException {
        String stat = Files.readString(task.resolve("stat"));
        return Integer.parseInt(stat.substring(stat.lastIndexOf(')') + 2).split(" ")[16]);
    }

    private static List<Path> threads(ProcessHandle process) throws IOException {
        try (Stream<Path> threads = Files.list(Path.of("/proc", Long.toString(process.pid()), "task"))) {
            return threads.toList();
        }
    }

    private String metrics() {
        try {
            HttpResponse<String> response = client.send(HttpRequest.newBuilder(page.resolve("metrics")).timeout(LONG)
                .header("Authorization", "Bearer " + token).header("Accept", "application/openmetrics-text").build(),
                HttpResponse.BodyHandlers.ofString());
            assertEquals(200, response.statusCode());
            return response.body();
        } catch (IOException e) {
            throw new AssertionError("the page does not answer", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private double step() {
        return new MetricsText(metrics(), true).get("ftrma_least_step");
    }

    private Socket connection() throws IOException {
        Socket socket = new Socket();
        socket.setReceiveBufferSize(4096);
        socket.connect(new InetSocketAddress("127.0.0.1", page.getPort()), (int) LONG.toMillis());
        socket.setSoTimeout((int) LONG.toMillis());
        return socket;
    }

    private void manyRequests() throws Exception {
        List<CompletableFuture<Void>> all = IntStream.range(0, CLIENTS).mapToObj(number ->
            CompletableFuture.runAsync(() -> {
                for (int i = 0; i < REQUESTS / CLIENTS; i++) {
                    String text = metrics();
                    assertTrue(text.endsWith("# EOF\n"), text);
                }
            })).toList();
        CompletableFuture.allOf(all.toArray(CompletableFuture[]::new)).get(LONG.toSeconds(), TimeUnit.SECONDS);
    }

    /** It is refused long before it is there. */
    private void aLargeRequest() throws IOException {
        long sent = 0;
        String answer = "";
        try (Socket socket = connection()) {
            OutputStream out = socket.getOutputStream();
            out.write(("POST /checkpoint HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer " + token
                + "\r\nContent-Length: " + (1L << 30) + "\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
            byte[] first = new byte[12];
            answer = new String(first, 0, socket.getInputStream().readNBytes(first, 0, first.length),
                StandardCharsets.US_ASCII);
            byte[] part = new byte[1 << 16];
            for (; sent < 1L << 30; sent += part.length) {
                out.write(part);
            }
        } catch (SocketException e) {
            assertTrue(sent < 1 << 24, "the page took " + sent + " bytes");
        }
        assertEquals("HTTP/1.1 413", answer);
        assertTrue(sent < 1 << 24, "the page took " + sent + " bytes");
    }

    /** Those that are too many are closed at once; when the others are, too, the page answers again. */
    private void manyConnections() throws IOException {
        List<Socket> open = new ArrayList<>();
        try {
            for (int i = 0; i < CONNECTIONS; i++) {
                open.add(connection());
            }
            int kept = 0;
            for (Socket socket : open) {
                socket.setSoTimeout(kept > MOST_CONNECTIONS ? (int) LONG.toMillis() : 5);
                kept += isOpen(socket) ? 1 : 0;
            }
            assertTrue(kept <= MOST_CONNECTIONS, kept + " are open");
        } finally {
            for (Socket socket : open) {
                socket.close();
            }
        }
        long end = System.nanoTime() + LONG.toNanos();
        while (true) {
            try {
                assertTrue(metrics().endsWith("# EOF\n"));
                return;
            } catch (AssertionError e) {
                if (System.nanoTime() - end > 0) {
                    throw e;
                }
                Thread.onSpinWait(); // the page has yet to see that they are closed
            }
        }
    }

    private static boolean isOpen(Socket socket) throws IOException {
        try {
            return socket.getInputStream().read() >= 0;
        } catch (SocketTimeoutException e) {
            return true;
        } catch (SocketException e) {
            return false;
        }
    }

    /** Asks again and again and takes no answer: until the page ends the connection, so that it fails. */
    private boolean asksAndReadsNothing(Socket socket) {
        byte[] request = ("GET /metrics HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer " + token + "\r\n\r\n")
            .getBytes(StandardCharsets.US_ASCII);
        try {
            while (!socket.isClosed()) {
                socket.getOutputStream().write(request);
            }
            return false;
        } catch (IOException e) {
            return !socket.isClosed();
        }
    }

    /** The page ends the connection of one who begins to ask and goes no further. */
    private static void assertRequestCutOff(Socket socket) throws IOException {
        socket.setSoTimeout((int) LONG.toMillis());
        try {
            assertEquals(-1, socket.getInputStream().read());
        } catch (SocketTimeoutException e) {
            throw new AssertionError("it is not cut off in " + LONG, e);
        } catch (SocketException e) {
            assertTrue(socket.isConnected()); // it is closed with what it had not read
        }
    }
}
