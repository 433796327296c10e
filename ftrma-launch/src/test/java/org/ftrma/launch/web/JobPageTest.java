package org.ftrma.launch.web;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.ftrma.FtrmaException;
import org.ftrma.core.coordinator.JobEvent;
import org.ftrma.launch.CommandTree;
import org.ftrma.launch.MoreCommands;
import org.ftrma.launch.agent.Surroundings;
import org.ftrma.launch.hosts.OperatorSocket;
import org.ftrma.launch.journal.JobFacts;
import org.ftrma.launch.journal.JobFolder;
import org.ftrma.launch.journal.JobJournal;
import org.ftrma.launch.journal.JobView;
import org.ftrma.launch.journal.Launcher;
import org.ftrma.options.JobOptions;
import org.ftrma.rank.control.MachineClock;
import org.ftrma.testkit.SimCluster;
import org.ftrma.testkit.SimResult;
import org.ftrma.testkit.programs.Programs;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/**
 * What a job's page answers, and to whom. The job is simulated, with a loss, and its events are in its journal as a
 * launcher writes them.
 */
@Tag("long")
@Timeout(60)
class JobPageTest {
    private static final String MARK = "a-name-that-only-this-job-has";
    private static final int FLOODING = 8;
    private static final Duration LONG = Duration.ofSeconds(20);
    private static SimResult simulated;

    @TempDir
    private Path jobs;
    private final List<String> notes = new ArrayList<>();
    private final ConcurrentLinkedQueue<CompletableFuture<OperatorSocket.Answer>> asked = new ConcurrentLinkedQueue<>();
    private final HttpClient client = HttpClient.newBuilder().connectTimeout(LONG).build();
    private JobJournal journal;
    private JobPage page;
    private Thread serving;
    private String address;
    private String token;

    @BeforeAll
    static void simulate() {
        simulated = new SimCluster(JobOptions.of(Map.of("ranks", "3", "checksums", "1", "interval", "4", "protocol",
            "full", "spares", "1")), Programs.byName("halo", 20), 7)
            .when(JobEvent.Committed.class, event -> event.generation() == 2, job -> job.kill(1)).run();
    }

    @BeforeEach
    void open() throws IOException {
        journal = new JobJournal(new JobJournal.Keeping(jobs, Duration.ofDays(1)), new JobFacts("halo",
            List.of("run", "--", MARK), 3, 1, 1, List.of(0, 0, 0, 0), Map.of("protocol", "full", "interval", "4"),
            Launcher.here(Surroundings.hostName()), 0), process -> "a \"quoted\\host\"", notes::add,
            MachineClock.HERE);
        long begun = System.nanoTime();
        simulated.events().forEach(timed -> journal.event(timed.event(), begun + timed.nanos()));
        page = page(0);
        serving = Thread.ofPlatform().daemon().start(page::serve);
        String[] parts = page.link().split("\\?token=");
        address = parts[0];
        token = parts[1];
    }

    private JobPage page(int port) throws IOException {
        return new JobPage(port, new JobView(new JobFolder(journal.path())), this::checkpoint, notes::add,
            MachineClock.HERE);
    }

    @AfterEach
    void close() throws InterruptedException {
        asked.forEach(one -> one.complete(new OperatorSocket.Answer(false, "the test is over")));
        page.close();
        assertTrue(serving.join(LONG));
        journal.close();
        client.close();
    }

    private OperatorSocket.Answer checkpoint() {
        CompletableFuture<OperatorSocket.Answer> answer = new CompletableFuture<>();
        asked.add(answer);
        return answer.join();
    }

    private HttpRequest.Builder to(String path) {
        return HttpRequest.newBuilder(URI.create(address + path)).timeout(LONG);
    }

    private HttpRequest.Builder known(String path) {
        return to(path).header("Authorization", "Bearer " + token);
    }

    private MetricsText metrics() throws IOException, InterruptedException {
        HttpResponse<String> response = send(known("metrics").header("Accept", OpenMetrics.CONTENT_TYPE));
        assertEquals(OpenMetrics.CONTENT_TYPE, response.headers().firstValue("Content-Type").orElse(""));
        return new MetricsText(response.body(), true);
    }

    private HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    private static <E extends JobEvent> Stream<E> of(Class<E> type) {
        return simulated.events().stream().map(SimResult.TimedEvent::event).filter(type::isInstance).map(type::cast);
    }

