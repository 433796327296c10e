package org.ftrma.options;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.ftrma.MisuseException;

/**
 * The options of a command or a program, in one table: their names, the arguments of a command line that they are given
 * by, what is allowed, and a
 * help text come from it. Immutable; any thread.
 *
 * @param <E> the enum whose constants are the options
 */
public final class OptionTable<E extends Enum<E> & CommandOption> {
    private static final int WIDTH = 84;

    private final Class<E> type;
    private final List<E> options;

    private OptionTable(Class<E> type) {
        this.type = type;
        this.options = List.of(type.getEnumConstants());
    }

    /** All options of an enum. */
    public static <E extends Enum<E> & CommandOption> OptionTable<E> of(Class<E> type) {
        return new OptionTable<>(type);
    }

    /** The options in the order in which they are shown. */
    public List<E> options() {
        return options;
    }

    /** Their names. */
    public List<String> keys() {
        return options.stream().map(CommandOption::key).toList();
    }

    /** The option of that name, or null. */
    public E byKey(String key) {
        for (E option : options) {
            if (option.key().equals(key)) {
                return option;
            }
        }
        return null;
    }

    /**
     * Values from the arguments {@code --name value} and {@code --name=value}, and {@code --name} for switches.
     *
     * @throws MisuseException with the argument, its value and what is allowed
     */
    public OptionValues<E> parse(List<String> arguments) {
        Map<E, String> given = new EnumMap<>(type);
        for (int i = 0; i < arguments.size(); i++) {
            String argument = arguments.get(i);
            int equals = argument.indexOf('=');
            String name = equals < 0 ? argument : argument.substring(0, equals);
            E option = name.startsWith("--") ? byKey(name.substring(2)) : null;
            if (option == null || equals >= 0 && option.form().isFlag()) {
                throw new MisuseException(argument + ": no such argument; there are "
                    + options.stream().map(one -> "--" + one.key()).collect(Collectors.joining(", ")));
            }
            if (equals < 0 && !option.form().isFlag() && i + 1 == arguments.size()) {
                throw new MisuseException(name + ": its value is missing");
            }
            given.put(option, option.form().isFlag() ? "" : equals < 0 ? arguments.get(++i) : argument.substring(equals
                + 1));
        }
        return values(given);
    }

    /** The same of a program's arguments. */
    public OptionValues<E> parse(String... arguments) {
        return parse(List.of(arguments));
    }

    /**
     * These values, checked.
     *
     * @throws MisuseException with the option, its value and what is allowed
     */
    public OptionValues<E> values(Map<E, String> given) {
        given.forEach(CommandOption::number);
        return new OptionValues<>(type, given);
    }

    /** A line, or several, for each option. */
    public String help() {
        int left = 2 + options.stream().mapToInt(option -> synopsis(option).length()).max().orElse(0) + 1;
        StringBuilder text = new StringBuilder();
        for (E option : options) {
            text.append(String.format("  %-" + (left - 2) + "s%s%n", synopsis(option), String.join("\n"
                + " ".repeat(left), wrapped(option.description()))));
        }
        return text.toString();
    }

    private static String synopsis(CommandOption option) {
        return "--" + option.key() + (option.label().isEmpty() ? "" : " " + option.label());
    }

    private static List<String> wrapped(String meaning) {
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder();
        for (String word : meaning.split(" ")) {
            if (line.length() + word.length() > WIDTH) {
                lines.add(line.toString());
                line.setLength(0);
            }
            line.append(line.isEmpty() ? "" : " ").append(word);
        }
        lines.add(line.toString());
        return lines;
    }
}
