package org.ftrma.options;

import java.util.Locale;

/**
 * One of the words that an option's value may be: an enum of them is the option's type, and the names of its constants
 * are the words. {@link OptionForm#oneOf} reads and explains them. Any thread.
 */
public interface OptionWord {
    /** The constant's. */
    String name();

    /** As it is typed. */
    default String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** What it stands for, in a few words; empty where the word tells it. */
    String meaning();

    /** The word and, in brackets, what it stands for. */
    default String explained() {
        return word() + (meaning().isEmpty() ? "" : " (" + meaning() + ")");
    }
}
