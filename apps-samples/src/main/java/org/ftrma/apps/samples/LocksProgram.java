package org.ftrma.apps.samples;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.ftrma.AtomicOp;
import org.ftrma.Job;
import org.ftrma.LockType;
import org.ftrma.Program;
import org.ftrma.Window;

/**
 * A lock program: accounts at all ranks, between which every rank moves amounts. A transfer holds the exclusive locks
 * of the homes that it touches, taken in the order of the ranks, reads the accounts, and writes them back; no gsync is
 * in the loop. Every rank also audits a home in each step, under a shared lock. A record is
 * {balance, number of changes, seal}; the seal follows from the other two, so that a change that is seen in parts, or
 * was lost in parts, is found by whoever reads next. Amounts depend on rank, step and number only and are added or
 * subtracted: the final records are the same in whatever order the transfers take place, and every rank computes its
 * own from all ranks' transfers. Data thread only.
 */
final class LocksProgram implements Program {
    private static final long RECORD_BYTES = 24;
    private static final long INITIAL_BALANCE = 1_000_000;

    private final LocksOptions options;
    private final Clock clock = new Clock();

    LocksProgram(LocksOptions options) {
        this.options = options;
    }

    /** One transfer, determined by rank, step and number. */
    private record Transfer(int fromHome, int fromAccount, int toHome, int toAccount, long amount) {
        static Transfer of(int ranks, int accounts, int rank, long step, int number) {
            long key = Bits.mix(rank, step, number);
            return new Transfer(Bits.below(Bits.mix(key, 1), ranks), Bits.below(Bits.mix(key, 2), accounts),
                Bits.below(Bits.mix(key, 3), ranks),
                Bits.below(Bits.mix(key, 4), accounts), 1 + Bits.below(Bits.mix(key, 5), 1000));
        }
    }

    private static long seal(long balance, long changes) {
        return Bits.mix(balance, changes, 7);
    }

    private static void write(MemorySegment record, long offset, long balance, long changes) {
        record.set(JAVA_LONG, offset, balance);
        record.set(JAVA_LONG, offset + 8, changes);
        record.set(JAVA_LONG, offset + 16, seal(balance, changes));
    }

    private static void checkSeal(MemorySegment record, long offset, int home, long account) {
        long balance = record.get(JAVA_LONG, offset);
        long changes = record.get(JAVA_LONG, offset + 8);
        if (record.get(JAVA_LONG, offset + 16) != seal(balance, changes)) {
            throw new IllegalStateException("account " + account + " of rank " + home + ": balance=" + balance
                + " changes=" + changes
                + " do not fit their seal " + record.get(JAVA_LONG, offset + 16));
        }
    }

