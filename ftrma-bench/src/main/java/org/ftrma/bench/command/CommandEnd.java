package org.ftrma.bench.command;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;

/** The JSON object with which a command ends: what all commands tell, then the figures. One line. Any thread. */
public final class CommandEnd {
    /** The option that asks for it. */
    public static final String ASKED = "--json";

    private CommandEnd() {
    }

    /** All went well. */
    public static String success(Map<String, Object> figures) {
        return json(0, "success", "", figures);
    }

    /** There are no figures. */
    public static String failed(int status, String message) {
        return json(status, "failed", message, Map.of());
    }

    private static String json(int status, String outcome, String message, Map<String, Object> figures) {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("app", "bench");
        all.put("exitCode", status);
        all.put("outcome", outcome);
        all.put("message", message);
        all.putAll(figures);
        try {
            return JSON.std.with(JSON.Feature.WRITE_NULL_PROPERTIES).asString(all);
        } catch (IOException e) {
            throw new IllegalStateException("writing JSON failed", e);
        }
    }
}
