package org.ftrma.launch.web;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/**
 * Answers the requests to a job's page. Without the token there is one answer to all of them. Any thread.
 */
final class PageHandler implements HttpHandler {
    /** A request that has more is refused before it is read. */
    static final int MOST_BODY_BYTES = 1024;
    private static final long CHECKPOINT_NANOS = 2_000_000_000L;
    private static final String TEXT = "text/plain; charset=utf-8";
    private static final String JSON = "application/json; charset=utf-8";
    private static final String CHECKPOINT = "/checkpoint";
    private static final String GET = "GET";
    private static final String POST = "POST";
    private static final Map<String, String> HEADERS = Map.of(
        "Content-Security-Policy", "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
            + "img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
        "X-Content-Type-Options", "nosniff", "Referrer-Policy", "no-referrer", "Cache-Control", "no-store",
        "Cross-Origin-Resource-Policy", "same-origin", "Cross-Origin-Opener-Policy", "same-origin");

    private final PageToken token;
    private final PageFiles files = new PageFiles();
    private final LiveJob job;
    private final EventStream events;
    private final CheckpointRequests checkpoints;

    PageHandler(PageToken token, LiveJob job, EventStream events, CheckpointRequests checkpoints) {
        this.token = token;
        this.job = job;
        this.events = events;
        this.checkpoints = checkpoints;
    }

    @Override
    public void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            HEADERS.forEach(exchange.getResponseHeaders()::set);
            PageAddress address = PageAddress.of(exchange.getRequestHeaders());
            PageToken.Proof proof = token.of(exchange.getRequestHeaders(), exchange.getRequestURI().getRawQuery(),
                address);
            if (hasLargeBody(exchange.getRequestHeaders())) {
                exchange.getResponseHeaders().set("Connection", "close");
                refuse(exchange, 413, "a request has at most " + MOST_BODY_BYTES + " bytes");
                exchange.getResponseBody().flush();
                Thread.currentThread().interrupt(); // what follows is not waited for: its connection is closed by that
            } else if (!address.isKnown()) {
                refuse(exchange, 421, "this page is at 127.0.0.1, not at the host of this request; a portal that "
                    + "passes requests on says so by X-Forwarded-Host");
            } else if (proof == PageToken.Proof.NONE) {
                exchange.getResponseHeaders().set("WWW-Authenticate", "Bearer");
                refuse(exchange, 401, "missing or wrong token; open the link printed by the launcher");
            } else {
                answer(exchange, proof, address);
            }
        } catch (InterruptedException e) {
            throw new IOException("a request took too long", e); // the server closes its connection
        }
    }

    /** Also one whose length is not said. */
    private static boolean hasLargeBody(Headers headers) {
        String length = headers.getFirst("Content-Length");
        return headers.containsKey("Transfer-Encoding")
            || length != null && (!length.matches("[0-9]{1,6}") || Integer.parseInt(length) > MOST_BODY_BYTES);
    }

    private void answer(HttpExchange exchange, PageToken.Proof proof, PageAddress address) throws IOException,
        InterruptedException {
        String path = exchange.getRequestURI().getPath();
        String method = exchange.getRequestMethod();
        boolean isAction = path.equals(CHECKPOINT);
        if (!method.equals(isAction ? POST : GET) && !(method.equals("HEAD") && !isAction)) {
            exchange.getResponseHeaders().set("Allow", isAction ? POST : "GET, HEAD");
            refuse(exchange, 405, method + " " + path + ": there is no such request");
            return;
        }
        if (isAction) {
            checkpoint(exchange, proof, address);
            return;
        }
        PageFiles.PageFile file = files.at(path);
        if (file != null) {
            if (proof == PageToken.Proof.LINK) {
                exchange.getResponseHeaders().set("Set-Cookie", token.setCookie(address));
            }
            send(exchange, 200, file.type(), file.bytes());
            return;
        }
        switch (path) {
            case "/status.json" -> send(exchange, 200, JSON, job.now().status());
            case "/metrics" -> metrics(exchange);
            case "/events" -> {
                if (method.equals("HEAD") || !events.tell(exchange)) {
                    refuse(exchange, 503, EventStream.MOST_LISTENERS + " listen already");
                }
            }
            default -> refuse(exchange, 404, "there is no such page");
        }
    }

    /** A browser sends its cookie for pages of others too, but says from where; a program with the token may ask. */
    private void checkpoint(HttpExchange exchange, PageToken.Proof proof, PageAddress address) throws IOException {
        String origin = exchange.getRequestHeaders().getFirst("Origin");
        if (origin == null ? proof != PageToken.Proof.BEARER
            : !address.isOrigin(origin, exchange.getRequestHeaders().getFirst("Sec-Fetch-Site"))) {
            refuse(exchange, 403, "a checkpoint is asked for by the job's own page, or with the token as a Bearer");
            return;
        }
        CheckpointRequests.Told told = checkpoints.ask(CHECKPOINT_NANOS);
        int status = switch (told.state()) {
            case "done" -> 200;
            case "pending" -> 202;
            default -> 409;
        };
        send(exchange, status, JSON, LiveJob.json(Map.of("state", told.state(), "text", told.text())));
    }

    private void metrics(HttpExchange exchange) throws IOException, InterruptedException {
        byte[] metrics = job.now().metrics();
        exchange.getResponseHeaders().set("Vary", "Accept");
        if (OpenMetrics.isAsked(exchange.getRequestHeaders().getOrDefault("Accept", List.of()))) {
            send(exchange, 200, OpenMetrics.CONTENT_TYPE, metrics);
        } else {
            send(exchange, 200, OpenMetrics.PLAIN_TYPE, OpenMetrics.plain(metrics));
        }
    }

    private static void refuse(HttpExchange exchange, int status, String why) throws IOException {
        send(exchange, status, TEXT, (why + "\n").getBytes(StandardCharsets.UTF_8));
    }

    private static void send(HttpExchange exchange, int status, String type, byte[] bytes) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", type);
        if (exchange.getRequestMethod().equals("HEAD")) {
            exchange.getResponseHeaders().set("Content-Length", Integer.toString(bytes.length));
            exchange.sendResponseHeaders(status, -1);
        } else {
            exchange.sendResponseHeaders(status, bytes.length);
            exchange.getResponseBody().write(bytes);
        }
    }
}
