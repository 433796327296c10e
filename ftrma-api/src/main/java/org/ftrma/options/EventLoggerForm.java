package org.ftrma.options;

/** How events come to the event loggers of a rank. Any thread. */
public enum EventLoggerForm implements OptionWord {
    /** A rank writes them into the loggers' memory. */
    ONESIDED("a rank writes events to where they are kept"),
    /** A logger stores what ranks give it, and tells them. */
    ACTIVE("a logger stores what it is given and acknowledges it; its process polls");

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
