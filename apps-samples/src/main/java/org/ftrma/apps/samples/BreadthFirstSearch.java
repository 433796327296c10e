package org.ftrma.apps.samples;

import org.ftrma.Ftrma;

/**
 * Distances in a graph: {@code ./ftrma sample bfs --ranks 4}, or
 * {@code ./ftrma run … -- org.ftrma.apps.samples.BreadthFirstSearch}.
 */
public final class BreadthFirstSearch {
    private BreadthFirstSearch() {
    }

    /** Runs this process's rank; returns when the job is done. */
    public static void main(String[] args) {
        Ftrma.run(args, new BfsProgram(BfsOptions.parse(args)));
    }
}
