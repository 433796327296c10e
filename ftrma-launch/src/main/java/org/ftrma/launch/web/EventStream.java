package org.ftrma.launch.web;

import com.sun.net.httpserver.HttpExchange;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.Semaphore;
import org.ftrma.launch.journal.LoggedEvent;

/**
 * Server-sent events: to each who listens the job as it is, and what has happened since it was told last. Nothing is
 * kept for who listens slowly: it is told less often, and dropped when it does not take one part in time. Any thread.
 *
 * <pre>
 *   event: status   data: as /status.json
 *   event: events   data: a list, as of {@code ftrma events --json}   id: the number of the last one
 *   event: end      data: {}                                          nothing follows
 * </pre>
 */
final class EventStream {
    /** So many may listen at a time. */
    static final int MOST_LISTENERS = 16;
    private static final int MOST_EVENTS = 250;
    private static final long SIGN_OF_LIFE_NANOS = 2_000_000_000L;
    private static final String LAST_ID = "Last-Event-ID";

    private final LiveJob job;
    private final PageServer server;
    private final Semaphore free = new Semaphore(MOST_LISTENERS);

    EventStream(LiveJob job, PageServer server) {
        this.job = job;
        this.server = server;
    }

    /** Tells one, until the job ends or it goes away. Whether there was room for it. */
    boolean tell(HttpExchange exchange) throws IOException, InterruptedException {
        if (!free.tryAcquire()) {
            return false;
        }
        try {
            exchange.getResponseHeaders().set("Content-Type", "text/event-stream; charset=utf-8");
            exchange.sendResponseHeaders(200, 0);
            tell(exchange.getResponseBody(), number(exchange.getRequestHeaders().getFirst(LAST_ID)));
            return true;
        } finally {
            free.release();
        }
    }

    /** Those who listen. */
    int listeners() {
        return MOST_LISTENERS - free.availablePermits();
    }

    private static long number(String id) {
        return id != null && id.matches("[0-9]{1,18}") ? Long.parseLong(id) : -1;
    }

    private void tell(OutputStream out, long from) throws IOException, InterruptedException {
        long told = from;
        job.now(); // it may not have been looked at for some time
        while (true) {
            LiveJob.Snapshot known = job.latest();
            told = tell(out, known, told);
            if (known.isLast()) {
                return;
            }
            LiveJob.Snapshot next = job.after(known, SIGN_OF_LIFE_NANOS);
            if (next == known && job.isClosed()) {
                return;
            }
        }
    }

    /** Tells what has come since the event of that number; returns the number of the last one that is told now. */
    private long tell(OutputStream out, LiveJob.Snapshot known, long since) throws IOException {
        long told = since;
        List<LoggedEvent> events = known.eventsSince(told);
        for (int i = 0; i < events.size(); i += MOST_EVENTS) {
            List<LoggedEvent> part = events.subList(i, Math.min(events.size(), i + MOST_EVENTS));
            told = part.getLast().number();
            write(out, "id: " + told + "\nevent: events\n",
                LiveJob.json(part.stream().map(LoggedEvent::map).toList()));
        }
        write(out, "event: status\n", known.status());
        if (known.isLast()) {
            write(out, "event: end\n", "{}".getBytes(StandardCharsets.UTF_8));
        }
        return told;
    }

    /** JSON has no line breaks. */
    private void write(OutputStream out, String fields, byte[] json) throws IOException {
        ByteArrayOutputStream message = new ByteArrayOutputStream(json.length + 64);
        message.writeBytes(fields.getBytes(StandardCharsets.UTF_8));
        message.writeBytes("data: ".getBytes(StandardCharsets.UTF_8));
        message.writeBytes(json);
        message.writeBytes("\n\n".getBytes(StandardCharsets.UTF_8));
        server.prolong();
        message.writeTo(out);
        out.flush();
        server.prolong();
    }
}
