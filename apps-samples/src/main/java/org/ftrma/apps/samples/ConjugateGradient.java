package org.ftrma.apps.samples;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;

import java.lang.foreign.MemorySegment;
import org.ftrma.AtomicOp;
import org.ftrma.Comparison;
import org.ftrma.Distribution;
import org.ftrma.DoubleCell;
import org.ftrma.Ftrma;
import org.ftrma.Job;
import org.ftrma.MisuseException;
import org.ftrma.Program;
import org.ftrma.Window;
import org.ftrma.options.CommandOption;
import org.ftrma.options.OptionForm;
import org.ftrma.options.OptionTable;
import org.ftrma.options.OptionText;
import org.ftrma.options.OptionValues;

/**
 * Conjugate gradients: {@code ./ftrma sample cg --ranks 4}. They (Hestenes and Stiefel 1952) solve the five-point
 * Laplacian of a square grid with a border of zeros. Each rank has some rows. In a step it puts the first and the last
 * row of the search direction into its neighbours' windows, each with a signal, and waits for theirs; two reductions
 * give the length of the step and the new direction. How many steps it takes is found out on the way. A neighbour's row
 * is written over only after the reduction that follows its use. At the end the residual is computed anew from the
 * solution. From disk it goes on with any number of ranks, since rows are distributed evenly and sums known to all.
 * Data thread only.
 */
public final class ConjugateGradient implements Program {
    private static final long CELL = 8;
    /** Cells in front of the rows: one for the signal of each neighbour. */
    private static final int UPPER = 0;
    private static final int LOWER = 1;
    private static final int SIGNALS = 2;

    private final int steps;
    private final int size;
    private final int tolerance;
    private final Clock clock = new Clock();

    /** The arguments: name, form, default and meaning in one place. */
    enum Option implements CommandOption {
        STEPS("steps", OptionForm.count(1, 1_000_000), "10000", "maximum number of steps, 1 to 1000000"),
        SIZE("size", OptionForm.count(1, 10_000), "200",
            "rows and columns of the grid, 1 to 10000; at least one row for each rank"),
        TOLERANCE("tolerance", OptionForm.count(1, 14), "8",
            "stop when the residual is 10^-N of its first value: N, 1 to 14");

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

    ConjugateGradient(String... args) {
        OptionValues<Option> values = Option.TABLE.parse(args);
        steps = values.count(Option.STEPS);
        size = values.count(Option.SIZE);
        tolerance = values.count(Option.TOLERANCE);
    }

    /** Runs this process's rank; returns when the job is done. */
    public static void main(String[] args) {
        Ftrma.run(args, new ConjugateGradient(args));
    }

    /** Whether there is a row for each rank. */
    void check(int ranks) {
        if (ranks > size) {
            throw new MisuseException("size=" + size + ": must be at least the number of ranks, " + ranks);
        }
    }

    @Override
    public void run(Job job) {
        check(job.ranks());
        job.parameter("size", Integer.toString(size));
        Rows rows = new Rows(job, size);
        DoubleCell rho = job.protectDouble("rho");
        DoubleCell first = job.protectDouble("first");
        job.distribution("rho", Distribution.replicated());
        job.distribution("first", Distribution.replicated());
        job.initialize(() -> {
            rows.begin();
            double squares = job.allReduce(AtomicOp.SUM, rows.squareOfResidual());
            rho.set(squares);
            first.set(squares);
        });
        clock.start();
        boolean isOver = false;
        while (!isOver && job.nextStep()) { // what is protected is there from the first step on
            rows.exchange(job.step());
            double alpha = rho.get() / job.allReduce(AtomicOp.SUM, rows.multiply());
            double next = job.allReduce(AtomicOp.SUM, rows.advance(alpha));
            rows.turn(next / rho.get());
            rho.set(next);
            isOver = next <= first.get() * Math.pow(10, -2 * tolerance) || job.step() == steps;
        }
        report(job, rows, rho.get(), first.get());
    }

    private void report(Job job, Rows rows, double rho, double first) {
        double seconds = clock.seconds(job);
        double residual = Math.sqrt(job.allReduce(AtomicOp.SUM, rows.residualAnew()) / first);
        String digest = Bits.digestOfAll(job, Bits.digest(rows.x, rows.cells));
        if (job.rank() == 0) {
            job.report("class", size + "x" + size);
            job.report("iterations", job.step());
            job.report("seconds", seconds);
            job.report("residual", residual);
            job.report("checksumDigest", digest);
            job.report("verified", Math.sqrt(rho / first) <= Math.pow(10, -tolerance)
                && residual <= 10 * Math.pow(10, -tolerance));
        }
    }

    /** The rows of a rank: solution, residual, direction with a row of each neighbour around it, and their product. */
    private static final class Rows {
        private final Job job;
        private final int size;
        private final int count;
        private final long firstRow;
        private final long cells;
        private final Window direction;
        private final MemorySegment p;
        private final MemorySegment x;
        private final MemorySegment r;
        private final double[] product;

