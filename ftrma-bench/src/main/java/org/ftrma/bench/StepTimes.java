package org.ftrma.bench;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The distribution of the times of a job's steps. Immutable.
 *
 * @param millis by the name of the figure
 */
record StepTimes(Map<String, Double> millis) {
    /** What is told of it: the name of each figure, and the part of the steps that is below. */
    static final Map<String, Double> PARTS = parts();
    private static final String MEAN = "meanMillis";

    private static Map<String, Double> parts() {
        Map<String, Double> parts = new LinkedHashMap<>();
        parts.put("medianMillis", 0.5);
        parts.put("p90Millis", 0.9);
        parts.put("p99Millis", 0.99);
        parts.put("longestMillis", 1.0);
        return parts;
    }

    /** As {@link StepTimesProgram} has reported it in the result of its job. */
    static StepTimes of(Map<String, Object> result) throws IOException {
        Map<String, Double> millis = new LinkedHashMap<>();
        if (result.get("reports") instanceof Map<?, ?> reports) {
            millis.put(MEAN, reports.get(MEAN) instanceof Number number ? number.doubleValue() : Double.NaN);
            PARTS.keySet().forEach(part -> millis.put(part, reports.get(part) instanceof Number number
                ? number.doubleValue() : Double.NaN));
        }
        if (millis.isEmpty() || millis.containsValue(Double.NaN)) {
            throw new IOException("the job reported no times of steps: " + result);
        }
        return new StepTimes(millis);
    }
}
