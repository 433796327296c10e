package org.ftrma.options;

/** How a rank that needs room in the logs takes a checkpoint of its own. Any thread. */
public enum DemandForm implements OptionWord {
    /** The parity is computed beside the one that holds. */
    BULK("a new parity beside the old one"),
    /** The parity that holds is changed. */
    STREAMING("the parity is changed in place"),
    /** It takes none. */
    OFF("");

    private final String meaning;

    DemandForm(String meaning) {
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
