package org.ftrma.launch;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.IOException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.ftrma.launch.options.LauncherOption;

/** The JSON object of a command that came to no result of its own. Any thread. */
final class ErrorResult {
    private ErrorResult() {
    }

    /** Whether a command line, right or wrong, asks for a JSON object. */
    static boolean isAskedFor(String... args) {
        List<String> all = Arrays.asList(args);
        int end = all.indexOf("--");
        return all.subList(0, end < 0 ? all.size() : end).contains("--" + LauncherOption.JSON.key());
    }

    /** One line. */
    static String json(String app, int exitCode, String outcome, String message) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("app", app);
        json.put("exitCode", exitCode);
        json.put("outcome", outcome);
        json.put("message", message);
        try {
            return JSON.std.asString(json);
        } catch (IOException e) {
            throw new IllegalStateException("writing JSON failed", e);
        }
    }
}
