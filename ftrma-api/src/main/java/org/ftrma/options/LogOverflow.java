package org.ftrma.options;

/** Reaction to logs that do not fit. Any thread. */
public enum LogOverflow implements OptionWord {
    /** It goes on, with less to recover from. */
    WARN("until the next checkpoint a loss may roll back all ranks"),
    /** It ends. */
    ERROR("end the job");

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
