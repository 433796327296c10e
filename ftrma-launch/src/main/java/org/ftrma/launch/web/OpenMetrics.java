package org.ftrma.launch.web;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Writes metrics as text in the OpenMetrics format, version 1.0.0, and makes the older format of it. One thread. */
final class OpenMetrics {
    /** Of the text. */
    static final String CONTENT_TYPE = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    /** Of the same in the older format, which all know. */
    static final String PLAIN_TYPE = "text/plain; version=0.0.4; charset=utf-8";
    private static final int SECONDS_DIGITS = 9;
    private static final Pattern QUALITY = Pattern.compile(";\\s*q=([0-9.]{1,6})");

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
        text.append("# TYPE ").append(name).append(' ').append(type.name().toLowerCase(Locale.ROOT))
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

    /**
     * Whether who asks wants this format, and not rather the older one.
     *
     * @param accept the values of the header
     */
    static boolean isAsked(List<String> accept) {
        double open = 0;
        double plain = 0;
        for (String type : String.join(",", accept).split(",")) {
            Matcher quality = QUALITY.matcher(type);
            double value = quality.find() && quality.group(1).matches("[01](\\.[0-9]*)?")
                ? Double.parseDouble(quality.group(1)) : 1;
            if (type.strip().startsWith("application/openmetrics-text")) {
                open = Math.max(open, value);
            } else if (type.strip().startsWith("text/plain")) {
                plain = Math.max(plain, value);
            }
        }
        return open > 0 && open >= plain;
    }

    /**
     * The same in Prometheus's text format, version 0.0.4: a family is called like its samples there, has no unit, and
     * is a gauge unless it counts; and the text has no end.
     */
    static byte[] plain(byte[] openMetrics) {
        StringBuilder plain = new StringBuilder(openMetrics.length);
        String suffix = "";
        for (String line : new String(openMetrics, StandardCharsets.UTF_8).lines().toList()) {
            String[] words = line.split(" ", 4); // # TYPE name gauge
            if (!line.startsWith("#")) {
                plain.append(line).append('\n');
            } else if (words[1].equals("TYPE")) {
                Type type = Type.valueOf(words[3].toUpperCase(Locale.ROOT));
                suffix = type.suffix;
                plain.append("# TYPE ").append(words[2]).append(suffix).append(type == Type.COUNTER ? " counter\n"
                    : " gauge\n");
            } else if (words[1].equals("HELP")) {
                plain.append("# HELP ").append(words[2]).append(suffix).append(' ')
                    .append(words[3].replace("\\\"", "\"")).append('\n');
            }
        }
        return plain.toString().getBytes(StandardCharsets.UTF_8);
    }

    /** The whole text. */
    String end() {
        return text.append("# EOF\n").toString();
    }
}
