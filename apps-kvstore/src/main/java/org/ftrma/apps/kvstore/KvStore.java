package org.ftrma.apps.kvstore;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.ftrma.AtomicOp;
import org.ftrma.DataType;
import org.ftrma.Ftrma;
import org.ftrma.Job;
import org.ftrma.Program;

/**
 * The key-value benchmark, {@code ./ftrma kv --ranks 2}: inserts random keys, a batch in each step, and then looks for
 * every one of them. Keys, values and waits come from rank and step alone.
 *
 * <p>Each rank checks its volume against all ranks' keys: every key there once, with its value, and no other one; and
 * looks up some keys of its own at their owners. A key that was inserted twice would be seen as a second cell, and as
 * an insert that found its key there (the count of those is protected). Count and checksum of the keys are compared
 * too. Data thread only.
 */
public final class KvStore implements Program {
    private static final String[] REHEARSED = {"--inserts", "24000", "--batch", "1000", "--warm-up", "0"};
    private static final int LOOKED_UP = 1_000;
    /** Entries of one call of the batch form. */
    private static final int CHUNK = 256;
    private static final int WARM_UP_ROUND = 50_000;

    private final KvOptions options;
    private final Pace pace;
    private final Keys keys;
    private final long[] chunkKeys = new long[CHUNK];
    private final long[] chunkValues = new long[CHUNK];
    private boolean entered;

    KvStore(String[] args) {
        options = KvOptions.parse(args);
        pace = new Pace(options.work(), options.waitNanos());
        keys = new Keys(options.keySeed(), options.inserts());
    }

    /** Runs this process's rank; returns when the job is done. */
    public static void main(String[] args) {
        Ftrma.run(args, program(args));
    }

    /** The program that {@link #main} runs, with these arguments. */
    public static Program program(String[] args) {
        return new KvStore(args);
    }

    /**
     * Checks a job's arguments before any process is started.
     *
     * @param args the program's arguments
     * @throws org.ftrma.MisuseException with the argument, its value and what is allowed
     */
    public static void check(String[] args) {
        KvOptions.parse(args);
    }

    /** The number of inserts of a rank in one step, with these arguments. */
    public static int batch(String[] args) {
        return KvOptions.parse(args).batch();
    }

    @Override
    public Program rehearsal() {
        return new KvStore(REHEARSED);
    }

    @Override
    public void run(Job job) {
        boolean fresh = !entered && job.incarnation() == 0;
        entered = true;
        job.parameter("inserts", Long.toString(options.inserts()));
        job.parameter("batch", Long.toString(options.batch()));
        job.parameter("key-seed", Long.toString(options.keySeed()));
        DistributedHashTable table = DistributedHashTable.allocate(job, "table", options.slots(), options.overflow());
        MemorySegment refused = job.protect("refused", 8);
        job.initialize(() -> {
            // The warm-up is full of collectives: all do it, or none. Some may be here anew, or for the second time.
            if (options.warmUpSeconds() > 0 && job.allReduce(AtomicOp.MIN, fresh ? 1L : 0L) == 1) {
                warmUp(job, table);
            }
        });
        pace.start();
        Usage usage = new Usage();
        for (long step : job.steps(options.steps())) {
            long from = (step - 1) * options.batch();
            if (step == options.steps() / 2 + 1) {
                usage.begin(from);
            }
            long end = Math.min(from + options.batch(), options.inserts());
            long added = options.work() == 0 ? insert(job.rank(), table, keys, from, end)
                : insertSlowly(job.rank(), table, from, end);
            if (added < end - from) {
                refused.set(JAVA_LONG, 0, refused.get(JAVA_LONG, 0) + end - from - added);
            }
        }
        usage.end(options.inserts());
        job.gsync();
        double seconds = 1e-9 * job.allReduce(AtomicOp.MAX, job.nondeterministic(pace::nanosSinceStart));
        if (job.rank() == 0) {
            job.report("allocatedBytesPerInsert", usage.bytesPerInsert());
            job.report("processorNanosPerInsert", usage.nanosPerInsert());
        }
        report(job, table, refused.get(JAVA_LONG, 0), seconds);
    }

    /** At full speed, by the batch form. */
    private long insert(int rank, DistributedHashTable table, Keys source, long begin, long end) {
        long added = 0;
        for (long first = begin; first < end; first += CHUNK) {
            added += insertChunk(rank, table, source, first, (int) Math.min(CHUNK, end - first));
        }
        return added;
    }

