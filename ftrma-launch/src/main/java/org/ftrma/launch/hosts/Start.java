package org.ftrma.launch.hosts;

import org.ftrma.options.OptionWord;

/** How the agents of hosts are started. Any thread. */
public enum Start implements OptionWord {
    /** By a remote shell. */
    SSH("ssh", "by ssh, or what --shell names"),
    /** By whoever reads what the launcher prints. */
    MANUAL("manual", "by hand: the command lines are printed");

    private final String word;
    private final String meaning;

    Start(String word, String meaning) {
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