    private static HttpRequest.BodyPublisher nothing() {
        return HttpRequest.BodyPublishers.noBody();
    }

    /** Nothing in the answer depends on whether there is something at the path, or on the job. */
    @Test
    void withoutTheTokenAllAnswersAreTheSame() throws Exception {
        String wrong = token.substring(1) + (token.charAt(0) == 'a' ? 'b' : 'a');
        List<HttpRequest.Builder> strangers = new ArrayList<>();
        for (String path : List.of("", "status.json", "metrics", "events", "page.js", "uplot.js", "nothing")) {
            strangers.add(to(path));
            strangers.add(to(path + "?token=" + wrong));
            strangers.add(to(path + "?token="));
            strangers.add(to(path).header("Authorization", "Bearer " + wrong));
            strangers.add(to(path).header("Authorization", "Basic " + token));
            strangers.add(to(path).header("Cookie", cookie() + "=" + wrong));
        }
        strangers.add(to("checkpoint").POST(nothing()));
        strangers.add(to("status.json").method("DELETE", nothing()));
        String expected = null;
        for (HttpRequest.Builder stranger : strangers) {
            HttpResponse<String> response = send(stranger);
            assertEquals(401, response.statusCode());
            assertEquals("Bearer", response.headers().firstValue("WWW-Authenticate").orElse(""));
            String all = response.body() + response.headers().map().entrySet().stream()
                .filter(header -> !header.getKey().equals("date")).toList();
            expected = expected == null ? all : expected;
            assertEquals(expected, all, stranger.build().uri().getPath());
            assertFalse(all.contains(MARK) || all.contains(token) || all.toLowerCase().contains("set-cookie"), all);
        }
        assertTrue(asked.isEmpty());
    }

    private String cookie() {
        return "ftrma-" + URI.create(address).getPort();
    }

    @Test
    void theLinkIsEnoughForABrowserAndItsCookieFromThenOn() throws Exception {
        HttpResponse<String> first = send(to("?token=" + token));
        assertEquals(200, first.statusCode());
        String set = first.headers().firstValue("Set-Cookie").orElseThrow();
        assertTrue(set.matches(cookie() + "=[0-9a-f]{64}; HttpOnly; SameSite=Strict") && !set.contains(token), set);
        String policy = first.headers().firstValue("Content-Security-Policy").orElseThrow();
        assertTrue(policy.startsWith("default-src 'none'; script-src 'self';") && !policy.contains("unsafe"), policy);
        assertEquals("no-store", first.headers().firstValue("Cache-Control").orElse(""));
        String html = first.body();
        assertFalse(html.contains("<script>") || html.contains("style=") || html.contains("onclick"), html);
        for (String path : Stream.of(html.split("(?:src|href)=\"")).skip(1).map(part -> part.split("\"")[0])
            .filter(path -> !path.startsWith("#")).toList()) {
            HttpResponse<String> file = send(to(path).header("Cookie", "other=1; " + set.split(";")[0]));
            assertEquals(200, file.statusCode(), path);
            assertTrue(file.headers().firstValue("Set-Cookie").isEmpty() && file.body().length() > 50, path);
        }
        HttpResponse<String> head = send(known("page.js").method("HEAD", nothing()));
        assertTrue(head.statusCode() == 200 && head.body().isEmpty()
            && head.headers().firstValueAsLong("Content-Length").orElse(0) > 1000);
        assertEquals(404, send(known("../job.json")).statusCode());
        assertEquals(405, send(known("status.json").POST(nothing())).statusCode());
    }