    /** Short enough to be called often: what is, is compiled. */
    private long insertChunk(int rank, DistributedHashTable table, Keys source, long first, int count) {
        for (int i = 0; i < count; i++) {
            long key = source.key(rank, first + i);
            chunkKeys[i] = key;
            chunkValues[i] = source.value(key);
        }
        return table.insertAll(chunkKeys, chunkValues, 0, count);
    }

    private long insertSlowly(int rank, DistributedHashTable table, long from, long end) {
        long added = 0;
        for (long number = from; number < end; number++) {
            long key = keys.key(rank, number);
            long value = keys.value(key);
            long since = pace.waitFor(keys.waiting(rank, number));
            added += table.insert(key, value) ? 1 : 0;
            pace.inserted(since);
        }
        return added;
    }

    /**
     * A virtual machine has to compile the code before it shows how fast it is: the same is done with other keys, in
     * the same table, which is empty again after each round. Collective.
     */
    private void warmUp(Job job, DistributedHashTable table) {
        int round = (int) Math.min(WARM_UP_ROUND, Math.min(options.inserts(), options.slots()));
        double total = 0;
        for (long number = 0; total < options.warmUpSeconds(); number++) {
            long begin = Usage.processorNanos();
            try {
                insertOthers(job.rank(), table, new Keys(~options.keySeed() - number, round), round);
            } catch (TableFullException e) {
                // It will be told when it happens in earnest.
            }
            total += job.allReduce(AtomicOp.MAX, 1e-9 * (Usage.processorNanos() - begin));
            job.gsync();
            table.clearLocal();
            job.gsync();
        }
    }

    private void insertOthers(int rank, DistributedHashTable table, Keys others, int count) {
        if (options.work() == 0) {
            insert(rank, table, others, 0, count);
            return;
        }
        for (int number = 0; number < count; number++) {
            long key = others.key(rank, number);
            table.insert(key, others.value(key));
        }
    }

    private void report(Job job, DistributedHashTable table, long refused, double seconds) {
        VolumeCheck check = new VolumeCheck(table, job.rank());
        for (int rank = 0; rank < job.ranks(); rank++) {
            keys.forEach(rank, check::expect);
        }
        check.count();
        long missed = 0;
        int lookups = Math.min(LOOKED_UP, options.inserts());
        for (int i = 0; i < lookups; i++) {
            long key = keys.key(job.rank(), (long) i * options.inserts() / lookups);
            missed += table.get(key, ~keys.value(key)) == keys.value(key) ? 0 : 1;
        }
        long[] sums = sums(job, check.found(), check.wrongValues(), check.duplicated(), check.entries(),
            check.expectedKeys(), check.keySum(),
            check.digest(), table.localHeapUsed(), missed, refused);
        if (job.rank() != 0) {
            return;
        }
        long inserts = (long) options.inserts() * job.ranks();
        long found = sums[0];
        long entries = sums[3];
        long faults = sums[1] + sums[2] + sums[8] + sums[9];
        job.report("class", job.ranks() + "x" + options.slots());
        job.report("iterations", options.steps());
        job.report("seconds", seconds);
        job.report("inserts", inserts);
        job.report("found", found);
        job.report("lost", inserts - found);
        job.report("wrongValues", sums[1]);
        job.report("duplicated", sums[2]);
        job.report("entries", entries);
        job.report("keyChecksum", String.format("%016x", sums[5]));
        job.report("checksumDigest", String.format("%016x", sums[6]));
        job.report("overflowCells", sums[7]);
        job.report("lookupsMissed", sums[8]);
        job.report("refused", sums[9]);
        job.report("insertsPerSecond", inserts / seconds);
        job.report("insertingShare", pace.share());
        job.report("meanWaitNanos", pace.meanWaitNanos());
        job.report("verified", found == inserts && entries == inserts && sums[5] == sums[4] && faults == 0);
    }

    /** Collective: the sums of all ranks' values. */
    private static long[] sums(Job job, long... values) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment mine = arena.allocate(8L * values.length, 8);
            MemorySegment all = arena.allocate(8L * values.length, 8);
            MemorySegment.copy(values, 0, mine, JAVA_LONG, 0, values.length);
            job.allReduce(AtomicOp.SUM, DataType.INT64, mine, all);
            return all.toArray(JAVA_LONG);
        }
    }
}
