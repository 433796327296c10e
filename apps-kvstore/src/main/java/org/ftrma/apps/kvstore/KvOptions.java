package org.ftrma.apps.kvstore;

import org.ftrma.MisuseException;
import org.ftrma.options.OptionValues;

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
public record KvOptions(int inserts, int batch, long slots, long overflow, double work, long waitNanos,
    double warmUpSeconds, long keySeed) {
    private static final int WORTH_WARM_UP = 100_000;

    /**
     * Options from a program's arguments.
     *
     * @throws MisuseException with the argument, its value and what is allowed
     */
    public static KvOptions parse(String[] args) {
        OptionValues<KvOption> values = KvOption.TABLE.parse(args);
        int inserts = values.count(KvOption.INSERTS);
        long slots = values.number(KvOption.SLOTS, Math.min(KvOption.MOST, 2L * inserts));
        long overflow = values.number(KvOption.OVERFLOW, DistributedHashTable.heapFor(slots, inserts));
        if (values.has(KvOption.WAIT) && values.has(KvOption.WORK)) {
            throw new MisuseException("--wait=" + values.text(KvOption.WAIT) + ": not together with --work="
                + values.text(KvOption.WORK) + ": one of them says how long ranks wait");
        }
        double warmUp = values.has(KvOption.WARM_UP) ? values.decimal(KvOption.WARM_UP) : inserts < WORTH_WARM_UP ? 0
            : 1;
        return new KvOptions(inserts, values.count(KvOption.BATCH), slots, overflow, values.decimal(KvOption.WORK),
            values.number(KvOption.WAIT, -1), warmUp, values.number(KvOption.KEY_SEED));
    }

    /** Steps of the loop. */
    int steps() {
        return (inserts + batch - 1) / batch;
    }
}
