package org.ftrma.apps.samples;

import java.util.List;
import java.util.Map;
import org.ftrma.MisuseException;

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
record StencilOptions(int steps, int rows, int columns, int gridRows, int gridColumns, int residualEvery, boolean verify) {
    private static final String CHOOSE = "auto";

    static final List<SampleOption> TABLE = List.of(
        new SampleOption("steps", "N", "60", "iterations, 1 to 1000000"),
        new SampleOption("size", "RxC", "192x160", "rows and columns of the whole field, 1 to 32768 each"),
        new SampleOption("grid", "RxC", CHOOSE, "ranks as R rows and C columns; 1xN and Nx1 cut the field in one direction only; auto: as square as "
            + "can be"),
        new SampleOption("residual-every", "N", "5", "reduce the largest change over all ranks in every so many steps"),
        new SampleOption("verify", "yes|no", SampleOption.YES, "every rank compares its part with a serial run of the whole field, bit for bit"));

    static StencilOptions parse(String[] args) {
        Map<String, String> values = SampleOption.parse(TABLE, args);
        int[] size = SampleOption.pair(values, "size", 1, 1 << 15);
        int[] grid = values.get("grid").equals(CHOOSE) ? new int[2] : SampleOption.pair(values, "grid", 1, 1024);
        return new StencilOptions(SampleOption.count(values, "steps", 1, 1_000_000), size[0], size[1], grid[0], grid[1],
            SampleOption.count(values, "residual-every", 1, 1_000_000), SampleOption.yes(values, "verify"));
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
            throw new MisuseException("--grid=" + gridR + "x" + gridC + ": needs " + gridR * gridC + " ranks, the job has " + ranks);
        }
        if (gridR > rows || gridC > columns) {
            throw new MisuseException("--size=" + rows + "x" + columns + ": smaller than the grid of ranks, " + gridR + "x" + gridC);
        }
        return new Blocks(rows, columns, gridR, gridC);
    }
}
