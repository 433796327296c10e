package org.ftrma.launch.hosts;

import org.ftrma.options.OptionWord;

/** How the agents of hosts are started. Any thread. */
public enum Start implements OptionWord {
    /** By a remote shell. */
    SSH("by ssh, or what --shell names"),
    /** By whoever reads what the launcher prints. */
    MANUAL("by hand: the command lines are printed");

    private final String meaning;

    Start(String meaning) {
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
