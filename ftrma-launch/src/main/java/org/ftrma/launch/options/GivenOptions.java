package org.ftrma.launch.options;

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.ftrma.MisuseException;
import org.ftrma.options.CommandOption;
import org.ftrma.options.OptionWord;
import picocli.CommandLine.ParseResult;

/** The options of a command line, by option. One thread. */
public final class GivenOptions {
    private final ParseResult parsed;

    /** Of a command line that was understood. */
    public GivenOptions(ParseResult parsed) {
        this.parsed = parsed;
    }

    /** Whether it is given. */
    public boolean has(CommandOption option) {
        return parsed.hasMatchedOption(option.key());
    }

    /** The value or its default. */
    public String text(CommandOption option) {
        return text(option, option.defaultText());
    }

    /** The value, or another one. */
    public String text(CommandOption option, String missing) {
        return parsed.matchedOptionValue(option.key(), missing);
    }

    /**
     * The number that the value is, or its default.
     *
     * @throws MisuseException with the option, its value and what is allowed
     */
    public long number(CommandOption option) {
        return option.number(text(option));
    }

    /** The number that the value is, or another one. */
    public long number(CommandOption option, long missing) {
        return has(option) ? number(option) : missing;
    }

    /** The word that the value is, or its default, of an option that is one of these. */
    public <W extends Enum<W> & OptionWord> W word(CommandOption option, Class<W> words) {
        return words.getEnumConstants()[(int) number(option)];
    }

    /** All values of an option that may be repeated. */
    public List<String> all(CommandOption option) {
        return parsed.matchedOptionValue(option.key(), List.of());
    }

    /** Words that are no options. */
    public List<String> words() {
        return parsed.hasMatchedPositional(0) ? parsed.matchedPositionalValue(0, List.of()) : List.of();
    }

    /** Those of a table that are given. */
    public <E extends Enum<E> & CommandOption> Set<E> allOf(Class<E> type) {
        Set<E> given = EnumSet.allOf(type);
        given.removeIf(option -> !has(option));
        return given;
    }

    /** The values of a table's options as they are given; not checked yet. */
    public <E extends Enum<E> & CommandOption> Map<E, String> of(Class<E> type) {
        Map<E, String> given = new EnumMap<>(type);
        for (E option : type.getEnumConstants()) {
            if (has(option)) {
                given.put(option, option.form().isFlag() ? "" : text(option));
            }
        }
        return given;
    }
}
