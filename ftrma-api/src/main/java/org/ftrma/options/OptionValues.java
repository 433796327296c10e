package org.ftrma.options;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Values of the options of a table; what is not given has its default. Immutable; any thread.
 *
 * @param <E> the enum whose constants are the options
 */
public final class OptionValues<E extends Enum<E> & CommandOption> {
    /** The values of {@link OptionForm#yesNo}. */
    public static final String YES = "yes";
    /** The other one. */
    public static final String NO = "no";

    private final EnumMap<E, String> given;

    OptionValues(Class<E> type, Map<E, String> given) {
        this.given = new EnumMap<>(type);
        this.given.putAll(given);
    }

    /** Whether it is given. */
    public boolean has(E option) {
        return given.containsKey(option);
    }

    /** The value, or the default. */
    public String text(E option) {
        return given.getOrDefault(option, option.defaultText());
    }

    /** The number that the value is, or the default. */
    public long number(E option) {
        return option.number(text(option));
    }

    /** The number that the value is, or another default than the one that is told. */
    public long number(E option, long missing) {
        return has(option) ? number(option) : missing;
    }

    /** The same of what is at most {@link Integer#MAX_VALUE}. */
    public int count(E option) {
        return Math.toIntExact(number(option));
    }

    /** A decimal number. */
    public double decimal(E option) {
        return Double.parseDouble(text(option));
    }

    /** Whether it is yes; see {@link OptionForm#yesNo}. */
    public boolean yes(E option) {
        return number(option) == 1;
    }

    /** What is given, as arguments for {@link OptionTable#parse(List)}. */
    public List<String> arguments() {
        List<String> arguments = new ArrayList<>();
        given.forEach((option, value) -> {
            arguments.add("--" + option.key());
            if (!option.form().isFlag()) {
                arguments.add(value);
            }
        });
        return arguments;
    }
}
