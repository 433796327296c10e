package org.ftrma.options;

/** What becomes of a job whose logs do not fit. Any thread. */
public enum LogOverflow implements OptionWord {
    /** It goes on, with less to recover from. */
    WARN("warn", "a loss is then a fallback until the next checkpoint"),
    /** It ends. */
    ERROR("error", "the job ends");

    private final String word;
    private final String meaning;

    LogOverflow(String word, String meaning) {
        this.word = word;
        this.meaning = meaning;
    }

    @Override
    public String word() {
        return word;
    }

    @Override
    public String meaning() {
        return meaning;
    }

    @Override
    public String toString() {
        return word;
    }
}
