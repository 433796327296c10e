package org.ftrma.options;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.ftrma.MisuseException;

/**
 * The form of an option's value: what is allowed, which number it is, and what stands for it in a help text. Immutable;
 * any thread.
 */
public final class OptionForm {
    private final String label;
    private final Reader reader;
    private final List<OptionWord> words;
    private final long max;

    /** Reads a value. */
    @FunctionalInterface
    public interface Reader {
        /**
         * The number that a value is, or 0 where it is none.
         *
         * @throws MisuseException with the option, the value and what is allowed
         */
        long number(String key, String value);
    }

    private OptionForm(String label, Reader reader, List<OptionWord> words, long max) {
        this.label = label;
        this.reader = reader;
        this.words = words;
        this.max = max;
    }

    /** A form of the caller's own. */
    public static OptionForm of(String label, Reader reader) {
        return new OptionForm(label, reader, List.of(), Long.MAX_VALUE);
    }

    /** No value: the option is there or not. */
    public static OptionForm flag() {
        return of("", (key, value) -> 0);
    }

    /** Any text, which whoever uses it understands. */
    public static OptionForm text(String label) {
        return of(label, (key, value) -> 0);
    }

    /** A whole number within limits. */
    public static OptionForm count(long min, long max) {
        return new OptionForm("N", (key, value) -> Units.count(key, value, min, max), List.of(), max);
    }

    /** A time with a unit: ns, us, ms, s, m, h, d; its number is that of nanoseconds. */
    public static OptionForm duration(long minNanos, long maxNanos) {
        return of("TIME", (key, value) -> {
            long nanos = Units.durationNanos(key, value);
            if (nanos < minNanos || nanos > maxNanos) {
                throw new MisuseException("--" + key + "=" + value + ": must be at least " + Units.time(minNanos)
                    + " and at most "
                    + Units.time(maxNanos));
            }
            return nanos;
        });
    }

    /** A number of bytes with a unit: B, KiB, MiB, GiB. */
    public static OptionForm size(long min, long max) {
        return of("BYTES", (key, value) -> {
            long bytes = Units.sizeBytes(key, value);
            if (bytes < min || bytes > max) {
                throw new MisuseException("--" + key + "=" + value + ": must be " + Units.bytes(min) + " to "
                    + Units.bytes(max));
            }
            return bytes;
        });
    }

    /** A decimal number from 0 on. */
    public static OptionForm decimal(String label, int max, String form) {
        return of(label, (key, value) -> {
            double number;
            try {
                number = Double.parseDouble(value);
            } catch (NumberFormatException e) {
                number = Double.NaN;
            }
            if (!(number >= 0 && number <= max)) {
                throw new MisuseException("--" + key + "=" + value + ": must be 0 to " + max + ", " + form);
            }
            return (long) number;
        });
    }

    /** daly, steps, a duration, or none. */
    public static OptionForm interval() {
        return of("WHEN", (key, value) -> {
            Interval.parse(key, value);
            return 0;
        });
    }

    /** A directory, or none. */
    public static OptionForm directory() {
        return of("DIR", (key, value) -> {
            if (value.isEmpty() || value.indexOf(0) >= 0) {
                throw new MisuseException("--" + key + "=" + value + ": must be the name of a directory, or none");
            }
            return 0;
        });
    }

    /** A name of something that is not of this table: not empty. */
    public static OptionForm name(String label) {
        return of(label, (key, value) -> {
            if (value.isEmpty()) {
                throw new MisuseException("--" + key + "=: a value is missing");
            }
            return 0;
        });
    }

    /** yes or no; the number of yes is 1. */
    public static OptionForm yesNo() {
        return of("yes|no", (key, value) -> {
            if (!value.equals(OptionValues.YES) && !value.equals(OptionValues.NO)) {
                throw new MisuseException("--" + key + "=" + value + ": must be yes or no");
            }
            return value.equals(OptionValues.YES) ? 1 : 0;
        });
    }

    /** One of these words; its number is its place among them. */
    public static OptionForm oneOf(OptionWord... allowed) {
        List<OptionWord> words = List.of(allowed);
        return new OptionForm("NAME", (key, value) -> {
            for (int i = 0; i < allowed.length; i++) {
                if (words.get(i).word().equals(value)) {
                    return i;
                }
            }
            throw new MisuseException("--" + key + "=" + value + ": must be one of "
                + Arrays.stream(allowed).map(OptionWord::word).collect(Collectors.joining(", ")));
        }, words, allowed.length - 1);
    }

    /** This form, or a word in place of it, whose number is 0. */
    public OptionForm or(String word) {
        return new OptionForm(label, (key, value) -> value.equals(word) ? 0 : reader.number(key, value), words, max);
    }

    /** This form by another name in the help text. */
    public OptionForm as(String otherLabel) {
        return new OptionForm(otherLabel, reader, words, max);
    }

    /** What stands for the value in a help text; empty for a switch. */
    public String label() {
        return label;
    }

    /** Whether there is no value. */
    public boolean isFlag() {
        return label.isEmpty();
    }

    /** The largest number that is allowed of a count. */
    public long max() {
        return max;
    }

    /** The allowed words; none for other forms. */
    public List<String> words() {
        return words.stream().map(OptionWord::word).toList();
    }

    /** The allowed words, each with what it stands for; empty for other forms. */
    String explained() {
        String separator = words.size() > 2 ? ", or " : " or ";
        String text = "";
        for (int i = 0; i < words.size(); i++) {
            text += (i == 0 ? "" : i == words.size() - 1 ? separator : ", ") + words.get(i).explained();
        }
        return text;
    }

    /**
     * The number that a value is, or 0 where it is none.
     *
     * @throws MisuseException with the option, the value and what is allowed
     */
    public long number(String key, String value) {
        return reader.number(key, value);
    }
}
