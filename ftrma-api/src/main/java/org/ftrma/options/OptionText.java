package org.ftrma.options;

/**
 * Name, form, default and meaning of an option. Any thread.
 *
 * @param key the name, as after {@code --}
 * @param form the form of its value
 * @param defaultText what holds where it is not given, for people; empty where there is nothing to tell
 * @param meaning one sentence
 */
public record OptionText(String key, OptionForm form, String defaultText, String meaning) {
    /** The place of the allowed words in a sentence; see {@link OptionForm#oneOf}. */
    public static final String WORDS = "{words}";

    /** The allowed words, and what they stand for, take their place in the sentence. */
    public OptionText {
        meaning = meaning.replace(WORDS, form.explained());
    }

    /** What stands for the value in a help text; empty for a switch. */
    public String label() {
        return form.label();
    }

    /** The meaning, and the default where there is one. */
    public String description() {
        return meaning + (defaultText.isEmpty() ? "" : " (default: " + defaultText + ")");
    }
}
