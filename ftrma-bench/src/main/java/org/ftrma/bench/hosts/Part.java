package org.ftrma.bench.hosts;

import java.io.IOException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.ftrma.MisuseException;

/** A part of the measurement: a table of its own. */
interface Part {
    /** Whoever dies is told of: that a busy machine is slow must not count as a loss where none is measured. */
    List<String> PATIENT = List.of("--heartbeat-timeout", "60s");

    /**
     * How much is measured.
     *
     * @param quick shows that it works, not what it costs
     * @param rounds of accesses
     * @param pairs of jobs
     * @param trials losses of a host
     * @param accesses which are measured
     */
    record Effort(boolean quick, int rounds, int pairs, int trials, Set<Access> accesses) {
    }

    /** How many slots it needs on each of its hosts. */
    List<Integer> slots();

    /** Measures, and tells on standard error how far it is. */
    void measure(BenchHosts hosts, Effort effort) throws IOException, InterruptedException;

    /** The table, for people. */
    List<String> table();

    /** The same, for programs. */
    Object figures();

    /** All parts, by their names. */
    static Map<String, Part> all() {
        Map<String, Part> all = new LinkedHashMap<>();
        all.put("access", new AccessPart());
        all.put("overhead", new OverheadPart());
        all.put("death", new DeathPart());
        all.put("kills", ChaosPart.kills());
        all.put("losses", ChaosPart.losses());
        return all;
    }

    /** A figure that a job reported. */
    static double number(Map<String, Object> json, String key) {
        if (json.get(key) instanceof Number number) {
            return number.doubleValue();
        }
        throw new IllegalStateException("a job reported no " + key + ": " + json);
    }

    /** The part of the name. */
    static Part named(Map<String, Part> parts, String name) {
        if (!parts.containsKey(name)) {
            throw new MisuseException("'" + name + "' is none of " + String.join(", ", parts.keySet()));
        }
        return parts.get(name);
    }

    /** The value that so much of the values are below, of at least one. */
    static double quantile(double[] values, double share) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        double place = share * (sorted.length - 1);
        int below = (int) place;
        int above = Math.min(below + 1, sorted.length - 1);
        return sorted[below] + (place - below) * (sorted[above] - sorted[below]);
    }

    /** The value in the middle. */
    static double median(double[] values) {
        return quantile(values, 0.5);
    }
}