    @Test
    void statusAndMetricsAreThoseOfTheJob() throws Exception {
        Map<String, Object> status = JSON.std.mapFrom(send(known("status.json")).body());
        long losses = of(JobEvent.MemberLost.class).count();
        long cuts = of(JobEvent.Committed.class).count();
        assertTrue(simulated.succeeded() && losses == 1 && cuts > 2 && simulated.outcome().localRecoveries() == 1);
        assertEquals(List.of("running", 1, 1, (int) cuts, "full"), List.of(status.get("outcome"), status.get("losses"),
            status.get("recoveries"), status.get("checkpoints"), status.get("protocol")));
        assertEquals(List.of("run", "--", MARK), status.get("command"));
        assertEquals(4, ((List<?>) status.get("members")).size());
        MetricsText metrics = metrics();
        HttpResponse<String> plain = send(known("metrics"));
        assertEquals(OpenMetrics.PLAIN_TYPE, plain.headers().firstValue("Content-Type").orElse(""));
        assertEquals(cuts, new MetricsText(plain.body(), false).get("ftrma_checkpoints_total"));
        assertEquals(cuts, metrics.get("ftrma_checkpoints_total"));
        assertEquals(1, metrics.get("ftrma_losses_total"));
        assertEquals(1, metrics.get("ftrma_replays_total"));
        assertEquals(0, metrics.get("ftrma_rollbacks_total"));
        long blocked = of(JobEvent.Committed.class).mapToLong(JobEvent.Committed::blockedNanos).sum();
        assertEquals(1e-9 * blocked, metrics.get("ftrma_checkpoint_blocked_seconds_total"), 1e-9);
        assertEquals(1, metrics.get("ftrma_job_state{ftrma_job_state=\"running\"}"));
        assertEquals(1, metrics.get("ftrma_member_info{member=\"rank 1\",host=\"a \\\"quoted\\\\host\\\"\",process=\""
            + of(JobEvent.Assigned.class).filter(one -> one.member() == 1).reduce((one, other) -> other)
            .orElseThrow().process() + "\",incarnation=\"1\"}"));
    }

    @Test
    @Timeout(300) // where the machine does a lot else the page has what is left
    void tenThousandRequestsAreAnswered() throws Exception {
        List<String> families = metrics().families();
        for (int i = 0; i < 10_000; i++) {
            HttpResponse<String> response = send(known("metrics"));
            assertEquals(200, response.statusCode());
            assertTrue(i % 500 != 0 || new MetricsText(response.body(), false).families().size() == families.size());
        }
    }

    /** Many ask without a pause: all are answered. */
    @Test
    void nobodyIsRefusedInAFlood() throws Exception {
        long end = System.nanoTime() + Duration.ofSeconds(2).toNanos();
        List<CompletableFuture<Integer>> clients = Stream.generate(() -> CompletableFuture.supplyAsync(() -> {
            int answers = 0;
            for (; System.nanoTime() - end < 0; answers++) {
                assertEquals(200, client.sendAsync(known("metrics").build(), HttpResponse.BodyHandlers.ofString())
                    .join().statusCode());
            }
            return answers;
        }, Thread.ofPlatform()::start)).limit(FLOODING).toList();
        for (CompletableFuture<Integer> one : clients) {
            assertTrue(one.get(LONG.toSeconds(), TimeUnit.SECONDS) > 0);
        }
        assertTrue(metrics().get("ftrma_page_processor_seconds_total") > 0);
        assertEquals(List.of(), notes);
    }

    @Test
    void allMetricsAreDocumented() throws Exception {
        Path place = Path.of("").toAbsolutePath();
        while (!Files.exists(place.resolve("docs/observing.md"))) {
            place = place.getParent();
        }
        String text = Files.readString(place.resolve("docs/observing.md"));
        List<String> documented = Pattern.compile("`(ftrma_[a-z_]+)`").matcher(text).results()
            .map(found -> found.group(1)).sorted().toList();
        assertEquals(documented, metrics().families().stream().sorted().toList());
    }

