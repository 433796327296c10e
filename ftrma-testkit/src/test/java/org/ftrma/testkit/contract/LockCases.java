package org.ftrma.testkit.contract;

import static org.ftrma.testkit.contract.CaseContext.LONG;
import static org.ftrma.testkit.contract.CaseContext.local;

import java.lang.foreign.MemorySegment;
import org.ftrma.AtomicOp;
import org.ftrma.DataType;
import org.ftrma.LockType;

/** Locks of a window. */
final class LockCases {
    private LockCases() {
    }

    static void exclusiveLocks(CaseContext c) {
        MemorySegment buffer = local(8);
        for (int i = 0; i < 12; i++) {
            int target = (c.rank + i) % c.ranks;
            c.window.lock(LockType.EXCLUSIVE, target);
            c.window.get(buffer, target, 8);
            c.window.flush(target);
            buffer.set(LONG, 0, buffer.get(LONG, 0) + 1);
            c.window.put(buffer, target, 8);
            c.window.unlock(target);
        }
        c.job.gsync();
        long sum = 0;
        for (int target = 0; target < c.ranks; target++) {
            sum += c.window.getLong(target, 8);
        }
        c.equal(12L * c.ranks, sum, "increments under exclusive locks");
    }

    static void sharedLocks(CaseContext c) {
        // All hold the lock at once, or the barrier would never end.
        c.window.lock(LockType.SHARED, 0);
        c.job.barrier();
        c.equal(0L, c.window.getLong(0, 0), "read under a shared lock");
        c.job.barrier();
        c.window.unlock(0);
        c.window.lock(LockType.EXCLUSIVE, 0);
        c.window.putLong(c.window.getLong(0, 0) + 1, 0, 0);
        c.window.unlock(0);
        c.job.gsync();
        c.equal((long) c.ranks, c.window.getLong(0, 0), "increments after shared locks");
    }

    static void lockAll(CaseContext c) {
        c.window.lockAll();
        c.job.barrier();
        for (int target = 0; target < c.ranks; target++) {
            c.window.fetchAndOp(AtomicOp.SUM, DataType.INT64, 1, target, 0);
        }
        c.window.unlockAll();
        c.window.lock(LockType.EXCLUSIVE, c.next);
        c.window.unlock(c.next);
        // Locks of different windows have nothing to do with each other.
        c.other.lockAll();
        c.window.lock(LockType.EXCLUSIVE, c.rank);
        c.window.unlock(c.rank);
        c.other.unlockAll();
        c.job.gsync();
        c.equal((long) c.ranks, c.window.memory().get(LONG, 0), "sums under lockAll");
    }

    static void unlockCompletes(CaseContext c) {
        MemorySegment source = CaseContext.pattern(2000, c.rank);
        c.window.lock(LockType.EXCLUSIVE, c.next);
        c.window.put(source, c.next, 100);
        c.window.unlock(c.next);
        source.fill((byte) 0);
        c.other.lockAll();
        c.other.putLong(c.rank + 5, c.next, 0);
        c.other.unlockAll();
        c.job.barrier();
        c.same(CaseContext.pattern(2000, c.previous), c.window.memory().asSlice(100, 2000), "after unlock and barrier");
        c.equal(c.previous + 5L, c.other.memory().get(LONG, 0), "after unlockAll and barrier");
    }
}
