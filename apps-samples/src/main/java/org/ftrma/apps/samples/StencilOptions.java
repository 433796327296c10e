package org.ftrma.apps.samples;

import org.ftrma.Distribution;
import org.ftrma.MisuseException;
import org.ftrma.options.OptionValues;

/**
 * The stencil's arguments. Immutable; any thread.
 *
 * @param steps iterations
 * @param rows rows of the whole field, its fixed border not counted
 * @param columns columns of it
 * @param gridRows rows of the grid of ranks, 0 to choose
 * @param gridColumns columns of it
 * @param residualEvery the change is reduced over all ranks in every so many steps
 * @param verify whether every rank compares its part with a serial run
 */
record StencilOptions(int steps, int rows, int columns, int gridRows, int gridColumns, int residualEvery,
    boolean verify) {
    static StencilOptions parse(String[] args) {
        OptionValues<StencilOption> values = StencilOption.TABLE.parse(args);
        Sides size = Sides.of(values.number(StencilOption.SIZE));
        Sides grid = Sides.of(values.number(StencilOption.GRID));
        return new StencilOptions(values.count(StencilOption.STEPS), size.rows(), size.columns(), grid.rows(),
            grid.columns(), values.count(StencilOption.RESIDUAL_EVERY), values.yes(StencilOption.VERIFY));
    }

    /** Where the cells of the field are, row by row, on any number of ranks. */
    Distribution distribution() {
        String grid = gridRows == 0 ? "grid as square as can be" : "grid " + gridRows + "x" + gridColumns;
        return Distribution.of("blocks of a " + grid, (long) rows * columns, Double.BYTES,
            new Distribution.Placement() {
                @Override
                public int rank(int ranks, long element) {
                    return blocks(ranks).rankOf((int) (element / columns), (int) (element % columns));
                }

                @Override
                public long offset(int ranks, long element) {
                    return blocks(ranks).indexOf((int) (element / columns), (int) (element % columns)) * Double.BYTES;
                }

                @Override
                public long run(int ranks, long element) {
                    return blocks(ranks).columnsFrom((int) (element / columns), (int) (element % columns));
                }
            });
    }

    /** How the field is cut for so many ranks. Throws {@link MisuseException} if it cannot be. */
    Blocks blocks(int ranks) {
        int gridR = gridRows;
        int gridC = gridColumns;
        if (gridR == 0) {
            gridR = (int) Math.sqrt(ranks);
            while (ranks % gridR != 0) {
                gridR--;
            }
            gridC = ranks / gridR;
        }
        if (gridR * gridC != ranks) {
            throw new MisuseException("--grid=" + gridR + "x" + gridC + ": needs " + gridR * gridC
                + " ranks, the job has " + ranks);
        }
        if (gridR > rows || gridC > columns) {
            throw new MisuseException("--size=" + rows + "x" + columns + ": smaller than the grid of ranks, " + gridR
                + "x" + gridC);
        }
        return new Blocks(rows, columns, gridR, gridC);
    }
}
