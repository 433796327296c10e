package org.ftrma.apps.samples;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.ftrma.AtomicOp;
import org.ftrma.Ftrma;
import org.ftrma.Job;
import org.ftrma.LockType;
import org.ftrma.Program;
import org.ftrma.Window;
import org.ftrma.options.CommandOption;
import org.ftrma.options.OptionForm;
import org.ftrma.options.OptionTable;
import org.ftrma.options.OptionText;
import org.ftrma.options.OptionValues;

/**
 * The lock sample: {@code ./ftrma sample locks --ranks 4}. Every rank moves amounts between accounts at all ranks. A
 * transfer holds the exclusive locks of the homes that it touches, taken in the order of the ranks, reads the accounts,
 * and writes them back; no gsync is in the loop. Every rank also audits a home in each step, under a shared lock. A
 * record is {balance, number of changes, seal}; the seal follows from the other two, so that a change that is seen in
 * parts, or was lost in parts, is found by whoever reads next. Amounts depend on rank, step and number only and are
 * added or subtracted: the final records are the same in whatever order the transfers take place, and every rank
 * computes its own from all ranks' transfers. Data thread only.
 */
public final class Locks implements Program {
    private static final long RECORD_BYTES = 24;
    private static final long INITIAL_BALANCE = 1_000_000;

    private final int steps;
    private final int accounts;
    private final int transfers;
    private final Clock clock = new Clock();

    /** The arguments: name, form, default and meaning in one place. */
    enum Option implements CommandOption {
        STEPS("steps", OptionForm.count(1, 1_000_000), "60", "steps, 1 to 1000000"),
        ACCOUNTS("accounts", OptionForm.count(1, 1_000_000), "64", "accounts per rank, 1 to 1000000"),
        TRANSFERS("transfers", OptionForm.count(1, 100_000), "16", "transfers per rank and step, 1 to 100000");

        static final OptionTable<Option> TABLE = OptionTable.of(Option.class);

        private final OptionText text;

        Option(String key, OptionForm form, String defaultText, String meaning) {
            text = new OptionText(key, form, defaultText, meaning);
        }

        @Override
        public OptionText text() {
            return text;
        }
    }

    Locks(String... args) {
        OptionValues<Option> values = Option.TABLE.parse(args);
        steps = values.count(Option.STEPS);
        accounts = values.count(Option.ACCOUNTS);
        transfers = values.count(Option.TRANSFERS);
    }

    /** Runs this process's rank; returns when the job is done. */
    public static void main(String[] args) {
        Ftrma.run(args, new Locks(args));
    }

    private record Transfer(int fromHome, int fromAccount, int toHome, int toAccount, long amount) {
    }

    /** One transfer, determined by rank, step and number. */
    private Transfer transfer(int ranks, int rank, long step, int number) {
        long key = Bits.mix(rank, step, number);
        return new Transfer(Bits.below(Bits.mix(key, 1), ranks), Bits.below(Bits.mix(key, 2), accounts),
            Bits.below(Bits.mix(key, 3), ranks), Bits.below(Bits.mix(key, 4), accounts),
            1 + Bits.below(Bits.mix(key, 5), 1000));
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
        job.parameter("accounts", Integer.toString(accounts));
        job.parameter("transfers", Integer.toString(transfers));
        Window window = job.allocateWindow("accounts", accounts * RECORD_BYTES);
        job.initialize(() -> {
            for (int i = 0; i < accounts; i++) {
                write(window.memory(), i * RECORD_BYTES, INITIAL_BALANCE, 0);
            }
            job.gsync();
        });
        clock.start();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment records = arena.allocate(2 * RECORD_BYTES, 8);
            MemorySegment audited = arena.allocate(accounts * RECORD_BYTES, 8);
            for (long step : job.steps(steps)) {
                for (int i = 0; i < transfers; i++) {
                    move(window, transfer(job.ranks(), job.rank(), step, i), records);
                }
                audit(window, (int) ((job.rank() + step) % job.ranks()), audited);
            }
        }
        job.gsync();
        report(job, window.memory());
    }

    private static void move(Window window, Transfer transfer, MemorySegment records) {
        int first = Math.min(transfer.fromHome, transfer.toHome);
        int second = Math.max(transfer.fromHome, transfer.toHome);
        window.lock(LockType.EXCLUSIVE, first);
        if (second != first) {
            window.lock(LockType.EXCLUSIVE, second);
        }
        change(window, transfer.fromHome, transfer.fromAccount, -transfer.amount, records, 0);
        // The second account may be the first: its record must have arrived before it is read again.
        window.flush(transfer.fromHome);
        change(window, transfer.toHome, transfer.toAccount, transfer.amount, records, RECORD_BYTES);
        if (second != first) {
            window.unlock(second);
        }
        window.unlock(first);
    }

    private static void change(Window window, int home, long account, long amount, MemorySegment records, long at) {
        window.get(records, at, home, account * RECORD_BYTES, RECORD_BYTES);
        window.flush(home);
        checkSeal(records, at, home, account);
        write(records, at, records.get(JAVA_LONG, at) + amount, records.get(JAVA_LONG, at + 8) + 1);
        window.put(records, at, home, account * RECORD_BYTES, RECORD_BYTES);
    }

    /** What is read here depends on the order of the transfers, and leaves no trace but an exception. */
    private void audit(Window window, int home, MemorySegment audited) {
        window.lock(LockType.SHARED, home);
        window.get(audited, home, 0);
        window.unlock(home);
        for (int i = 0; i < accounts; i++) {
            checkSeal(audited, i * RECORD_BYTES, home, i);
        }
    }

    private void report(Job job, MemorySegment own) {
        double seconds = clock.seconds(job);
        long balance = 0;
        for (int i = 0; i < accounts; i++) {
            balance += own.get(JAVA_LONG, i * RECORD_BYTES);
        }
        long total = job.allReduce(AtomicOp.SUM, balance);
        long wrong = job.allReduce(AtomicOp.SUM, wrongAccounts(job, own));
        String digest = Bits.digestOfAll(job, Bits.digest(own, own.byteSize() / 8));
        if (job.rank() != 0) {
            return;
        }
        job.report("class", job.ranks() + "x" + accounts);
        job.report("iterations", steps);
        job.report("seconds", seconds);
        job.report("transfers", (long) steps * transfers * job.ranks());
        job.report("total", total);
        job.report("wrongAccounts", wrong);
        job.report("checksumDigest", digest);
        job.report("verified", wrong == 0 && total == INITIAL_BALANCE * accounts * job.ranks());
    }

    /** Own accounts that are not what all ranks' transfers add up to. */
    private long wrongAccounts(Job job, MemorySegment own) {
        long[] balances = new long[accounts];
        long[] changes = new long[accounts];
        Arrays.fill(balances, INITIAL_BALANCE);
        for (int rank = 0; rank < job.ranks(); rank++) {
            for (long step = 1; step <= steps; step++) {
                for (int i = 0; i < transfers; i++) {
                    Transfer transfer = transfer(job.ranks(), rank, step, i);
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
        for (int i = 0; i < accounts; i++) {
            long at = i * RECORD_BYTES;
            boolean right = own.get(JAVA_LONG, at) == balances[i] && own.get(JAVA_LONG, at + 8) == changes[i]
                && own.get(JAVA_LONG, at + 16) == seal(balances[i], changes[i]);
            wrong += right ? 0 : 1;
        }
        return wrong;
    }
}