    @Test
    void aCheckpointIsAskedForByThePageItselfOnly() throws Exception {
        String kept = send(to("?token=" + token)).headers().firstValue("Set-Cookie").orElseThrow().split(";")[0];
        String own = address.substring(0, address.length() - 1);
        for (String origin : List.of("http://evil.example", "null", "https://" + own.substring(7), own + "0",
            "http://localhost")) {
            assertEquals(403, send(to("checkpoint").header("Cookie", kept).header("Origin", origin).POST(nothing()))
                .statusCode(), origin);
            assertEquals(403, send(known("checkpoint").header("Origin", origin).POST(nothing())).statusCode(), origin);
        }
        assertEquals(403, send(to("checkpoint").header("Cookie", kept).POST(nothing())).statusCode());
        assertEquals(401, send(to("").header("Cookie", kept).header("X-Forwarded-Host", "portal")).statusCode());
        assertEquals(403, send(to("checkpoint?token=" + token).POST(nothing())).statusCode());
        assertEquals(405, send(known("checkpoint")).statusCode());
        assertTrue(asked.isEmpty());
        // One is on its way for a long time: who asks again is told of the same.
        List<CompletableFuture<HttpResponse<String>>> both = Stream.of(to("checkpoint").header("Cookie", kept)
            .header("Origin", own), known("checkpoint")).map(request -> client.sendAsync(request.POST(nothing())
                .build(), HttpResponse.BodyHandlers.ofString())).toList();
        for (CompletableFuture<HttpResponse<String>> one : both) {
            HttpResponse<String> response = one.get(LONG.toSeconds(), TimeUnit.SECONDS);
            assertEquals(202, response.statusCode());
            assertEquals("pending", JSON.std.mapFrom(response.body()).get("state"));
        }
        assertEquals(1, asked.size());
        asked.peek().complete(new OperatorSocket.Answer(true, "generation 9, of step 8, is committed"));
        Map<String, Object> done = Map.of("state", "done", "text", "generation 9, of step 8, is committed");
        long end = System.nanoTime() + LONG.toNanos();
        Object told = null;
        while (!done.equals(told)) {
            assertTrue(System.nanoTime() - end < 0, "waited for " + done + ", and is told " + told);
            told = JSON.std.mapFrom(send(known("status.json")).body()).get("checkpointRequest");
        }
    }

