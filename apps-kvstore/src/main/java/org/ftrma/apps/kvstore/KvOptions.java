package org.ftrma.apps.kvstore;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.ftrma.MisuseException;
import org.ftrma.options.Units;

/**
 * The benchmark's arguments. Immutable; any thread.
 *
 * @param inserts keys that each rank inserts
 * @param batch inserts of a rank in one step
 * @param slots slots at each rank
 * @param overflow cells of the overflow heap at each rank
 * @param work share of the time that ranks insert; 0: no waiting
 * @param waitNanos mean of the times between inserts; below 0: from work
 * @param warmUpSeconds time on the processor before the measurement
 * @param keySeed seed of keys and waiting times
 */
public record KvOptions(int inserts, int batch, long slots, long overflow, double work, long waitNanos, double warmUpSeconds, long keySeed) {
    private static final int MOST = 1_000_000_000;
    private static final int MOST_IN_STEP = 1_000_000;
    private static final int WORTH_WARM_UP = 100_000;
    private static final int LONGEST_WARM_UP_SECONDS = 60;

    /**
     * Options from a program's arguments.
     *
     * @throws MisuseException with the argument, its value and what is allowed
     */
    public static KvOptions parse(String[] args) {
        Map<KvOption, String> values = values(args);
        int inserts = (int) count(values, KvOption.INSERTS, 1, MOST, 10_000);
        int batch = (int) count(values, KvOption.BATCH, 1, MOST_IN_STEP, 100);
        long slots = count(values, KvOption.SLOTS, 1, MOST, Math.min(MOST, 2L * inserts));
        long overflow = count(values, KvOption.OVERFLOW, 0, MOST, DistributedHashTable.heapFor(slots, inserts));
        double work = number(KvOption.WORK, values.getOrDefault(KvOption.WORK, KvOption.WORK.defaultText()), 1, "as 0.07");
        String wait = values.get(KvOption.WAIT);
        if (wait != null && values.containsKey(KvOption.WORK)) {
            throw new MisuseException("--wait=" + wait + ": not together with --work=" + values.get(KvOption.WORK)
                + ": one of them says how long ranks wait");
        }
        double warmUp = number(KvOption.WARM_UP, values.getOrDefault(KvOption.WARM_UP, inserts < WORTH_WARM_UP ? "0" : "1"), LONGEST_WARM_UP_SECONDS,
            "in seconds");
        return new KvOptions(inserts, batch, slots, overflow, work, wait == null ? -1 : Units.durationNanos(KvOption.WAIT.key(), wait), warmUp,
            count(values, KvOption.KEY_SEED, Long.MIN_VALUE, Long.MAX_VALUE, 1));
    }

    private static Map<KvOption, String> values(String[] args) {
        Map<KvOption, String> values = new EnumMap<>(KvOption.class);
        for (int i = 0; i < args.length; i++) {
            int equals = args[i].indexOf('=');
            String name = equals < 0 ? args[i] : args[i].substring(0, equals);
            KvOption option = Arrays.stream(KvOption.values()).filter(one -> name.equals("--" + one.key())).findFirst().orElseThrow(
                () -> new MisuseException(name + ": no such argument; there are " + Arrays.stream(KvOption.values()).map(one -> "--" + one.key())
                    .collect(Collectors.joining(", "))));
            if (equals < 0 && i + 1 == args.length) {
                throw new MisuseException(name + ": its value is missing");
            }
            values.put(option, equals < 0 ? args[++i] : args[i].substring(equals + 1));
        }
        return values;
    }

    private static long count(Map<KvOption, String> values, KvOption option, long min, long max, long missing) {
        String value = values.get(option);
        return value == null ? missing : Units.count(option.key(), value, min, max);
    }

    private static double number(KvOption option, String text, int most, String form) {
        double value;
        try {
            value = Double.parseDouble(text);
        } catch (NumberFormatException e) {
            value = Double.NaN;
        }
        if (!(value >= 0 && value <= most)) {
            throw new MisuseException("--" + option.key() + "=" + text + ": must be 0 to " + most + ", " + form);
        }
        return value;
    }

    /** Steps of the loop. */
    int steps() {
        return (inserts + batch - 1) / batch;
    }
}
