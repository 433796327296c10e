package org.ftrma.testkit.programs;

import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.ftrma.MisuseException;

/**
 * Ingredients of the programs of {@link Flavour#TANGLED} and {@link Flavour#GUARDED}: each can be left out, to find the
 * one that matters.
 */
public enum Ingredient {
    /** Atomics on bytes of the own window that nobody else uses. */
    OWN_ATOMICS,
    /** Puts into them. */
    OWN_PUTS,
    /** Direct reads and writes of them. */
    DIRECT,
    /** Them as the source of puts and accumulates. */
    SOURCES,
    /** Them as what collectives read and write. */
    COLLECTIVES,
    /** Gets and fetching accesses that deliver into them, or into protected memory. */
    LANDINGS,
    /** Atomics on bytes of another rank's window that nobody else uses, between puts there. */
    SLICE_ATOMICS,
    /** Bytes into which all combine, their home too. */
    COUNTERS,
    /** Bytes anywhere that are changed under the exclusive lock of some window at some rank. */
    GUARDS,
    /** Two such locks at once. */
    NESTED,
    /** Any of these accesses under a lock that has nothing to do with them. */
    NEEDLESS_LOCKS,
    /** Locks taken and given back without any access, mostly of the own rank. */
    IDLE_LOCKS,
    /** A window of which each rank holds all shared locks over all steps. */
    LOCK_ALL,
    /** One rank hands bytes on to another by a lock: it polls. */
    CHAINS,
    /** Windows whose cells are set in each step before they are used. */
    SCRATCH,
    /** Accesses that are completed in the next step. */
    CARRIED,
    /** Requests, strided accesses, staged puts, {@code Job.progress}. */
    FORMS,
    /** Halves of cells as 32-bit integers. */
    NARROW,
    /** Windows of 64-bit floating point numbers. */
    FLOATS,
    /** Values that differ from run to run. */
    CHANCE,
    /** One rank hands bytes on to another by a signal. */
    SIGNALS;

    /** As it is written in commands. */
    public String key() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** The ingredients of a text such as {@code guards,own-puts}; none for an empty one. */
    public static EnumSet<Ingredient> parse(String text) {
        EnumSet<Ingredient> found = EnumSet.noneOf(Ingredient.class);
        for (String key : text.isEmpty() ? new String[0] : text.split(",")) {
            found.add(List.of(values()).stream().filter(one -> one.key().equals(key)).findFirst()
                .orElseThrow(() -> new MisuseException(
                "ingredient=" + key + ": must be some of " + format(EnumSet.allOf(Ingredient.class)))));
        }
        return found;
    }

    /** The text that {@link #parse} takes. */
    public static String format(Set<Ingredient> some) {
        return some.stream().map(Ingredient::key).collect(Collectors.joining(","));
    }
}