        Rows(Job job, int size) {
            this.job = job;
            this.size = size;
            firstRow = (long) size * job.rank() / job.ranks();
            count = (int) ((long) size * (job.rank() + 1) / job.ranks() - firstRow);
            cells = (long) count * size;
            long most = (size + job.ranks() - 1) / job.ranks();
            Distribution byRow = Distribution.even(size, size * CELL);
            job.distribution("direction", byRow.after((SIGNALS + size) * CELL));
            job.distribution("solution", byRow);
            job.distribution("residual", byRow);
            direction = job.allocateWindow("direction", (SIGNALS + (most + 2) * size) * CELL);
            p = direction.memory();
            x = job.protect("solution", most * size * CELL);
            r = job.protect("residual", most * size * CELL);
            product = new double[(int) cells];
        }

        /** Where a row of the direction is; -1 and count are those of neighbours. */
        private long row(long index) {
            return (SIGNALS + (index + 1) * size) * CELL;
        }

        private int countOf(int rank) {
            return (int) ((long) size * (rank + 1) / job.ranks() - (long) size * rank / job.ranks());
        }

        /** x is 0, so that the residual and the first direction are the right side. */
        void begin() {
            for (long i = 0; i < cells; i++) {
                double value = (Bits.mix(firstRow * size + i, 1) >>> 11) * 0x1p-53;
                r.setAtIndex(JAVA_DOUBLE, i, value);
                p.set(JAVA_DOUBLE, row(0) + i * CELL, value);
            }
        }

        double squareOfResidual() {
            double sum = 0;
            for (long i = 0; i < cells; i++) {
                sum += r.getAtIndex(JAVA_DOUBLE, i) * r.getAtIndex(JAVA_DOUBLE, i);
            }
            return sum;
        }

        /** Neighbours' rows are here when it returns. Signals are the number of the exchange. */
        void exchange(long number) {
            int rank = job.rank();
            long bytes = size * CELL;
            if (rank > 0) {
                direction.putSignal(p, row(0), rank - 1, row(countOf(rank - 1)), bytes, AtomicOp.REPLACE, number,
                    LOWER * CELL);
            }
            if (rank < job.ranks() - 1) {
                direction.putSignal(p, row(count - 1), rank + 1, row(-1), bytes, AtomicOp.REPLACE, number,
                    UPPER * CELL);
            }
            if (rank > 0) {
                direction.waitUntil(UPPER * CELL, Comparison.GE, number);
            }
            if (rank < job.ranks() - 1) {
                direction.waitUntil(LOWER * CELL, Comparison.GE, number);
            }
        }

        /** The product of matrix and direction; returns the direction's product with that. */
        double multiply() {
            double sum = 0;
            for (int row = 0; row < count; row++) {
                for (int column = 0; column < size; column++) {
                    long at = row(row) + column * CELL;
                    double here = p.get(JAVA_DOUBLE, at);
                    double value = 4 * here - p.get(JAVA_DOUBLE, at - size * CELL)
                        - p.get(JAVA_DOUBLE, at + size * CELL);
                    value -= column > 0 ? p.get(JAVA_DOUBLE, at - CELL) : 0;
                    value -= column < size - 1 ? p.get(JAVA_DOUBLE, at + CELL) : 0;
                    product[row * size + column] = value;
                    sum += here * value;
                }
            }
            return sum;
        }

        /** Goes so far in the direction; returns the square of the new residual. */
        double advance(double alpha) {
            for (int i = 0; i < cells; i++) {
                double step = alpha * p.get(JAVA_DOUBLE, row(0) + i * CELL);
                x.setAtIndex(JAVA_DOUBLE, i, x.getAtIndex(JAVA_DOUBLE, i) + step);
                r.setAtIndex(JAVA_DOUBLE, i, r.getAtIndex(JAVA_DOUBLE, i) - alpha * product[i]);
            }
            return squareOfResidual();
        }

        /** The next direction. */
        void turn(double beta) {
            for (long i = 0; i < cells; i++) {
                long at = row(0) + i * CELL;
                p.set(JAVA_DOUBLE, at, r.getAtIndex(JAVA_DOUBLE, i) + beta * p.get(JAVA_DOUBLE, at));
            }
        }

        /** Collective: the square of the right side minus the product of matrix and solution. */
        double residualAnew() {
            MemorySegment.copy(x, 0, p, row(0), cells * CELL);
            exchange(Long.MAX_VALUE);
            multiply();
            double sum = 0;
            for (long i = 0; i < cells; i++) {
                double value = (Bits.mix(firstRow * size + i, 1) >>> 11) * 0x1p-53 - product[(int) i];
                sum += value * value;
            }
            return sum;
        }
    }
}
