package org.ftrma.apps.samples;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.ftrma.AtomicOp;
import org.ftrma.DataType;
import org.ftrma.Ftrma;
import org.ftrma.Job;
import org.ftrma.Program;
import org.ftrma.Window;
import org.ftrma.options.CommandOption;
import org.ftrma.options.OptionForm;
import org.ftrma.options.OptionTable;
import org.ftrma.options.OptionText;
import org.ftrma.options.OptionValues;

/**
 * The sample of atomics and flush: {@code ./ftrma sample atomics --ranks 4}. Shared locks of all ranks are held over
 * all steps; no gsync is in the loop.
 *
 * <p>Tickets: each rank adds weights to counters at all ranks and gets the old values. Which ones it gets is a matter
 * of chance, but over all tickets of a counter the sum of (old + weight)^2 - old^2 = weight * (2 * old + weight) is the
 * square of the last value, whatever the order: a ticket that is drawn twice, lost, or replayed with a wrong value
 * spoils it.
 *
 * <p>Words: a hash table over all ranks counts words. A word goes into the first free slot from its place on by
 * compare-and-swap; its count is an accumulate. Which word sits in which slot depends on the order, but which slots are
 * taken does not (linear probing), nor do the counts.
 *
 * <p>Every rank verifies its part of the table against all ranks' words. Data thread only.
 */
public final class Atomics implements Program {
    private static final long SLOT_BYTES = 16;
    private static final int MAX_WEIGHT = 8;

    private final int steps;
    private final int slots;
    private final int operations;
    private final Clock clock = new Clock();

    /** The arguments: name, form, default and meaning in one place. */
    enum Option implements CommandOption {
        STEPS("steps", OptionForm.count(1, 1_000_000), "60", "steps, 1 to 1000000"),
        SLOTS("slots", OptionForm.count(2, 1_000_000), "256",
            "slots of the hash table per rank, 2 to 1000000; half of them are filled at the end"),
        OPERATIONS("operations", OptionForm.count(1, 100_000), "16",
            "tickets drawn, and words counted, per rank and step, 1 to 100000");

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

    Atomics(String... args) {
        OptionValues<Option> values = Option.TABLE.parse(args);
        steps = values.count(Option.STEPS);
        slots = values.count(Option.SLOTS);
        operations = values.count(Option.OPERATIONS);
    }

    /** Runs this process's rank; returns when the job is done. */
    public static void main(String[] args) {
        Ftrma.run(args, new Atomics(args));
    }

    private static long key(int rank, long step, int number) {
        return Bits.mix(rank, step, number);
    }

    private static long weight(long key) {
        return 1 + Bits.below(Bits.mix(key, 1), MAX_WEIGHT);
    }

    private static int counterHome(long key, int ranks) {
        return Bits.below(Bits.mix(key, 2), ranks);
    }

    /** 1 or more; word w is at home at rank w mod ranks, at half as many words as slots each. */
    private long word(long key, int ranks) {
        return 1 + Bits.below(Bits.mix(key, 3), slots / 2 * ranks);
    }

    private int place(long word) {
        return Bits.below(Bits.mix(word, 4), slots);
    }

    @Override
    public void run(Job job) {
        job.parameter("slots", Integer.toString(slots));
        job.parameter("operations", Integer.toString(operations));
        Window counters = job.allocateWindow("counters", 8);
        Window table = job.allocateWindow("table", slots * SLOT_BYTES);
        MemorySegment drawn = job.protect("drawn", 8);
        job.initialize(() -> {
            counters.lockAll();
            table.lockAll();
        });
        clock.start();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment one = arena.allocate(8, 8);
            one.set(JAVA_LONG, 0, 1);
            for (long step : job.steps(steps)) {
                for (int i = 0; i < operations; i++) {
                    long key = key(job.rank(), step, i);
                    long weight = weight(key);
                    long old = counters.fetchAndOp(AtomicOp.SUM, DataType.INT64, weight, counterHome(key, job.ranks()),
                        0);
                    drawn.set(JAVA_LONG, 0, drawn.get(JAVA_LONG, 0) + weight * (2 * old + weight));
                    count(table, word(key, job.ranks()), job.ranks(), one);
                }
            }
        }
        counters.unlockAll();
        table.unlockAll();
        job.gsync();
        report(job, counters.memory(), table.memory(), drawn);
    }

