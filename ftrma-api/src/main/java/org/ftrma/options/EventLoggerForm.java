package org.ftrma.options;

/** Way of events to the event loggers of a rank. Any thread. */
public enum EventLoggerForm implements OptionWord {
    /** A rank writes them into the loggers' memory. */
    ONESIDED("the rank writes them"),
    /** A logger stores what ranks give it, and tells them. */
    ACTIVE("the logger polls, stores and acknowledges them");

    private final String meaning;

    EventLoggerForm(String meaning) {
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
