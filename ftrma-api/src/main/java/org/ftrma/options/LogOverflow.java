package org.ftrma.options;

/** What becomes of a job whose logs do not fit. Any thread. */
public enum LogOverflow implements OptionWord {
    /** It goes on, with less to recover from. */
    WARN("a loss is then a fallback until the next checkpoint"),
    /** It ends. */
    ERROR("the job ends");

    private final String meaning;

    LogOverflow(String meaning) {
        this.meaning = meaning;
    }

    @Override
    public String meaning() {
        return meaning;
    }

    @Override
    public String toString() {
        return word();
    }
}
