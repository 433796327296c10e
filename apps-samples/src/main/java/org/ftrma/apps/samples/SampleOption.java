package org.ftrma.apps.samples;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.ftrma.MisuseException;
import org.ftrma.options.CommandOption;
import org.ftrma.options.OptionText;
import org.ftrma.options.Units;

/**
 * One argument of a sample.
 *
 * @param text what is told of it; its default is the value where none is given
 */
public record SampleOption(OptionText text) implements CommandOption {
    static final String YES = "yes";
    static final String NO = "no";

    SampleOption(String key, String label, String defaultValue, String meaning) {
        this(new OptionText(key, label, defaultValue, meaning));
    }

    /** Values by key for the arguments {@code --name value} and {@code --name=value}; what is not given has its default. */
    static Map<String, String> parse(List<SampleOption> table, String[] args) {
        Map<String, String> values = new HashMap<>();
        table.forEach(option -> values.put(option.key(), option.defaultText()));
        for (int i = 0; i < args.length; i++) {
            int equals = args[i].indexOf('=');
            String name = equals < 0 ? args[i] : args[i].substring(0, equals);
            if (!name.startsWith("--") || !values.containsKey(name.substring(2))) {
                throw new MisuseException(args[i] + ": no such argument; there are " + table.stream().map(option -> "--" + option.key())
                    .collect(Collectors.joining(", ")));
            }
            if (equals < 0 && i + 1 == args.length) {
                throw new MisuseException(name + ": its value is missing");
            }
            values.put(name.substring(2), equals < 0 ? args[++i] : args[i].substring(equals + 1));
        }
        return values;
    }

    static int count(Map<String, String> values, String key, int min, int max) {
        return (int) Units.count(key, values.get(key), min, max);
    }

    static boolean yes(Map<String, String> values, String key) {
        String value = values.get(key);
        if (!value.equals(YES) && !value.equals(NO)) {
            throw new MisuseException("--" + key + "=" + value + ": must be yes or no");
        }
        return value.equals(YES);
    }

    /** The two numbers of {@code AxB}. */
    static int[] pair(Map<String, String> values, String key, int min, int max) {
        String value = values.get(key);
        String[] parts = value.split("x", -1);
        int[] sides = new int[2];
        for (int i = 0; i < 2; i++) {
            sides[i] = parts.length == 2 && parts[i].matches("[0-9]{1,9}") ? Integer.parseInt(parts[i]) : min - 1;
            if (sides[i] < min || sides[i] > max) {
                throw new MisuseException("--" + key + "=" + value + ": must be rows x columns, each " + min + " to " + max + ", as 128x96");
            }
        }
        return sides;
    }
}
