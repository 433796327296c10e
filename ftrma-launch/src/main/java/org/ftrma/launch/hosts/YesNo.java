package org.ftrma.launch.hosts;

import org.ftrma.options.OptionWord;

/** The answer to whether something may be done. Any thread. */
enum YesNo implements OptionWord {
    /** It may. */
    YES("rather than end the job"),
    /** It may not. */
    NO("end the job");

    private final String meaning;

    YesNo(String meaning) {
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
