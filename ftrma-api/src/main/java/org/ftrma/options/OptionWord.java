package org.ftrma.options;

/** One of the words that an option's value may be: an enum of them is the option's type. Any thread. */
public interface OptionWord {
    /** As it is typed. */
    String word();

    /** What it stands for, in a few words; empty where the word tells it. */
    String meaning();

    /** The word and, in brackets, what it stands for. */
    default String explained() {
        return word() + (meaning().isEmpty() ? "" : " (" + meaning() + ")");
    }
}
