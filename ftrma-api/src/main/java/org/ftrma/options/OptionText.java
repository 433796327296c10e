package org.ftrma.options;

/**
 * What is told of an option.
 *
 * @param key the name, as after {@code --}
 * @param label what stands for the value in a help text; empty for a switch
 * @param defaultText what holds where it is not given, for people; empty where there is nothing to tell
 * @param meaning one sentence
 */
public record OptionText(String key, String label, String defaultText, String meaning) {
    /** The meaning, and the default where there is one. */
    public String description() {
        return meaning + (defaultText.isEmpty() ? "" : " (default: " + defaultText + ")");
    }
}