    /** Those who listen are told what has happened, then what happens, then the end; who comes back, the rest. */
    @Test
    void eventsAreTold() throws Exception {
        HttpResponse<InputStream> response = client.send(known("events").build(),
            HttpResponse.BodyHandlers.ofInputStream());
        assertEquals("text/event-stream; charset=utf-8", response.headers().firstValue("Content-Type").orElse(""));
        BufferedReader in = new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8));
        List<Map<String, Object>> told = new ArrayList<>();
        while (told.isEmpty()) {
            told.addAll(events(in));
        }
        assertEquals(0, told.getFirst().get("number"));
        assertEquals(1, told.stream().filter(event -> event.get("event").equals("lost")).count());
        int known = (Integer) told.getLast().get("number");
        journal.event(new JobEvent.Note("something new"), System.nanoTime());
        List<Map<String, Object>> next = List.of();
        while (next.isEmpty()) {
            next = events(in);
        }
        assertEquals(List.of("something new", known + 1), List.of(next.getFirst().get("text"),
            next.getFirst().get("number")));
        journal.ended(Map.of("outcome", "success", "message", "", "exitCode", 0));
        String rest = String.join("\n", in.lines().toList());
        assertTrue(rest.contains("\"outcome\":\"success\"") && rest.contains("\"isLast\":true")
            && rest.endsWith("event: end\ndata: {}\n"), rest);
        assertTrue(serving.join(LONG), "the page ends with the job");
        assertThrows(IOException.class, () -> send(known("status.json")));
        assertEquals(List.of(), notes);
    }

    @Test
    void whoComesBackIsToldTheRest() throws Exception {
        HttpResponse<InputStream> response = client.send(known("events").header("Last-Event-ID", "4").build(),
            HttpResponse.BodyHandlers.ofInputStream());
        BufferedReader in = new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8));
        assertEquals(5, events(in).getFirst().get("number"));
        in.close();
    }

    /** Those of one message; none where it is of another kind. */
    private static List<Map<String, Object>> events(BufferedReader in) throws IOException {
        String kind = "";
        List<Map<String, Object>> events = new ArrayList<>();
        for (String line = in.readLine(); line != null && !line.isEmpty(); line = in.readLine()) {
            kind = line.startsWith("event: ") ? line.substring(7) : kind;
            if (kind.equals("events") && line.startsWith("data: ")) {
                JSON.std.listFrom(line.substring(6)).forEach(one -> events.add(cast(one)));
            }
        }
        return events;
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> cast(Object one) {
        return (Map<String, Object>) one;
    }

    @Test
    void noMoreThanSoManyListen() throws Exception {
        List<InputStream> open = new ArrayList<>();
        for (int i = 0; i < EventStream.MOST_LISTENERS; i++) {
            HttpResponse<InputStream> one = client.send(known("events").build(),
                HttpResponse.BodyHandlers.ofInputStream());
            assertEquals(200, one.statusCode());
            open.add(one.body());
        }
        assertEquals(503, send(known("events")).statusCode());
        assertEquals(200, send(known("status.json")).statusCode());
        for (InputStream one : open) {
            one.close();
        }
    }

    @Test
    void requestsHaveBounds() throws Exception {
        for (String length : List.of("1073741824", "1025", "99999999999999999999", "-1")) {
            assertRefused("POST /checkpoint HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer " + token
                + "\r\nContent-Length: " + length + "\r\n\r\n", length.length() > 15 || length.equals("-1") ? "400"
                : "413");
        }
        assertRefused("POST /checkpoint HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nffffffff\r\n", "413");
        assertRefused("GET /" + "a".repeat(PageServer.MOST_HEADER_BYTES) + " HTTP/1.1\r\nHost: x\r\n\r\n", "");
        assertRefused("GET / HTTP/1.1\r\nHost: x\r\nA: " + "a".repeat(PageServer.MOST_HEADER_BYTES) + "\r\n\r\n", "");
        assertRefused("nonsense\r\n\r\n", "400");
        assertEquals(200, send(known("status.json")).statusCode());
        assertTrue(asked.isEmpty());
    }

    /** The answer has this status and the connection ends; empty: it ends without one. */
    private void assertRefused(String request, String status) throws IOException {
        try (Socket socket = new Socket("127.0.0.1", URI.create(address).getPort())) {
            socket.setSoTimeout((int) LONG.toMillis());
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            ByteArrayOutputStream answer = new ByteArrayOutputStream();
            try {
                for (int next = socket.getInputStream().read(); next >= 0; next = socket.getInputStream().read()) {
                    answer.write(next);
                }
            } catch (SocketException e) {
                Thread.onSpinWait(); // the rest of the request was thrown away with the connection
            }
            String text = answer.toString(StandardCharsets.UTF_8);
            assertTrue(status.isEmpty() ? text.isEmpty() : text.startsWith("HTTP/1.1 " + status),
                request + "\n" + text);
        }
    }

    @Test
    void aPortThatIsTakenIsSaidWithTheWayOut() {
        int port = URI.create(address).getPort();
        assertTaken("--web", port, () -> WebCommand.checkPort("--web", port));
        assertTaken("--port", port, () -> page(port));
    }

    private static void assertTaken(String option, int port, Executable attempt) {
        FtrmaException e = assertThrows(FtrmaException.class, attempt);
        assertEquals(FtrmaException.Category.SETUP, e.category());
        assertTrue(e.getMessage().startsWith(option + "=" + port + ": cannot listen at 127.0.0.1:" + port + ": ")
            && e.getMessage().endsWith("name another port, or 0 for any that is free"), e.getMessage());
    }

    /** Its folder has a result, or its launcher is gone. */
    @Test
    void aJobThatHasEndedHasNoPage() throws Exception {
        journal.ended(Map.of("outcome", "success", "message", "", "exitCode", 0));
        FtrmaException e = assertThrows(FtrmaException.class, () -> new WebCommand(System.err).execute(
            CommandTree.create(MoreCommands.NONE).parseArgs("web", "--job-dir", jobs.toString()).subcommand()));
        assertEquals("job " + journal.name() + " has ended: success; ftrma report " + journal.name()
            + " writes a page about it", e.getMessage());
    }

    /** Its event log is none any more: the job goes on, and says so once. */
    @Test
    void aPageThatCannotReadOnSaysSoOnce() throws Exception {
        try (var files = Files.list(journal.path())) {
            for (Path file : files.filter(one -> one.getFileName().toString().startsWith("events-")).toList()) {
                Files.writeString(file, "nonsense\n", StandardOpenOption.APPEND);
            }
        }
        HttpResponse<InputStream> response = client.send(known("events").build(),
            HttpResponse.BodyHandlers.ofInputStream());
        String all = new String(response.body().readAllBytes(), StandardCharsets.UTF_8);
        assertTrue(all.endsWith("event: end\ndata: {}\n\n") && all.contains("\"outcome\":\"running\""), all);
        assertEquals(200, send(known("status.json")).statusCode());
        assertEquals(1, notes.size(), notes::toString);
        assertTrue(notes.getFirst().startsWith("the job's page is not kept up to date any more: "), notes::toString);
    }
}
