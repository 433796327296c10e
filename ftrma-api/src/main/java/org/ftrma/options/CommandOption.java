package org.ftrma.options;

/**
 * An option of a command line: name, form, default and meaning in one place. Implemented by the enums of {@link
 * OptionTable}s. Any thread.
 */
public interface CommandOption {
    /** All that is told of it. */
    OptionText text();

    /** The name, as after {@code --}. */
    default String key() {
        return text().key();
    }

    /** The form of its value. */
    default OptionForm form() {
        return text().form();
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

    /** Whether it may be given several times. */
    default boolean repeatable() {
        return false;
    }

    /**
     * The number that a value of it is, or 0 where it is none.
     *
     * @throws org.ftrma.MisuseException with the option, the value and what is allowed
     */
    default long number(String value) {
        return form().number(key(), value);
    }
}
