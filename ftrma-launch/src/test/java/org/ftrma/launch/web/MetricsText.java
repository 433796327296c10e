package org.ftrma.launch.web;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads a text in the OpenMetrics format, or in the older one of Prometheus, and fails where it is none: by the rules
 * of version 1.0.0 and 0.0.4 for the types that are used here. Immutable; any thread.
 */
public final class MetricsText {
    private static final String NAME = "[a-zA-Z_:][a-zA-Z0-9_:]*";
    private static final Pattern METADATA = Pattern.compile("# (TYPE|UNIT|HELP) (" + NAME + ") (.+)");
    private static final Pattern SAMPLE = Pattern.compile("(" + NAME + ")(?:\\{(.*)})? (\\S+)");
    private static final Pattern LABEL = Pattern.compile(
        "([a-zA-Z_][a-zA-Z0-9_]*)=\"((?:[^\"\\\\\n]|\\\\[\\\\\"n])*)\"(,|$)");
    private static final Pattern NUMBER = Pattern.compile("-?[0-9]+(\\.[0-9]+)?");
    private static final String END = "# EOF\n";
    private static final Map<String, String> SUFFIXES = Map.of("gauge", "", "counter", "_total", "info", "_info",
        "stateset", "");

    private final boolean isOpen;

    private final Map<String, Double> samples = new LinkedHashMap<>();
    private final Map<String, String> families = new LinkedHashMap<>();
    private final Map<String, String> units = new LinkedHashMap<>();
    private final Set<String> helped = new HashSet<>();
    private String family = "";
    private boolean hasSamples;

    /**
     * All of a text.
     *
     * @param isOpen whether it is in the OpenMetrics format
     */
    public MetricsText(String text, boolean isOpen) {
        this.isOpen = isOpen;
        int end = isOpen ? text.length() - END.length() : text.length();
        assertTrue(text.substring(0, end).endsWith("\n") && text.indexOf("# EOF") == (isOpen ? end : -1),
            "no end, or something behind it");
        for (String line : text.substring(0, end).split("\n")) {
            if (line.startsWith("#")) {
                metadata(line);
            } else {
                sample(line);
            }
        }
        families.keySet().forEach(name -> assertTrue(helped.contains(name), name + " has no help"));
    }

    private void metadata(String line) {
        Matcher matcher = METADATA.matcher(line);
        assertTrue(matcher.matches(), line);
        String name = matcher.group(2);
        String value = matcher.group(3);
        if (!name.equals(family)) {
            assertEquals("TYPE", matcher.group(1), line);
            assertTrue(!families.containsKey(name), "this family is not in one piece: " + line);
            family = name;
            hasSamples = false;
        }
        assertTrue(!hasSamples, "metadata behind samples: " + line);
        switch (matcher.group(1)) {
            case "TYPE" -> {
                assertTrue(isOpen ? SUFFIXES.containsKey(value) : List.of("gauge", "counter").contains(value), line);
                assertTrue(isOpen || name.endsWith("_total") == value.equals("counter"), line);
                assertTrue(!isOpen || SUFFIXES.values().stream().noneMatch(suffix -> !suffix.isEmpty()
                    && name.endsWith(suffix)),
                    "a family's name has no suffix: " + line);
                assertEquals(null, families.put(name, value), line);
            }
            case "UNIT" -> {
                assertTrue(isOpen && name.endsWith("_" + value) && !families.get(name).equals("info")
                    && !families.get(name).equals("stateset"), line);
                assertEquals(null, units.put(name, value), line);
            }
            default -> assertTrue(helped.add(name), line);
        }
    }

    private void sample(String line) {
        Matcher matcher = SAMPLE.matcher(line);
        assertTrue(matcher.matches(), line);
        String type = families.get(family);
        assertEquals(family + (isOpen ? SUFFIXES.get(type) : ""), matcher.group(1), line);
        hasSamples = true;
        Map<String, String> labels = labels(matcher.group(2), line);
        assertTrue(NUMBER.matcher(matcher.group(3)).matches(), line);
        double value = Double.parseDouble(matcher.group(3));
        switch (type) {
            case "counter" -> assertTrue(value >= 0, line);
            case "info" -> assertTrue(value == 1, line);
            case "stateset" -> assertTrue((value == 0 || value == 1) && labels.containsKey(family), line);
            default -> assertTrue(Double.isFinite(value), line);
        }
        assertEquals(null, samples.put(line.substring(0, line.lastIndexOf(' ')), value), "twice: " + line);
    }

    private static Map<String, String> labels(String text, String line) {
        Map<String, String> labels = new LinkedHashMap<>();
        Matcher matcher = LABEL.matcher(text == null ? "" : text);
        int at = 0;
        while (text != null && at < text.length()) {
            assertTrue(matcher.find(at) && matcher.start() == at, line);
            assertEquals(null, labels.put(matcher.group(1), matcher.group(2)), line);
            at = matcher.end();
            assertEquals(matcher.group(3).isEmpty(), at == text.length(), line);
        }
        return labels;
    }

    /** By name and labels, as they are written. */
    public double get(String sample) {
        assertTrue(samples.containsKey(sample), () -> "there is no " + sample + " in " + samples.keySet());
        return samples.get(sample);
    }

    /** The names of all families. */
    public List<String> families() {
        return List.copyOf(families.keySet());
    }
}
