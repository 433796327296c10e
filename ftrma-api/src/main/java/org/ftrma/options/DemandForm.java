package org.ftrma.options;

/** How a rank that needs room in the logs takes a checkpoint of its own. Any thread. */
public enum DemandForm implements OptionWord {
    /** The parity is computed beside the one that holds. */
    BULK("bulk", "a new parity beside the old one"),
    /** The parity that holds is changed. */
    STREAMING("streaming", "the parity is changed in place"),
    /** It takes none. */
    OFF("off", "");

    private final String word;
    private final String meaning;

    DemandForm(String word, String meaning) {
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
