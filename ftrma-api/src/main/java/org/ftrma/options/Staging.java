package org.ftrma.options;

/** Where a large put is packed before it is sent and logged. Any thread. */
public enum Staging implements OptionWord {
    /** In a buffer. */
    CACHE("a buffer that stays in the processor's caches; the put streams it past them to the log, if that "
        + "is larger than they are"),
    /** In the log. */
    LOG("memory of the log: logged without a copy");

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
