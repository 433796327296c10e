package org.ftrma.apps.samples;

import org.ftrma.options.CommandOption;
import org.ftrma.options.OptionForm;
import org.ftrma.options.OptionTable;
import org.ftrma.options.OptionText;

/** The arguments of the ping-pong sample: name, form, default and meaning in one place. Any thread. */
enum PingPongOption implements CommandOption {
    STEPS("steps", OptionForm.count(1, 1_000_000), "24",
        "steps, 1 to 1000000: messages of 1 byte in the first one, twice as many in each that follows up to 8 MiB in "
        + "the 24th, and then from 1 byte on again"),
    REPETITIONS("repetitions", OptionForm.count(1, 1_000_000), "1000",
        "round trips in each step, 1 to 1000000; of messages above 16 KiB fewer, so that no step moves more bytes"),
    ANY_SOURCE("any-source", OptionForm.flag(), "",
        "receive by a request that names no source, and waitAny; else of the named source");

    static final OptionTable<PingPongOption> TABLE = OptionTable.of(PingPongOption.class);

    private final OptionText text;

    PingPongOption(String key, OptionForm form, String defaultText, String meaning) {
        text = new OptionText(key, form, defaultText, meaning);
    }

    @Override
    public OptionText text() {
        return text;
    }
}
