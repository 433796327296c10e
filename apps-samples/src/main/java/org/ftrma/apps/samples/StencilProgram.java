package org.ftrma.apps.samples;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;

import java.lang.foreign.MemorySegment;
import org.ftrma.AtomicOp;
import org.ftrma.Distribution;
import org.ftrma.Job;
import org.ftrma.Program;
import org.ftrma.RotatingSegment;
import org.ftrma.Window;
import org.ftrma.WindowKind;

/**
 * A gsync program: a field of cells, each replaced in every step by the mean of its four neighbours. Each rank has a
 * block of the field in a rotating segment and puts its edges into its neighbours' halo, a scratch window with two sets
 * of borders that take turns: so one gsync in a step is enough, since the set that a neighbour may still read is not
 * the one that is written. Columns go by strided puts, without packing. What else survives is the largest change of
 * every reduced step. From disk it goes on with any number of ranks. Data thread only.
 */
final class StencilProgram implements Program {
    private static final int NORTH = 0;
    private static final int SOUTH = 1;
    private static final int WEST = 2;
    private static final int EAST = 3;
    private static final int SIDES = 4;

    private final StencilOptions options;
    private final Clock clock = new Clock();

    StencilProgram(StencilOptions options) {
        this.options = options;
    }

    /** One entry: the block's place, its memory, and rows to compute with. */
    private final class Block {
        private final Job job;
        private final Blocks blocks;
        private final int rank;
        private final int rows;
        private final int columns;
        private final long sideBytes;
        private final Window halo;
        private final RotatingSegment field;
        private final MemorySegment changes;
        private double[] north;
        private double[] here;
        private double[] south;
        private final double[] next;

        Block(Job job) {
            this.job = job;
            rank = job.rank();
            blocks = options.blocks(job.ranks());
            rows = blocks.rowsOf(rank);
            columns = blocks.columnsOf(rank);
            sideBytes = 8L * Math.max(blocks.mostRows(), blocks.mostColumns());
            halo = job.allocateWindow("halo", 2 * SIDES * sideBytes, WindowKind.SCRATCH);
            field = job.protectRotating("field", 8L * blocks.mostRows() * blocks.mostColumns());
            changes = job.protect("changes", 8L * reductions());
            job.distribution("field", options.distribution());
            job.distribution("changes", Distribution.replicated());
            north = new double[columns + 2];
            here = new double[columns + 2];
            south = new double[columns + 2];
            next = new double[columns + 2];
        }

        private int reductions() {
            return options.steps() / options.residualEvery() + 1;
        }

        void fill() {
            MemorySegment cells = field.next();
            for (int r = 0; r < rows; r++) {
                for (int c = 0; c < columns; c++) {
                    cells.setAtIndex(JAVA_DOUBLE, (long) r * columns + c, Jacobi.initial(blocks.firstRow(rank) + r,
                        blocks.firstColumn(rank) + c, options.rows(), options.columns()));
                }
            }
            field.advance();
        }

        private long side(long step, int side) {
            return ((step & 1) * SIDES + side) * sideBytes;
        }

        void step(long step) {
            sendEdges(step);
            job.gsync();
            double change = compute(step);
            field.advance();
            if (step % options.residualEvery() == 0) {
                changes.setAtIndex(JAVA_DOUBLE, step / options.residualEvery(), job.allReduce(AtomicOp.MAX, change));
            }
        }

        /** The first row is the southern border of the rank in the north, and so on. */
        private void sendEdges(long step) {
            MemorySegment cells = field.current();
            long rowBytes = 8L * columns;
            if (blocks.north(rank) >= 0) {
                halo.put(cells, 0, blocks.north(rank), side(step, SOUTH), rowBytes);
            }
            if (blocks.south(rank) >= 0) {
                halo.put(cells, (rows - 1) * rowBytes, blocks.south(rank), side(step, NORTH), rowBytes);
            }
            if (blocks.west(rank) >= 0) {
                halo.putStrided(cells, 0, rowBytes, blocks.west(rank), side(step, EAST), 8, 8, rows);
            }
            if (blocks.east(rank) >= 0) {
                halo.putStrided(cells, rowBytes - 8, rowBytes, blocks.east(rank), side(step, WEST), 8, 8, rows);
            }
        }