    private void count(Window table, long word, int ranks, MemorySegment one) {
        int home = (int) (word % ranks);
        int slot = place(word);
        for (int tried = 0; tried < slots; tried++) {
            long found = table.getLong(home, slot * SLOT_BYTES);
            if (found == 0) {
                found = table.compareAndSwap(DataType.INT64, 0, word, home, slot * SLOT_BYTES);
            }
            if (found == 0 || found == word) {
                table.accumulate(AtomicOp.SUM, DataType.INT64, one, 0, home, slot * SLOT_BYTES + 8, 1);
                table.flush(home);
                return;
            }
            slot = (slot + 1) % slots;
        }
        throw new IllegalStateException("word=" + word + " slots=" + slots + " home=" + home
            + ": no slot is free");
    }

    private void report(Job job, MemorySegment counters, MemorySegment table, MemorySegment drawn) {
        double seconds = clock.seconds(job);
        long counter = counters.get(JAVA_LONG, 0);
        long[] counts = new long[slots / 2 * job.ranks() + 1];
        long weights = 0;
        for (int rank = 0; rank < job.ranks(); rank++) {
            for (long step = 1; step <= steps; step++) {
                for (int i = 0; i < operations; i++) {
                    long key = key(rank, step, i);
                    counts[(int) word(key, job.ranks())]++;
                    weights += counterHome(key, job.ranks()) == job.rank() ? weight(key) : 0;
                }
            }
        }
        long wrong = job.allReduce(AtomicOp.SUM, wrongSlots(job, table, counts) + (counter == weights ? 0 : 1));
        long squares = job.allReduce(AtomicOp.SUM, counter * counter);
        long tickets = job.allReduce(AtomicOp.SUM, drawn.get(JAVA_LONG, 0));
        String digest = Bits.digestOfAll(job, Bits.mix(digest(table), counter));
        if (job.rank() != 0) {
            return;
        }
        job.report("class", job.ranks() + "x" + slots);
        job.report("iterations", steps);
        job.report("seconds", seconds);
        job.report("operations", (long) steps * operations * job.ranks());
        job.report("wrongSlots", wrong);
        job.report("ticketsFit", squares == tickets);
        job.report("checksumDigest", digest);
        job.report("verified", wrong == 0 && squares == tickets);
    }

    /**
     * Slots that hold a wrong count or a word that is not at home here, words that are missing, and words that are
     * there twice.
     */
    private long wrongSlots(Job job, MemorySegment table, long[] counts) {
        boolean[] taken = new boolean[slots];
        boolean[] seen = new boolean[counts.length];
        long wrong = 0;
        long words = 0;
        for (int word = 1; word < counts.length; word++) {
            if (counts[word] > 0 && word % job.ranks() == job.rank()) {
                int slot = place(word);
                while (taken[slot]) {
                    slot = (slot + 1) % slots;
                }
                taken[slot] = true;
                words++;
            }
        }
        for (int slot = 0; slot < slots; slot++) {
            long word = table.get(JAVA_LONG, slot * SLOT_BYTES);
            long count = table.get(JAVA_LONG, slot * SLOT_BYTES + 8);
            if (word == 0) {
                wrong += count != 0 || taken[slot] ? 1 : 0;
                continue;
            }
            boolean known = word > 0 && word < counts.length && word % job.ranks() == job.rank() && !seen[(int) word];
            wrong += known && taken[slot] && counts[(int) word] == count ? 0 : 1;
            if (known) {
                seen[(int) word] = true;
                words--;
            }
        }
        return wrong + Math.abs(words);
    }

    /** Depends on the words, their counts, and which slots are taken; not on the order in which words came. */
    private long digest(MemorySegment table) {
        long digest = 0;
        for (int slot = 0; slot < slots; slot++) {
            long word = table.get(JAVA_LONG, slot * SLOT_BYTES);
            digest += word == 0 ? 0 : Bits.mix(word, table.get(JAVA_LONG, slot * SLOT_BYTES + 8)) + Bits.mix(slot, 5);
        }
        return digest;
    }
}
