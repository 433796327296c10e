package org.ftrma.options;

import org.ftrma.MisuseException;

/** Interval of checkpoints: of coordinated ones, or of those that each rank takes alone. */
public sealed interface Interval {
    /** By Daly's formula from the MTBF and the measured cost. */
    record Daly() implements Interval {
    }

    /**
     * After every so many steps.
     *
     * @param steps at least 1
     */
    record EverySteps(long steps) implements Interval {
    }

    /**
     * At the step boundary after so much time.
     *
     * @param nanos at least 1
     */
    record EveryTime(long nanos) implements Interval {
    }

    /** Never: without any checkpoint failures go back to generation 0. */
    record Never() implements Interval {
    }

    /** Parses {@code daly}, {@code none}, a number of steps, or a duration with a unit: the value of that option. */
    static Interval parse(String key, String text) {
        String value = text.trim();
        if (value.equals("daly")) {
            return new Daly();
        }
        if (value.equals("none")) {
            return new Never();
        }
        if (value.chars().allMatch(Character::isDigit) && !value.isEmpty()) {
            long steps = Units.count(key, value, 1, Integer.MAX_VALUE - 1L);
            return new EverySteps(steps);
        }
        if (value.isEmpty() || !Character.isDigit(value.charAt(0))) {
            throw new MisuseException("--" + key + "=" + text
                + ": must be daly, none, a number of steps, or a time with a unit such as 2.7s");
        }
        return new EveryTime(Units.durationNanos(key, value));
    }
}
