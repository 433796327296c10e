package org.ftrma.testkit.programs;

import static org.ftrma.testkit.programs.Mixer.LONG;
import static org.ftrma.testkit.programs.Mixer.mix;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.ftrma.Job;

/**
 * Shared state of the parts of a random program on one rank: the plan's random numbers, buffers, and two protected
 * numbers into which everything read is folded, so that a wrong value shows in the end.
 *
 * <p>{@code seen} takes values that the program determines; it also feeds the values that are written later. What
 * depends on the order of other ranks (old values of contended cells) goes into {@code telescope} as f(new) - f(old):
 * over all ranks the sum of these is f(last) - f(first) of each cell, whatever the order.
 */
final class RandomState {
    private static final int STAGING_CELLS = 16_384;

    final Job job;
    final int rank;
    final int ranks;
    private final long seed;
    private final MemorySegment folded;
    private final MemorySegment staging;
    private final List<MemorySegment> expected = new ArrayList<>();
    private long staged;
    private boolean open;
    private long step;
    private long values;

    RandomState(Job job, long seed, Arena arena) {
        this.job = job;
        this.seed = seed;
        rank = job.rank();
        ranks = job.ranks();
        folded = job.protect("folded", 16);
        staging = arena.allocate(STAGING_CELLS * 8L, 8);
    }

    /**
     * The plan's choices for a place that the keys name: the same on all ranks unless a key is the rank, and at every
     * entry.
     */
    SimRandom plan(long key, long other) {
        return new SimRandom(mix(seed, key, other));
    }

    void beginStep(long number) {
        step = number;
        values = 0;
        if (!open) {
            quiet();
        }
    }

    /** Accesses are left incomplete at the end of a step: their buffers stay until {@link #quiet}. */
    void leaveOpen() {
        open = true;
    }

    /** A value to be written: it depends on all that this rank has seen. */
    long value() {
        return mix(folded.get(LONG, 0), step, rank + ranks * ++values);
    }

    /** The number of the present step, or the last one after the loop. */
    long step() {
        return step;
    }

    void fold(long value) {
        folded.set(LONG, 0, mix(folded.get(LONG, 0), value));
    }

    void telescope(long before, long after) {
        folded.set(LONG, 8, folded.get(LONG, 8) + mix(after, 0x7e1e) - mix(before, 0x7e1e));
    }

    long telescoped() {
        return folded.get(LONG, 8);
    }

    long seen() {
        return folded.get(LONG, 0);
    }

    /** Memory for the source or result of an access, of undefined contents, until {@link #quiet}. */
    MemorySegment stage(int cells) {
        MemorySegment piece = staging.asSlice(staged * 8, cells * 8L);
        staged += cells;
        return piece;
    }

    /** The same, filled with new values. */
    MemorySegment stageValues(int cells) {
        MemorySegment piece = stage(cells);
        for (int i = 0; i < cells; i++) {
            piece.setAtIndex(LONG, i, value());
        }
        return piece;
    }

    /** The result of a get that was issued: folded by {@link #quiet}. */
    MemorySegment expect(int cells) {
        MemorySegment piece = stage(cells);
        expected.add(piece);
        return piece;
    }

    /** To be called when all results are there. */
    void foldExpected() {
        for (MemorySegment piece : expected) {
            foldAll(piece);
        }
        expected.clear();
    }

    /** To be called when all own accesses are complete: folds what was got, and takes back all buffers. */
    void quiet() {
        foldExpected();
        staged = 0;
        open = false;
    }

    void foldAll(MemorySegment piece) {
        for (long i = 0; i < piece.byteSize() / 8; i++) {
            fold(piece.getAtIndex(LONG, i));
        }
    }
}
