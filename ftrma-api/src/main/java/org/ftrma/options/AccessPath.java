package org.ftrma.options;

/** The way of accesses from process to process. Any thread. */
public enum AccessPath implements OptionWord {
    /** Mapped memory where processes share a host. */
    AUTO("auto", "mapped memory where possible"),
    /** UCX for all of them. */
    NETWORK("network", "always through UCX, over tcp loopback"),
    /** Mapped memory within a host, and UCX between hosts. */
    MIXED("mixed", "mapped memory within a host, UCX between hosts: always so with --hosts");

    private final String word;
    private final String meaning;

    AccessPath(String word, String meaning) {
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
