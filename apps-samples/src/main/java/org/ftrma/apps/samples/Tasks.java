package org.ftrma.apps.samples;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.ftrma.AtomicOp;
import org.ftrma.Ftrma;
import org.ftrma.FtrmaException;
import org.ftrma.Job;
import org.ftrma.LockType;
import org.ftrma.LongCell;
import org.ftrma.MisuseException;
import org.ftrma.Program;
import org.ftrma.Window;
import org.ftrma.options.CommandOption;
import org.ftrma.options.OptionForm;
import org.ftrma.options.OptionTable;
import org.ftrma.options.OptionText;
import org.ftrma.options.OptionValues;

/**
 * Work stealing: {@code ./ftrma sample tasks --ranks 4}. A task is a number and a generation, and makes up to three
 * tasks of the next generation; all of them follow from the first ones, which are rank 0's. Each rank has a queue in
 * its window, and takes the newest task of its own; where there is none, it takes half of the oldest ones of another
 * rank. A queue is changed under its exclusive lock. A step is over after so many tasks, or when nothing is found; the
 * loop ends when all queues are empty at the end of a step. Who does which task depends on chance; how many there were,
 * and the sum of what they give, does not, and rank 0 finds both alone at the end. Data thread only.
 */
public final class Tasks implements Program {
    private static final long CELL = 8;
    /** Numbers of the tasks that were ever taken from the old end and put to the new one. */
    private static final long OLDEST = 0;
    private static final long NEWEST = CELL;
    private static final long FIRST = 2 * CELL;
    private static final int MOST_AT_A_TIME = 16;
    private static final int MOST_CHILDREN = 3;
    /** A task: its number above, its generation in the lower bits. */
    private static final int GENERATION_BITS = 5;

    private final int steps;
    private final int roots;
    private final int depth;
    private final int batch;
    private final int capacity;
    private final Clock clock = new Clock();

    /** The arguments: name, form, default and meaning in one place. */
    enum Option implements CommandOption {
        STEPS("steps", OptionForm.count(1, 1_000_000), "1000000", "maximum number of steps, 1 to 1000000"),
        ROOTS("roots", OptionForm.count(1, 100_000), "64", "tasks that rank 0 starts with, 1 to 100000"),
        DEPTH("depth", OptionForm.count(1, 30), "12",
            "generations of tasks, 1 to 30: each task but the last generation's creates up to three more"),
        BATCH("batch", OptionForm.count(1, 100_000), "64", "maximum number of tasks per rank and step, 1 to 100000"),
        CAPACITY("capacity", OptionForm.count(16, 10_000_000), "4096",
            "capacity of a rank's queue in tasks, 16 to 10000000");

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

    Tasks(String... args) {
        OptionValues<Option> values = Option.TABLE.parse(args);
        steps = values.count(Option.STEPS);
        roots = values.count(Option.ROOTS);
        depth = values.count(Option.DEPTH);
        batch = values.count(Option.BATCH);
        capacity = values.count(Option.CAPACITY);
        if (roots > capacity) {
            throw new MisuseException("roots=" + roots + ": must be at most the capacity, " + capacity);
        }
    }

    /** Runs this process's rank; returns when the job is done. */
    public static void main(String[] args) {
        Ftrma.run(args, new Tasks(args));
    }

    private long root(int number) {
        return Bits.mix(number, 17) << GENERATION_BITS;
    }

    private int children(long task) {
        int generation = (int) task & (1 << GENERATION_BITS) - 1;
        return generation + 1 >= depth ? 0 : Bits.below(Bits.mix(task, 3), MOST_CHILDREN + 1);
    }

    private static long child(long task, int number) {
        long generation = task & (1 << GENERATION_BITS) - 1;
        return Bits.mix(task, number, 5) << GENERATION_BITS | generation + 1;
    }

    private static long value(long task) {
        return Bits.mix(task, 11);
    }

    @Override
    public void run(Job job) {
        job.parameter("roots", Integer.toString(roots));
        job.parameter("depth", Integer.toString(depth));
        job.parameter("capacity", Integer.toString(capacity));
        Window queues = job.allocateWindow("queues", FIRST + capacity * CELL);
        LongCell done = job.protectLong("done");
        LongCell sum = job.protectLong("sum");
        job.initialize(() -> {
            if (job.rank() == 0) {
                for (int i = 0; i < roots; i++) {
                    queues.memory().set(JAVA_LONG, FIRST + i * CELL, root(i));
                }
                queues.memory().set(JAVA_LONG, NEWEST, roots);
            }
            job.gsync();
        });
        clock.start();
        try (Arena arena = Arena.ofConfined()) {
            Worker worker = new Worker(job, queues, arena);
            boolean isWorkLeft = true;
            while (isWorkLeft && job.nextStep()) {
                for (int i = 0; i < batch && worker.next(); i++) {
                    done.add(1);
                    sum.add(value(worker.task));
                    worker.add(worker.task);
                }
                isWorkLeft = job.allReduce(AtomicOp.SUM, worker.waiting()) > 0 && job.step() < steps;
            }
        }
        report(job, done, sum);
    }

