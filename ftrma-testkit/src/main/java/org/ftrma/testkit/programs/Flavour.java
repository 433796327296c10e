package org.ftrma.testkit.programs;

import java.util.List;
import java.util.Locale;
import org.ftrma.MisuseException;

/** Kind of synchronization of a random program. */
public enum Flavour {
    /** Phases between gsyncs. */
    GSYNC,
    /** Exclusive and shared locks; few collectives. */
    LOCKS,
    /** Atomics and flush under shared locks that are held over all steps; few collectives. */
    ATOMICS,
    /** All of them in every step, on windows of their own, with values that pass from one to the other. */
    MIXED,
    /**
     * Everything on the same windows in the same phase: own atomics, own puts, direct use, locks that guard other
     * windows at other ranks.
     */
    TANGLED,
    /** The same without phases: locks alone order what the ranks do. */
    GUARDED;

    /** As it is written in commands. */
    public String key() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The flavour of that name. */
    public static Flavour byKey(String key) {
        return List.of(values()).stream().filter(flavour -> flavour.key().equals(key)).findFirst()
            .orElseThrow(() -> new MisuseException("flavour=" + key + ": must be one of "
                + String.join(", ", List.of(values()).stream().map(Flavour::key).toList())));
    }
}
