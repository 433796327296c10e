package org.ftrma.testkit;

import java.util.List;
import org.ftrma.testkit.programs.SimRandom;

/** Choice of the programs that {@link RandomRuns} generates, and the jobs that run them. Any thread. */
interface RandomPrograms {
    /** For people. */
    String what();

    /** The keys of the flavours that there are. */
    List<String> flavours();

    /** The key of the flavour that the program of that number has. */
    String flavour(long number);

    /**
     * The simulated job of a program: its numbers of ranks and so on are drawn.
     *
     * @param losses that each group survives; 0: this is drawn, too
     */
    Simulation draw(long number, int losses, SimRandom random);

    /** Whether a rank may hang where others poll, which takes very many steps. */
    boolean mayHangWherePolled();
}
