package org.ftrma.launch.disk;

import java.util.List;
import java.util.stream.Stream;

/**
 * A line of generations on disk, each of which goes on from the one before it. Who goes on from one that is not the
 * newest of its branch begins another branch. Immutable; any thread.
 *
 * @param number from 1 on; no two branches of a directory have the same
 * @param origins what it, and those before it, went on from; the oldest first
 */
public record Branch(int number, List<Origin> origins) {
    /** Of a job that begins in an empty directory. */
    public static final Branch FIRST = new Branch(1, List.of());

    /**
     * The last generation of another branch that belongs to a line.
     *
     * @param branch its number
     * @param generation its number
     */
    public record Origin(int branch, long generation) {
    }

    /** One that leaves this one after a generation. */
    Branch leaving(long generation, int newNumber) {
        return new Branch(newNumber, Stream.concat(origins.stream(), Stream.of(new Origin(number, generation)))
            .toList());
    }

    /** Whether a generation of a branch belongs to the line that leads to this one. */
    boolean goesBackTo(Branch branch, long generation) {
        return branch.number == number || origins.stream()
            .anyMatch(origin -> origin.branch() == branch.number && generation <= origin.generation());
    }
}