    private FtrmaException full() {
        return new FtrmaException(FtrmaException.Category.FATAL, "capacity=" + capacity
            + ": a queue is full; use a larger one");
    }

    private void report(Job job, LongCell done, LongCell sum) {
        double seconds = clock.seconds(job);
        long all = job.allReduce(AtomicOp.SUM, done.get());
        long values = job.allReduce(AtomicOp.SUM, sum.get());
        long most = job.allReduce(AtomicOp.MAX, done.get());
        if (job.rank() == 0) {
            long[] expected = new long[2];
            for (int i = 0; i < roots; i++) {
                count(root(i), expected);
            }
            job.report("class", roots + "x" + depth);
            job.report("iterations", job.step());
            job.report("seconds", seconds);
            job.report("tasks", all);
            job.report("mostOfARank", most);
            job.report("checksumDigest", String.format("%016x", Bits.mix(all, values)));
            job.report("verified", all == expected[0] && values == expected[1]);
        }
    }

    /** A task and all that come of it, alone. */
    private void count(long task, long[] found) {
        found[0]++;
        found[1] += value(task);
        for (int i = 0; i < children(task); i++) {
            count(child(task, i), found);
        }
    }

    /** One rank's access to the queues. */
    private final class Worker {
        private final Job job;
        private final Window queues;
        private final MemorySegment ends;
        private final MemorySegment tasks;
        /** What {@link #next} found. */
        private long task;

        Worker(Job job, Window queues, Arena arena) {
            this.job = job;
            this.queues = queues;
            this.ends = arena.allocate(FIRST, 8);
            this.tasks = arena.allocate(MOST_AT_A_TIME * CELL, 8);
        }

        /** Own tasks that wait; nobody takes any at the moment. */
        long waiting() {
            queues.lock(LockType.EXCLUSIVE, job.rank());
            long count = look(job.rank());
            queues.unlock(job.rank());
            return count;
        }

        private long look(int rank) {
            queues.get(ends, rank, 0);
            queues.flush(rank);
            return ends.get(JAVA_LONG, NEWEST) - ends.get(JAVA_LONG, OLDEST);
        }

        private long place(long number) {
            return FIRST + number % capacity * CELL;
        }

        /** Takes a task into {@link #task}: of its own, else of others. */
        boolean next() {
            int own = job.rank();
            queues.lock(LockType.EXCLUSIVE, own);
            boolean found = look(own) > 0;
            if (found) {
                long newest = ends.get(JAVA_LONG, NEWEST) - 1;
                task = queues.getLong(own, place(newest));
                queues.putLong(newest, own, NEWEST);
            }
            queues.unlock(own);
            for (int i = 1; i < job.ranks() && !found; i++) {
                found = steal((own + i) % job.ranks());
            }
            return found;
        }

        /** Half of the oldest tasks of another rank: one for {@link #task}, the others for the own queue. */
        private boolean steal(int from) {
            queues.lock(LockType.EXCLUSIVE, from);
            long count = Math.min(MOST_AT_A_TIME, (look(from) + 1) / 2);
            long oldest = ends.get(JAVA_LONG, OLDEST);
            for (int i = 0; i < count; i++) {
                queues.get(tasks, i * CELL, from, place(oldest + i), CELL);
            }
            if (count > 0) {
                queues.putLong(oldest + count, from, OLDEST);
            }
            queues.unlock(from);
            if (count > 0) {
                task = tasks.get(JAVA_LONG, 0);
                append(1, (int) count);
            }
            return count > 0;
        }

        /** The tasks that this one makes wait in the own queue. */
        void add(long parent) {
            int count = children(parent);
            for (int i = 0; i < count; i++) {
                tasks.setAtIndex(JAVA_LONG, i, child(parent, i));
            }
            append(0, count);
        }

        private void append(int from, int to) {
            if (from == to) {
                return;
            }
            int own = job.rank();
            queues.lock(LockType.EXCLUSIVE, own);
            if (look(own) + to - from > capacity) {
                throw full();
            }
            long newest = ends.get(JAVA_LONG, NEWEST);
            for (int i = from; i < to; i++) {
                queues.put(tasks, i * CELL, own, place(newest + i - from), CELL);
            }
            queues.putLong(newest + to - from, own, NEWEST);
            queues.unlock(own);
        }
    }
}
