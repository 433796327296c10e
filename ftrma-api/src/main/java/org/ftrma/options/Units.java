package org.ftrma.options;

import java.math.BigDecimal;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.ftrma.MisuseException;

/** Numbers with units, with errors that name the option, the value and what is allowed. */
public final class Units {
    private static final Pattern NUMBER_UNIT = Pattern.compile("([0-9]{1,18}(?:\\.[0-9]{1,18})?)\\s*([A-Za-z]+)");
    private static final Map<String, Long> NANOS = Map.of("ns", 1L, "us", 1_000L, "ms", 1_000_000L, "s", 1_000_000_000L,
        "m", 60_000_000_000L, "min", 60_000_000_000L, "h", 3_600_000_000_000L, "d", 86_400_000_000_000L);
    private static final Map<String, Long> BYTES = Map.of("b", 1L, "k", 1L << 10, "kib", 1L << 10, "m", 1L << 20, "mib",
        1L << 20,
        "g", 1L << 30, "gib", 1L << 30, "tib", 1L << 40);

    private Units() {
    }

    /** A whole number within limits. */
    public static long count(String option, String text, long min, long max) {
        long value;
        try {
            value = Long.parseLong(text.trim());
        } catch (NumberFormatException e) {
            throw new MisuseException("--" + option + "=" + text + ": not a whole number ("
                + (min == Long.MIN_VALUE ? "of 64 bits)" : min + " to " + max + ")"));
        }
        if (value < min || value > max) {
            throw new MisuseException("--" + option + "=" + text + ": must be " + min + " to " + max);
        }
        return value;
    }

    /** A time with a unit, in nanoseconds. */
    public static long durationNanos(String option, String text) {
        return scaled(option, text, NANOS, "a time with a unit such as 250ms, 2.7s, 10m, 1h, 7d");
    }

    /** A size with a unit, in bytes. */
    public static long sizeBytes(String option, String text) {
        return scaled(option, text, BYTES, "a size with a unit such as 4096B, 64KiB, 64MiB, 2GiB");
    }

    private static long scaled(String option, String text, Map<String, Long> units, String form) {
        Matcher matcher = NUMBER_UNIT.matcher(text.trim());
        Long unit = matcher.matches() ? units.get(matcher.group(2).toLowerCase(Locale.ROOT)) : null;
        if (unit == null) {
            throw new MisuseException("--" + option + "=" + text + ": not " + form);
        }
        BigDecimal value = new BigDecimal(matcher.group(1)).multiply(BigDecimal.valueOf(unit));
        if (value.signum() <= 0 || value.compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) > 0) {
            throw new MisuseException("--" + option + "=" + text + ": must be more than zero and less than "
                + (units == NANOS ? "106751d, which are 292 years" : "8589934592GiB"));
        }
        return Math.max(1, value.longValue());
    }

    /** A time in the largest unit that makes it a whole number. */
    public static String time(long nanos) {
        String[] names = {"d", "h", "m", "s", "ms", "us"};
        for (String name : names) {
            if (nanos % NANOS.get(name) == 0) {
                return nanos / NANOS.get(name) + name;
            }
        }
        return nanos + "ns";
    }

    /** Bytes for people: binary units, one decimal. */
    public static String bytes(long bytes) {
        String[] names = {"B", "KiB", "MiB", "GiB", "TiB"};
        double value = bytes;
        int unit = 0;
        while (value >= 1024 && unit < names.length - 1) {
            value /= 1024;
            unit++;
        }
        return unit == 0 ? bytes + " B" : String.format(Locale.ROOT, "%.1f %s", value, names[unit]);
    }
}
