package org.ftrma.apps.samples;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;

import java.lang.foreign.MemorySegment;
import org.ftrma.AtomicOp;
import org.ftrma.Distribution;
import org.ftrma.Ftrma;
import org.ftrma.Job;
import org.ftrma.MisuseException;
import org.ftrma.Program;
import org.ftrma.RotatingSegment;
import org.ftrma.Window;
import org.ftrma.WindowKind;
import org.ftrma.options.CommandOption;
import org.ftrma.options.OptionForm;
import org.ftrma.options.OptionTable;
import org.ftrma.options.OptionText;
import org.ftrma.options.OptionValues;

/**
 * The gsync sample, a Jacobi iteration: {@code ./ftrma sample stencil --ranks 4}. In every step each cell of a field is
 * replaced by the mean of its four neighbours. Each rank has a block of the field in a rotating segment and puts its
 * edges into its neighbours' halo, a scratch window with two sets of borders that take turns: so one gsync in a step is
 * enough, since the set that a neighbour may still read is not the one that is written. Columns go by strided puts,
 * without packing. What else survives is the largest change of every reduced step. From disk it goes on with any number
 * of ranks. Data thread only.
 */
public final class Stencil implements Program {
    private static final int NORTH = 0;
    private static final int SOUTH = 1;
    private static final int WEST = 2;
    private static final int EAST = 3;
    private static final int SIDES = 4;
    private static final String CHOOSE = "auto";

    private final int steps;
    private final Sides size;
    /** 0x0: chosen. */
    private final Sides grid;
    private final int residualEvery;
    private final boolean verify;
    private final Clock clock = new Clock();

    /** The arguments: name, form, default and meaning in one place. */
    enum Option implements CommandOption {
        STEPS("steps", OptionForm.count(1, 1_000_000), "60", "iterations, 1 to 1000000"),
        SIZE("size", Sides.form(1 << 15), "192x160", "rows and columns of the whole field, 1 to 32768 each"),
        GRID("grid", Sides.form(1024).or(CHOOSE), CHOOSE,
            "ranks as R rows and C columns; 1xN and Nx1 split the field in one direction only; auto: nearly square"),
        RESIDUAL_EVERY("residual-every", OptionForm.count(1, 1_000_000), "5",
            "reduce the largest change over all ranks every Nth step"),
        VERIFY("verify", OptionForm.yesNo(), OptionValues.YES,
            "compare every rank's part with a serial run of the whole field, bit for bit");

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

    /** Rows and columns, as {@code 128x96}. */
    private record Sides(int rows, int columns) {
        /** The form of an option with two numbers from 1 on. */
        static OptionForm form(int most) {
            return OptionForm.of("RxC", (key, value) -> {
                String[] parts = value.split("x", -1);
                int[] sides = new int[2];
                for (int i = 0; i < 2; i++) {
                    sides[i] = parts.length == 2 && parts[i].matches("[0-9]{1,9}") ? Integer.parseInt(parts[i]) : 0;
                    if (sides[i] < 1 || sides[i] > most) {
                        throw new MisuseException("--" + key + "=" + value + ": must be rows x columns, each 1 to "
                            + most + ", as 128x96");
                    }
                }
                return (long) sides[0] << Integer.SIZE | sides[1];
            });
        }

        /** The number that such an option's value is, taken apart. */
        static Sides of(long number) {
            return new Sides((int) (number >> Integer.SIZE), (int) number);
        }

        @Override
        public String toString() {
            return rows + "x" + columns;
        }
    }

    Stencil(String... args) {
        OptionValues<Option> values = Option.TABLE.parse(args);
        steps = values.count(Option.STEPS);
        size = Sides.of(values.number(Option.SIZE));
        grid = Sides.of(values.number(Option.GRID));
        residualEvery = values.count(Option.RESIDUAL_EVERY);
        verify = values.yes(Option.VERIFY);
    }

    /** Runs this process's rank; returns when the job is done. */
    public static void main(String[] args) {
        Ftrma.run(args, program(args));
    }

    /** The program that {@link #main} runs, with these arguments. */
    public static Program program(String[] args) {
        return new Stencil(args);
    }

    /** Where the cells of the field are, row by row, on any number of ranks. */
    Distribution distribution() {
        String form = grid.rows() == 0 ? "grid as square as can be" : "grid " + grid;
        return Distribution.of("blocks of a " + form, (long) size.rows() * size.columns(), Double.BYTES,
            new Distribution.Placement() {
                private int row(long element) {
                    return (int) (element / size.columns());
                }

                private int column(long element) {
                    return (int) (element % size.columns());
                }

                @Override
                public int rank(int ranks, long element) {
                    return blocks(ranks).rankOf(row(element), column(element));
                }

                @Override
                public long offset(int ranks, long element) {
                    return blocks(ranks).indexOf(row(element), column(element)) * Double.BYTES;
                }

                @Override
                public long run(int ranks, long element) {
                    return blocks(ranks).columnsFrom(row(element), column(element));
                }
            });
    }

    /** How the field is cut for so many ranks. Throws {@link MisuseException} if it cannot be. */
    Blocks blocks(int ranks) {
        Sides cut = grid.rows() == 0 ? nearlySquare(ranks) : grid;
        if (cut.rows() * cut.columns() != ranks) {
            throw new MisuseException("--grid=" + cut + ": needs " + cut.rows() * cut.columns()
                + " ranks, the job has " + ranks);
        }
        if (cut.rows() > size.rows() || cut.columns() > size.columns()) {
            throw new MisuseException("--size=" + size + ": smaller than the grid of ranks, " + cut);
        }
        return new Blocks(size.rows(), size.columns(), cut.rows(), cut.columns());
    }

