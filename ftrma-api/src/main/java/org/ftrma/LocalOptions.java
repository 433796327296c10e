package org.ftrma;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * The options of a job that {@link Ftrma#local(int, LocalOptions, LocalProgram)} runs: those of {@code ./ftrma run}, by
 * the same names, but for {@code --ranks}, {@code --class-path} and {@code --json}. Values are checked when the job is
 * run. Immutable; any thread.
 *
 * <pre>{@code
 * LocalOptions.none().with("protocol", "full").with("spares", 1).with("kill", "1@20")
 * }</pre>
 */
public final class LocalOptions {
    private static final LocalOptions NONE = new LocalOptions(List.of());
    private static final List<String> OWN = List.of("ranks", "class-path", "json");

    private final List<String> words;

    private LocalOptions(List<String> words) {
        this.words = words;
    }

    /** A job as it is by default: not protected. */
    public static LocalOptions none() {
        return NONE;
    }

    /**
     * The same with one more option, or one more value of an option that may be repeated.
     *
     * @param key its name, without dashes
     */
    public LocalOptions with(String key, Object value) {
        return and(named(key), Objects.requireNonNull(value, key).toString());
    }

    /**
     * The same with an option that has no value.
     *
     * @param key its name, without dashes
     */
    public LocalOptions with(String key) {
        return and(named(key));
    }

    private static String named(String key) {
        if (OWN.contains(key)) {
            throw new MisuseException("option=" + key + ": is what Ftrma.local says itself");
        }
        if (!key.matches("[a-z][a-z0-9-]*")) {
            throw new MisuseException("option=" + key + ": must be the name of an option of ./ftrma run, without "
                + "dashes, such as protocol");
        }
        return "--" + key;
    }

    private LocalOptions and(String... more) {
        List<String> all = new ArrayList<>(words);
        all.addAll(Arrays.asList(more));
        return new LocalOptions(List.copyOf(all));
    }

    /** As words of a command line. */
    public List<String> words() {
        return words;
    }

    @Override
    public String toString() {
        return String.join(" ", words);
    }
}