        private double compute(long step) {
            double largest = 0;
            load(step, -1, here);
            load(step, 0, south);
            for (int r = 0; r < rows; r++) {
                double[] spare = north;
                north = here;
                here = south;
                south = spare;
                load(step, r + 1, south);
                largest = Math.max(largest, Jacobi.row(north, here, south, next, columns));
                MemorySegment.copy(next, 1, field.next(), JAVA_DOUBLE, 8L * r * columns, columns);
            }
            return largest;
        }

        /**
         * A row of the block with its two neighbouring cells; row -1 and the one after the last come from the halo or
         * the border.
         */
        private void load(long step, int row, double[] cells) {
            boolean above = row < 0;
            if (above || row == rows) {
                boolean neighbour = (above ? blocks.north(rank) : blocks.south(rank)) >= 0;
                for (int c = 0; c < columns; c++) {
                    cells[c + 1] = neighbour ? halo.memory()
                        .get(JAVA_DOUBLE, side(step, above ? NORTH : SOUTH) + 8L * c) : border(row, c);
                }
                return;
            }
            MemorySegment.copy(field.current(), JAVA_DOUBLE, 8L * row * columns, cells, 1, columns);
            cells[0] = blocks.west(rank) >= 0 ? halo.memory().get(JAVA_DOUBLE, side(step, WEST) + 8L * row)
                : border(row, -1);
            cells[columns + 1] = blocks.east(rank) >= 0 ? halo.memory().get(JAVA_DOUBLE, side(step, EAST) + 8L * row)
                : border(row, columns);
        }

        private double border(int row, int column) {
            return Jacobi.initial(blocks.firstRow(rank) + row, blocks.firstColumn(rank) + column, options.rows(),
                options.columns());
        }

        /** The number of values that differ from the serial run's in any bit. */
        long differences() {
            double[] serialChanges = new double[options.steps()];
            double[][] serial = Jacobi.serial(options.rows(), options.columns(), options.steps(), serialChanges);
            long differences = 0;
            for (int r = 0; r < rows; r++) {
                double[] right = serial[blocks.firstRow(rank) + r + 1];
                for (int c = 0; c < columns; c++) {
                    differences += differs(field.current().getAtIndex(JAVA_DOUBLE, (long) r * columns + c),
                        right[blocks.firstColumn(rank)
                        + c + 1]);
                }
            }
            for (int i = 1; i < reductions(); i++) {
                differences += differs(changes.getAtIndex(JAVA_DOUBLE, i),
                    serialChanges[i * options.residualEvery() - 1]);
            }
            return differences;
        }

        private static int differs(double got, double right) {
            return Double.doubleToRawLongBits(got) == Double.doubleToRawLongBits(right) ? 0 : 1;
        }

        long digest() {
            return Bits.mix(Bits.digest(field.current(), (long) rows * columns), Bits.digest(changes, reductions()));
        }
    }

    @Override
    public void run(Job job) {
        job.parameter("size", options.rows() + "x" + options.columns());
        job.parameter("residual-every", Integer.toString(options.residualEvery()));
        Block block = new Block(job);
        job.initialize(block::fill);
        clock.start();
        for (long step : job.steps(options.steps())) {
            block.step(step);
        }
        double seconds = clock.seconds(job);
        String digest = Bits.digestOfAll(job, block.digest());
        long differences = options.verify() ? job.allReduce(AtomicOp.SUM, block.differences()) : 0;
        if (job.rank() != 0) {
            return;
        }
        job.report("class", options.rows() + "x" + options.columns());
        job.report("grid", block.blocks.gridRows() + "x" + block.blocks.gridColumns());
        job.report("iterations", options.steps());
        job.report("seconds", seconds);
        job.report("residual", block.changes.getAtIndex(JAVA_DOUBLE, options.steps() / options.residualEvery()));
        job.report("checksumDigest", digest);
        if (options.verify()) {
            job.report("differences", differences);
            job.report("verified", differences == 0);
        }
    }
}
