package org.ftrma.apps.fft3d;

import org.ftrma.MisuseException;
import org.ftrma.options.OptionValues;

/**
 * The program's arguments. Immutable; any thread.
 *
 * @param problem the problem class
 * @param iterations time steps, the class's own number unless given
 * @param gridRows rows of the grid of ranks, 0 to choose
 * @param gridColumns columns of the grid of ranks, 0 to choose
 * @param warmUpSeconds how long the kernels are run before the measurement at least, so that the just-in-time compiler
 * has finished
 * @param printChecksums whether rank 0 prints each time step's checksum
 * @param files where {@link FileCheckpoints} are written; empty: nowhere
 * @param filesEvery steps from one of them to the next
 */
record FtOptions(FtClass problem, int iterations, int gridRows, int gridColumns, double warmUpSeconds,
    boolean printChecksums, String files,
    int filesEvery) {
    /**
     * Parses {@code --name value} and {@code --name=value}. Throws {@link MisuseException} that names the argument and
     * what is allowed.
     */
    static FtOptions parse(String[] args) {
        OptionValues<FtOption> values = FtOption.TABLE.parse(args);
        FtClass problem = FtClass.all().get(values.text(FtOption.CLASS));
        long grid = values.number(FtOption.GRID, 0);
        return new FtOptions(problem, (int) values.number(FtOption.ITERATIONS, problem.iterations()),
            (int) (grid >> Integer.SIZE), (int) grid,
            values.decimal(FtOption.WARM_UP), values.has(FtOption.PRINT_CHECKSUMS), values.text(FtOption.FILES),
            values.count(FtOption.FILES_EVERY));
    }

    /** The decomposition for one rank of a job. Throws {@link MisuseException} if the class cannot be divided so. */
    Grid grid(int ranks, int rank) {
        if (Integer.bitCount(ranks) != 1) {
            throw new MisuseException("--ranks=" + ranks + ": NAS FT needs a power of two: 1, 2, 4, 8 and so on");
        }
        if (gridRows != 0 && (long) gridRows * gridColumns != ranks) {
            throw new MisuseException("--grid=" + gridRows + "x" + gridColumns + ": needs "
                + (long) gridRows * gridColumns
                + " ranks, the job has " + ranks);
        }
        try {
            return gridRows == 0
                ? Grid.of(problem.nx(), problem.ny(), problem.nz(), ranks, rank)
                : new Grid(problem.nx(), problem.ny(), problem.nz(), gridRows, gridColumns, rank);
        } catch (IllegalArgumentException e) {
            throw new MisuseException("class " + problem.name() + " on " + ranks + " ranks: " + e.getMessage());
        }
    }
}
