package org.ftrma.launch.web;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.ftrma.rank.control.MachineClock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Connections to a page that say nothing. */
@Timeout(60)
class PageServerTest {
    private static int status(int port) throws Exception {
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/"))
                .timeout(Duration.ofSeconds(20)).build(), HttpResponse.BodyHandlers.discarding()).statusCode();
        }
    }

    @Test
    void whoSaysNothingKeepsNobodyOut() throws Exception {
        List<Socket> idle = new ArrayList<>();
        try (PageServer server = new PageServer(0, MachineClock.HERE)) {
            server.start(exchange -> {
                exchange.sendResponseHeaders(204, -1);
                exchange.close();
            });
            for (int i = 0; i < 2 * PageServer.MOST_REQUESTS; i++) {
                idle.add(new Socket("127.0.0.1", server.port()));
            }
            assertEquals(204, status(server.port()));
            for (Socket socket : idle) {
                socket.setSoTimeout(20_000);
                assertEquals(-1, socket.getInputStream().read(), "they are cut off after a time");
            }
        } finally {
            for (Socket socket : idle) {
                socket.close();
            }
        }
    }
}
