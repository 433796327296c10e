package org.ftrma.launch.hosts;

import org.ftrma.options.OptionWord;

/** Whether something may be done. Any thread. */
enum YesNo implements OptionWord {
    /** It may. */
    YES("yes", "rather that than the end of the job"),
    /** It may not. */
    NO("no", "then the job ends");

    private final String word;
    private final String meaning;

    YesNo(String word, String meaning) {
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
