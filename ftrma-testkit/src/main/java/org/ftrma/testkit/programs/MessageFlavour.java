package org.ftrma.testkit.programs;

import java.util.List;
import java.util.Locale;
import org.ftrma.MisuseException;

/** Kind of communication of a random message program. */
public enum MessageFlavour {
    /** From named sources: in an order that all know, with tags asked for out of order, some a step or two later. */
    PTP,
    /** From any source, with any tag, with tests, probes, cancelled receives; what they tell decides what is sent. */
    ANY,
    /** Collectives of several channels. */
    COLLECTIVES,
    /** All of that in each step. */
    MIXED;

    /** As it is written in commands. */
    public String key() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The flavour of that name. */
    public static MessageFlavour byKey(String key) {
        return List.of(values()).stream().filter(flavour -> flavour.key().equals(key)).findFirst()
            .orElseThrow(() -> new MisuseException("flavour=" + key + ": must be one of "
                + String.join(", ", List.of(values()).stream().map(MessageFlavour::key).toList())));
    }
}
