package org.ftrma.options;

/** The way of accesses from process to process. Any thread. */
public enum AccessPath implements OptionWord {
    /** Mapped memory where processes share a host. */
    AUTO("mapped memory where possible"),
    /** UCX for all of them. */
    NETWORK("always UCX, over TCP loopback"),
    /** Mapped memory within a host, and UCX between hosts. */
    MIXED("mapped memory within hosts, UCX between them; always with --hosts");

    private final String meaning;

    AccessPath(String meaning) {
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
