package org.ftrma.launch.web;

import java.math.BigDecimal;

/** Writes metrics as text in the OpenMetrics format, version 1.0.0. One thread. */
final class OpenMetrics {
    /** Of the text. */
    static final String CONTENT_TYPE = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    private static final int SECONDS_DIGITS = 9;

    /** What a family of metrics is. */
    enum Type {
        /** A value of now. */
        GAUGE(""),
        /** It only grows, until its process is another one. */
        COUNTER("_total"),
        /** Texts. */
        INFO("_info"),
        /** One of several words. */
        STATESET("");

        private final String suffix;

        Type(String suffix) {
            this.suffix = suffix;
        }
    }

    private final StringBuilder text = new StringBuilder(1 << 14);
    private String name = "";
    private String suffix = "";

    /**
     * Begins a family; its samples follow.
     *
     * @param familyName ends with the unit, if there is one
     * @param unit empty: none
     */
    OpenMetrics family(String familyName, Type type, String unit, String help) {
        name = familyName;
        suffix = type.suffix;
        text.append("# TYPE ").append(name).append(' ').append(type.name().toLowerCase(java.util.Locale.ROOT))
            .append('\n');
        if (!unit.isEmpty()) {
            text.append("# UNIT ").append(name).append(' ').append(unit).append('\n');
        }
        text.append("# HELP ").append(name).append(' ').append(escaped(help)).append('\n');
        return this;
    }

    private static String escaped(String value) {
        return value.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
    }

    private OpenMetrics write(String value, String... labels) {
        text.append(name).append(suffix);
        for (int i = 0; i < labels.length; i += 2) {
            text.append(i == 0 ? '{' : ',').append(labels[i]).append("=\"").append(escaped(labels[i + 1])).append('"');
        }
        text.append(labels.length == 0 ? " " : "} ").append(value).append('\n');
        return this;
    }

    /**
     * A sample.
     *
     * @param labels names and values in turn
     */
    OpenMetrics sample(long value, String... labels) {
        return write(Long.toString(value), labels);
    }

    /** A sample in seconds, exactly. */
    OpenMetrics seconds(long nanos, String... labels) {
        BigDecimal seconds = BigDecimal.valueOf(nanos, SECONDS_DIGITS).stripTrailingZeros();
        return write(seconds.toPlainString(), labels);
    }

    /** The whole text. */
    String end() {
        return text.append("# EOF\n").toString();
    }
}
