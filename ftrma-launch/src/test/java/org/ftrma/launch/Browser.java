package org.ftrma.launch;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * Chromium without a window, with one page, driven by its DevTools protocol. Each call waits for its answer, not longer
 * than a minute. One thread.
 */
final class Browser implements AutoCloseable {
    private static final long SECONDS = 60;
    private static final String PROGRAM = "chromium";

    private final HttpClient client = HttpClient.newHttpClient();
    private final Map<Integer, CompletableFuture<Map<String, Object>>> calls = new ConcurrentHashMap<>();
    /** What the page complained of: exceptions, and what its policy forbids. */
    private final List<String> complaints = new CopyOnWriteArrayList<>();
    private final AtomicInteger number = new AtomicInteger();
    private final Process process;
    private final WebSocket socket;

    /** Whether there is one on this machine. */
    static boolean isThere() {
        return Stream.of(System.getenv("PATH").split(":")).anyMatch(folder ->
            Files.isExecutable(Path.of(folder, PROGRAM)));
    }

    /**
     * Starts it.
     *
     * @param folder an empty one of its own
     */
    Browser(Path folder, int width, int height) throws IOException {
        process = new ProcessBuilder(PROGRAM, "--headless=new", "--no-sandbox", "--disable-gpu",
            "--disable-dev-shm-usage", "--no-first-run", "--disable-background-networking", "--disable-extensions",
            "--hide-scrollbars", "--remote-debugging-port=0", "--user-data-dir=" + folder,
            "--window-size=" + width + "," + height, "about:blank")
            .redirectErrorStream(true).redirectOutput(folder.resolve("output").toFile()).start();
        try {
            socket = client.newWebSocketBuilder().connectTimeout(Duration.ofSeconds(SECONDS)).buildAsync(page(folder),
                new Listener()).get(SECONDS, TimeUnit.SECONDS);
            call("Page.enable", Map.of());
            call("Runtime.enable", Map.of());
            call("Log.enable", Map.of());
        } catch (ExecutionException | TimeoutException | InterruptedException e) {
            process.destroyForcibly();
            throw new IOException("no " + PROGRAM + " to talk to: " + Files.readString(folder.resolve("output")), e);
        }
    }

    /** Where its page listens. */
    private URI page(Path folder) throws IOException, InterruptedException {
        Path port = folder.resolve("DevToolsActivePort");
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
        while (!Files.exists(port) || Files.readAllLines(port).size() < 2) {
            if (System.nanoTime() - end > 0 || !process.isAlive()) {
                throw new IOException("no " + PROGRAM + " after " + SECONDS + " s: "
                    + Files.readString(folder.resolve("output")));
            }
            LockSupport.parkNanos(10_000_000);
        }
        HttpRequest list = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + Files.readAllLines(port).getFirst()
            + "/json/list")).timeout(Duration.ofSeconds(SECONDS)).build();
        String pages = client.send(list, HttpResponse.BodyHandlers.ofString()).body();
        for (Object one : JSON.std.listFrom(pages)) {
            if (one instanceof Map<?, ?> target && "page".equals(target.get("type"))) {
                return URI.create((String) target.get("webSocketDebuggerUrl"));
            }
        }
        throw new IOException("no page in " + pages);
    }

    /** Takes what comes: answers, and events. */
    private final class Listener implements WebSocket.Listener {
        private final StringBuilder message = new StringBuilder();

        @Override
        public CompletionStage<?> onText(WebSocket webSocket, CharSequence data, boolean last) {
            message.append(data);
            if (last) {
                take(message.toString());
                message.setLength(0);
            }
            webSocket.request(1);
            return null;
        }
    }

    private void take(String text) {
        Map<String, Object> message;
        try {
            message = JSON.std.mapFrom(text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        if (message.get("id") instanceof Integer id) {
            calls.remove(id).complete(message);
        } else if (message.get("method").equals("Runtime.exceptionThrown")
            || message.get("method").equals("Log.entryAdded") && text.contains("\"level\":\"error\"")) {
            complaints.add(text);
        }
    }

    /** One call; its result. */
    Map<?, ?> call(String method, Map<String, Object> parameters) {
        int id = number.incrementAndGet();
        CompletableFuture<Map<String, Object>> answer = new CompletableFuture<>();
        calls.put(id, answer);
        try {
            socket.sendText(JSON.std.asString(Map.of("id", id, "method", method, "params", parameters)), true)
                .get(SECONDS, TimeUnit.SECONDS);
            Map<String, Object> told = answer.get(SECONDS, TimeUnit.SECONDS);
            if (told.get("result") instanceof Map<?, ?> result) {
                return result;
            }
            throw new AssertionError(method + " " + parameters + ": " + told);
        } catch (IOException | ExecutionException | TimeoutException e) {
            throw new AssertionError(method + " " + parameters + " in " + SECONDS + " s; complaints: " + complaints, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** Opens a page. */
    void open(String address) {
        call("Page.navigate", Map.of("url", address));
    }

    /** The value of an expression of JavaScript; a promise is waited for. */
    Object evaluate(String expression) {
        Map<?, ?> result = call("Runtime.evaluate", Map.of("expression", expression, "returnByValue", true,
            "awaitPromise", true));
        if (result.get("exceptionDetails") != null) {
            throw new AssertionError(expression + ": " + result.get("exceptionDetails"));
        }
        return ((Map<?, ?>) result.get("result")).get("value");
    }

    /** Waits until an expression is true, which is asked for after each change of the page. */
    void await(String what, String expression) {
        Object came = evaluate("""
            new Promise(resolve => {
              const look = () => (%1$s) && (observer.disconnect(), resolve(true));
              const observer = new MutationObserver(look);
              observer.observe(document, {subtree: true, childList: true, attributes: true, characterData: true});
              setTimeout(() => { observer.disconnect(); resolve(Boolean(%1$s)); }, %2$d);
              look();
            })""".formatted(expression, 1000 * (SECONDS - 10)));
        if (!Boolean.TRUE.equals(came)) {
            throw new AssertionError("waited for " + what + ": " + expression + "; the page has:\n"
                + evaluate("document.body.innerText") + "\ncomplaints: " + complaints);
        }
    }

    /** A key is pressed, by its name, as Tab or Enter. */
    void press(String key, int code) {
        Map<String, Object> press = Map.of("type", "keyDown", "key", key, "code", key, "windowsVirtualKeyCode", code,
            "text", key.equals("Enter") ? "\r" : "");
        call("Input.dispatchKeyEvent", press);
        call("Input.dispatchKeyEvent", Map.of("type", "keyUp", "key", key, "code", key, "windowsVirtualKeyCode", code));
    }

    /** A picture of the page, as PNG. */
    byte[] picture() {
        return Base64.getDecoder().decode((String) call("Page.captureScreenshot", Map.of("format", "png",
            "captureBeyondViewport", false)).get("data"));
    }

    List<String> complaints() {
        return complaints;
    }

    @Override
    public void close() {
        socket.abort();
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
        client.shutdownNow();
        try {
            process.waitFor(SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
