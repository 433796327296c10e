package org.ftrma.apps.npb;

import org.ftrma.options.OptionValues;

/**
 * MG's arguments. Immutable; any thread.
 *
 * @param common what all benchmarks have
 * @param anySource whether halos are received from any source
 * @param grid ranks in each direction; null: chosen
 */
record MgOptions(NpbOptions common, boolean anySource, int[] grid) {
    static MgOptions parse(String[] args) {
        OptionValues<MgOption> values = MgOption.TABLE.parse(args);
        NpbOptions common = new NpbOptions(values.text(MgOption.CLASS), (int) values.number(MgOption.ITERATIONS, 0),
            values.decimal(MgOption.WARM_UP));
        return new MgOptions(common, values.has(MgOption.ANY_SOURCE), MgOption.sides(values.number(MgOption.GRID, 0)));
    }

    /** The decomposition for one rank of a job. */
    MgGrid grid(int ranks, int rank) {
        return MgGrid.of(MgClass.of(common.problem()), grid, ranks, rank);
    }
}
