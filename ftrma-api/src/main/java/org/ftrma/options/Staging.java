package org.ftrma.options;

/** Place where a large put is packed before it is sent and logged. Any thread. */
public enum Staging implements OptionWord {
    /** In a buffer. */
    CACHE("cached buffer, streamed to a log larger than the caches"),
    /** In the log. */
    LOG("log memory, no copy");

    private final String meaning;

    Staging(String meaning) {
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