    private static Sides nearlySquare(int ranks) {
        int rows = (int) Math.sqrt(ranks);
        while (ranks % rows != 0) {
            rows--;
        }
        return new Sides(rows, ranks / rows);
    }

    /**
     * The value of a cell before the first step, or of the fixed border around the field (row or column -1, or the
     * number of them).
     */
    private double initial(int row, int column) {
        if (row < 0 || column < 0 || row == size.rows() || column == size.columns()) {
            return 1 + 0.25 * Bits.below(Bits.mix(row, column), 16);
        }
        return 1e-3 * Bits.below(Bits.mix(row, column, 1), 1000);
    }

    /**
     * A step of one row, for the ranks as for the serial run. Cells 0 and columns + 1 of {@code here} are its
     * neighbours' or the border's.
     *
     * @param north the row above, from its cell 1 on
     * @param here the row itself
     * @param south the row below, from its cell 1 on
     * @param next where the new values go, from its cell 1 on
     * @param columns number of cells
     * @return the largest change, as an absolute value
     */
    private static double jacobi(double[] north, double[] here, double[] south, double[] next, int columns) {
        double largest = 0;
        for (int c = 1; c <= columns; c++) {
            double value = 0.25 * (north[c] + here[c - 1] + here[c + 1] + south[c]);
            next[c] = value;
            largest = Math.max(largest, Math.abs(value - here[c]));
        }
        return largest;
    }

    /**
     * The whole field after all steps, with its border.
     *
     * @param changes takes the largest change of each step
     */
    private double[][] serial(double[] changes) {
        int rows = size.rows();
        int columns = size.columns();
        double[][] field = new double[rows + 2][columns + 2];
        double[][] next = new double[rows + 2][columns + 2];
        for (int r = 0; r < rows + 2; r++) {
            for (int c = 0; c < columns + 2; c++) {
                field[r][c] = initial(r - 1, c - 1);
                next[r][c] = field[r][c];
            }
        }
        for (int step = 0; step < steps; step++) {
            for (int r = 1; r <= rows; r++) {
                changes[step] = Math.max(changes[step], jacobi(field[r - 1], field[r], field[r + 1], next[r], columns));
            }
            double[][] before = field;
            field = next;
            next = before;
        }
        return field;
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
            blocks = blocks(job.ranks());
            rows = blocks.rowsOf(rank);
            columns = blocks.columnsOf(rank);
            sideBytes = 8L * Math.max(blocks.mostRows(), blocks.mostColumns());
            halo = job.allocateWindow("halo", 2 * SIDES * sideBytes, WindowKind.SCRATCH);
            field = job.protectRotating("field", 8L * blocks.mostRows() * blocks.mostColumns());
            changes = job.protect("changes", 8L * reductions());
            job.distribution("field", distribution());
            job.distribution("changes", Distribution.replicated());
            north = new double[columns + 2];
            here = new double[columns + 2];
            south = new double[columns + 2];
            next = new double[columns + 2];
        }

        private int reductions() {
            return steps / residualEvery + 1;
        }

        void fill() {
            MemorySegment cells = field.next();
            for (int r = 0; r < rows; r++) {
                for (int c = 0; c < columns; c++) {
                    cells.setAtIndex(JAVA_DOUBLE, (long) r * columns + c, initial(blocks.firstRow(rank) + r,
                        blocks.firstColumn(rank) + c));
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
            if (step % residualEvery == 0) {
                changes.setAtIndex(JAVA_DOUBLE, step / residualEvery, job.allReduce(AtomicOp.MAX, change));
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
                largest = Math.max(largest, jacobi(north, here, south, next, columns));
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
            return initial(blocks.firstRow(rank) + row, blocks.firstColumn(rank) + column);
        }

        /** The number of values that differ from the serial run's in any bit. */
        long differences() {
            double[] serialChanges = new double[steps];
            double[][] serial = serial(serialChanges);
            long differences = 0;
            for (int r = 0; r < rows; r++) {
                double[] right = serial[blocks.firstRow(rank) + r + 1];
                for (int c = 0; c < columns; c++) {
                    differences += differs(field.current().getAtIndex(JAVA_DOUBLE, (long) r * columns + c),
                        right[blocks.firstColumn(rank) + c + 1]);
                }
            }
            for (int i = 1; i < reductions(); i++) {
                differences += differs(changes.getAtIndex(JAVA_DOUBLE, i), serialChanges[i * residualEvery - 1]);
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
        job.parameter("size", size.toString());
        job.parameter("residual-every", Integer.toString(residualEvery));
        Block block = new Block(job);
        job.initialize(block::fill);
        clock.start();
        for (long step : job.steps(steps)) {
            block.step(step);
        }
        double seconds = clock.seconds(job);
        String digest = Bits.digestOfAll(job, block.digest());
        long differences = verify ? job.allReduce(AtomicOp.SUM, block.differences()) : 0;
        if (job.rank() != 0) {
            return;
        }
        job.report("class", size.toString());
        job.report("grid", block.blocks.gridRows() + "x" + block.blocks.gridColumns());
        job.report("iterations", steps);
        job.report("seconds", seconds);
        job.report("residual", block.changes.getAtIndex(JAVA_DOUBLE, steps / residualEvery));
        job.report("checksumDigest", digest);
        if (verify) {
            job.report("differences", differences);
            job.report("verified", differences == 0);
        }
    }
}
