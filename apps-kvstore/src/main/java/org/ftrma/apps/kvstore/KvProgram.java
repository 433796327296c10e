package org.ftrma.apps.kvstore;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import org.ftrma.AtomicOp;
import org.ftrma.Job;
import org.ftrma.Program;

/**
 * Inserts random keys, a batch in each step, and then looks for every one of them. Keys, values and waits come from rank and step alone.
 *
 * <p>Each rank checks its volume against all ranks' keys: every key there once, with its value, and no other one; and looks up some keys of its own
 * at their owners. A key that was inserted twice would be seen as a second cell, and as an insert that found its key there (the count of those is
 * protected). Count and checksum of the keys are compared too. Data thread only.
 */
final class KvProgram implements Program {
    private static final int LOOKED_UP = 1_000;

    private final KvOptions options;
    private final Pace pace;
    private final Keys keys;

    KvProgram(KvOptions options) {
        this.options = options;
        pace = new Pace(options.work());
        keys = new Keys(options.keySeed(), options.inserts());
    }

    @Override
    public void run(Job job) {
        DistributedHashTable table = DistributedHashTable.allocate(job, "table", options.slots(), options.overflow());
        MemorySegment refused = job.protect("refused", 8);
        job.initialize(() -> { });
        pace.start();
        for (long step : job.steps(options.steps())) {
            long from = (step - 1) * options.batch();
            long end = Math.min(from + options.batch(), options.inserts());
            long added = pace.waits() ? insertSlowly(job.rank(), table, from, end) : insert(job.rank(), table, from, end);
            if (added < end - from) {
                refused.set(JAVA_LONG, 0, refused.get(JAVA_LONG, 0) + end - from - added);
            }
        }
        job.gsync();
        double seconds = 1e-9 * job.allReduce(AtomicOp.MAX, job.nondeterministic(pace::nanosSinceStart));
        report(job, table, refused.get(JAVA_LONG, 0), seconds);
    }

    private long insert(int rank, DistributedHashTable table, long from, long end) {
        long added = 0;
        for (long number = from; number < end; number++) {
            long key = keys.key(rank, number);
            added += table.insert(key, keys.value(key)) ? 1 : 0;
        }
        return added;
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
        long inserts = (long) options.inserts() * job.ranks();
        long found = job.allReduce(AtomicOp.SUM, check.found());
        long wrong = job.allReduce(AtomicOp.SUM, check.wrongValues());
        long duplicated = job.allReduce(AtomicOp.SUM, check.duplicated());
        long entries = job.allReduce(AtomicOp.SUM, check.entries());
        long expectedKeys = job.allReduce(AtomicOp.SUM, check.expectedKeys());
        long keySum = job.allReduce(AtomicOp.SUM, check.keySum());
        long digest = job.allReduce(AtomicOp.SUM, check.digest());
        long heapUsed = job.allReduce(AtomicOp.SUM, table.localHeapUsed());
        long allMissed = job.allReduce(AtomicOp.SUM, missed);
        long allRefused = job.allReduce(AtomicOp.SUM, refused);
        if (job.rank() != 0) {
            return;
        }
        job.report("class", job.ranks() + "x" + options.slots());
        job.report("iterations", options.steps());
        job.report("seconds", seconds);
        job.report("inserts", inserts);
        job.report("found", found);
        job.report("lost", inserts - found);
        job.report("duplicated", duplicated);
        job.report("wrongValues", wrong);
        job.report("entries", entries);
        job.report("refused", allRefused);
        job.report("lookupsMissed", allMissed);
        job.report("keyChecksum", String.format("%016x", keySum));
        job.report("checksumDigest", String.format("%016x", digest));
        job.report("overflowCells", heapUsed);
        job.report("insertsPerSecond", inserts / seconds);
        job.report("insertingShare", pace.share());
        job.report("verified", found == inserts && entries == inserts && keySum == expectedKeys && wrong + duplicated + allRefused + allMissed == 0);
    }
}
