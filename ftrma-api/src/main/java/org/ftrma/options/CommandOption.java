package org.ftrma.options;

/** One of a table of options of a command line: name, value, default and meaning in one place. Any thread. */
public interface CommandOption {
    /** All that is told of it. */
    OptionText text();

    /** The name, as after {@code --}. */
    default String key() {
        return text().key();
    }

    /** What stands for the value in a help text; empty for a switch. */
    default String label() {
        return text().label();
    }

    /** What holds where it is not given, for people; empty where there is nothing to tell. */
    default String defaultText() {
        return text().defaultText();
    }

    /** One sentence. */
    default String meaning() {
        return text().meaning();
    }

    /** The meaning, and the default where there is one. */
    default String description() {
        return text().description();
    }

    /** The option of a table that has this name, or null. */
    static <T extends CommandOption> T byKey(T[] table, String key) {
        for (T option : table) {
            if (option.key().equals(key)) {
                return option;
            }
        }
        return null;
    }
}
