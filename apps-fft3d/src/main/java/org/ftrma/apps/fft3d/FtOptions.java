package org.ftrma.apps.fft3d;

import org.ftrma.MisuseException;
import org.ftrma.options.OptionValues;

/**
 * The program's arguments. Immutable; any thread.
 *
 * @param problem the problem class
 * @param iterations time steps, the class's own number unless given
 * @param gridRows rows of the grid of ranks, a power of two, 0 to choose
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
        if (gridRows == 0) {
            if (rowsFor(ranks) == 0) {
                throw new MisuseException("--ranks=" + ranks + ": " + allowedRanks() + "; take " + nearTo(ranks));
            }
            return Grid.of(problem.nx(), problem.ny(), problem.nz(), ranks, rank);
        }
        String given = "--grid=" + gridRows + "x" + gridColumns + ": ";
        if ((long) gridRows * gridColumns != ranks) {
            throw new MisuseException(given + "needs " + (long) gridRows * gridColumns + " ranks, the job has "
                + ranks);
        }
        try {
            return new Grid(problem.nx(), problem.ny(), problem.nz(), gridRows, gridColumns, rank);
        } catch (IllegalArgumentException e) {
            throw new MisuseException(given + "class " + problem.name() + ": " + e.getMessage());
        }
    }

    private int rowsFor(int ranks) {
        return Grid.rowsFor(problem.nx(), problem.ny(), problem.nz(), ranks);
    }

    private String allowedRanks() {
        int slabs = Math.min(problem.ny(), problem.nz());
        return "class " + problem.name() + " takes any number up to " + slabs + ", even ones up to " + 2 * slabs
            + ", multiples of 4 up to " + 4 * slabs + ", and so on up to " + mostRanks();
    }

    private int mostRanks() {
        return Math.min(problem.nx(), problem.ny()) * Math.min(problem.ny(), problem.nz());
    }

    /** The next smaller number that is allowed, and the next larger one, where there is one. */
    private String nearTo(int ranks) {
        int less = Math.clamp(ranks, 1, mostRanks());
        while (rowsFor(less) == 0) {
            less--;
        }
        int more = ranks;
        while (more <= mostRanks() && rowsFor(more) == 0) {
            more++;
        }
        return more <= mostRanks() ? less + " or " + more : "" + less;
    }
}
