package org.ftrma.xor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The figures in docs/internals/checkpoint.md are those that the code computes. */
class DocumentationTest {
    private static final Map<String, Double> SECONDS = Map.of("ms", 1e-3, "s", 1.0, "min", 60.0, "h", 3600.0);
    private static final Pattern DALY_ROW =
        Pattern.compile("(?m)^\\| (\\d+ m?s|\\d+ min) \\| (\\d+ h) \\| ([^|]+) \\|$");
    private static final Pattern TIME = Pattern.compile("(\\d+) (ms|s|min|h)");

    private static String page() throws IOException {
        return Files.readString(Path.of("..", "docs", "internals", "checkpoint.md"));
    }

    private static double seconds(String text) {
        double seconds = 0;
        Matcher matcher = TIME.matcher(text);
        while (matcher.find()) {
            seconds += Integer.parseInt(matcher.group(1)) * SECONDS.get(matcher.group(2));
        }
        return seconds;
    }

    @Test
    void theTableOfIntervalsIsDalysFormula() throws IOException {
        Matcher row = DALY_ROW.matcher(page());
        int rows = 0;
        while (row.find()) {
            double interval = DalyInterval.seconds(seconds(row.group(1)), seconds(row.group(2)));
            assertEquals(interval, seconds(row.group(3)), 0.5, row.group());
            rows++;
        }
        assertEquals(5, rows);
    }

    @Test
    void theExampleOfMemoryIsWhatThePlanSays() throws IOException {
        long controlBytes = 4096 + 2 * 65536;
        MemoryPlan plan = MemoryPlan.of(new MemoryDemand(4, 1, 1).windows(256L << 20).control(controlBytes));
        assertTrue(page().contains(plan.table()), plan.table());
    }
}