    @Override
    public void run(Job job) {
        job.parameter("accounts", Integer.toString(options.accounts()));
        job.parameter("transfers", Integer.toString(options.transfers()));
        Window accounts = job.allocateWindow("accounts", options.accounts() * RECORD_BYTES);
        job.initialize(() -> {
            for (int i = 0; i < options.accounts(); i++) {
                write(accounts.memory(), i * RECORD_BYTES, INITIAL_BALANCE, 0);
            }
            job.gsync();
        });
        clock.start();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment records = arena.allocate(2 * RECORD_BYTES, 8);
            MemorySegment audited = arena.allocate(options.accounts() * RECORD_BYTES, 8);
            for (long step : job.steps(options.steps())) {
                for (int i = 0; i < options.transfers(); i++) {
                    move(accounts, Transfer.of(job.ranks(), options.accounts(), job.rank(), step, i), records);
                }
                audit(accounts, (int) ((job.rank() + step) % job.ranks()), audited);
            }
        }
        job.gsync();
        report(job, accounts.memory());
    }

    private static void move(Window accounts, Transfer transfer, MemorySegment records) {
        int first = Math.min(transfer.fromHome, transfer.toHome);
        int second = Math.max(transfer.fromHome, transfer.toHome);
        accounts.lock(LockType.EXCLUSIVE, first);
        if (second != first) {
            accounts.lock(LockType.EXCLUSIVE, second);
        }
        change(accounts, transfer.fromHome, transfer.fromAccount, -transfer.amount, records, 0);
        // The second account may be the first: its record must have arrived before it is read again.
        accounts.flush(transfer.fromHome);
        change(accounts, transfer.toHome, transfer.toAccount, transfer.amount, records, RECORD_BYTES);
        if (second != first) {
            accounts.unlock(second);
        }
        accounts.unlock(first);
    }

    private static void change(Window accounts, int home, long account, long amount, MemorySegment records, long at) {
        accounts.get(records, at, home, account * RECORD_BYTES, RECORD_BYTES);
        accounts.flush(home);
        checkSeal(records, at, home, account);
        write(records, at, records.get(JAVA_LONG, at) + amount, records.get(JAVA_LONG, at + 8) + 1);
        accounts.put(records, at, home, account * RECORD_BYTES, RECORD_BYTES);
    }

    /** What is read here depends on the order of the transfers, and leaves no trace but an exception. */
    private void audit(Window accounts, int home, MemorySegment audited) {
        accounts.lock(LockType.SHARED, home);
        accounts.get(audited, home, 0);
        accounts.unlock(home);
        for (int i = 0; i < options.accounts(); i++) {
            checkSeal(audited, i * RECORD_BYTES, home, i);
        }
    }

    private void report(Job job, MemorySegment own) {
        double seconds = clock.seconds(job);
        long balance = 0;
        for (int i = 0; i < options.accounts(); i++) {
            balance += own.get(JAVA_LONG, i * RECORD_BYTES);
        }
        long total = job.allReduce(AtomicOp.SUM, balance);
        long wrong = job.allReduce(AtomicOp.SUM, wrongAccounts(job, own));
        String digest = Bits.digestOfAll(job, Bits.digest(own, own.byteSize() / 8));
        if (job.rank() != 0) {
            return;
        }
        job.report("class", job.ranks() + "x" + options.accounts());
        job.report("iterations", options.steps());
        job.report("seconds", seconds);
        job.report("transfers", (long) options.steps() * options.transfers() * job.ranks());
        job.report("total", total);
        job.report("wrongAccounts", wrong);
        job.report("checksumDigest", digest);
        job.report("verified", wrong == 0 && total == INITIAL_BALANCE * options.accounts() * job.ranks());
    }

    /** Own accounts that are not what all ranks' transfers add up to. */
    private long wrongAccounts(Job job, MemorySegment own) {
        long[] balances = new long[options.accounts()];
        long[] changes = new long[options.accounts()];
        java.util.Arrays.fill(balances, INITIAL_BALANCE);
        for (int rank = 0; rank < job.ranks(); rank++) {
            for (long step = 1; step <= options.steps(); step++) {
                for (int i = 0; i < options.transfers(); i++) {
                    Transfer transfer = Transfer.of(job.ranks(), options.accounts(), rank, step, i);
                    if (transfer.fromHome == job.rank()) {
                        balances[transfer.fromAccount] -= transfer.amount;
                        changes[transfer.fromAccount]++;
                    }
                    if (transfer.toHome == job.rank()) {
                        balances[transfer.toAccount] += transfer.amount;
                        changes[transfer.toAccount]++;
                    }
                }
            }
        }
        long wrong = 0;
        for (int i = 0; i < options.accounts(); i++) {
            long at = i * RECORD_BYTES;
            boolean right = own.get(JAVA_LONG, at) == balances[i] && own.get(JAVA_LONG, at + 8) == changes[i]
                && own.get(JAVA_LONG, at + 16) == seal(balances[i], changes[i]);
            wrong += right ? 0 : 1;
        }
        return wrong;
    }
}
