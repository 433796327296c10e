package org.ftrma.options;

/** Form of demand checkpoints, which a rank takes alone to make room in logs. Any thread. */
public enum DemandForm implements OptionWord {
    /** The parity is computed beside the one that holds. */
    BULK("build a second parity"),
    /** The parity that holds is changed. */
    STREAMING("update it in place"),
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
