package org.ftrma.core.checkpoint;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.ftrma.Distribution;
import org.ftrma.FtrmaException;
import org.ftrma.MisuseException;
import org.ftrma.core.image.ImageLayout;
import org.ftrma.core.image.Images;
import org.ftrma.core.image.ResidualState;
import org.ftrma.spi.ImageStore;

/**
 * This rank's image, made of those of a job of another shape: of other ranks, another protocol, or other options that
 * the library's own state depends on. What the program has protected is taken from the images, and laid over the ranks
 * as the program says; the library's own state is that of a job which has done nothing so far. So it is possible where
 * nothing is under way at the cut. Each image is read by some rank whole; each rank reads those that have something for
 * it, one at a time. Data thread only.
 */
final class Redistribution {
    /** The most ranks of a job that images are taken of. */
    private static final int MOST_RANKS = 1 << 16;

    private final ImageStore store;
    private final String place;
    private final int rank;
    private final int ranks;
    private final Runnable meanwhile;
    private final StateLayout here;
    private final Map<String, Distribution> distributions;
    private StateLayout there;
    private int oldRanks;

    /** One piece of state: from where in the images, and how. */
    private record Move(StateLayout.Item item, long from, long fromBytes, MemorySegment to, Elements elements,
        boolean isReplicated) {
    }

    /**
     * For one rank.
     *
     * @param here what its images are made of
     * @param distributions what the program says of these
     * @param meanwhile is run now and then
     */
    Redistribution(ImageStore store, String place, int rank, int ranks, StateLayout here,
        Map<String, Distribution> distributions, Runnable meanwhile) {
        this.store = store;
        this.place = place;
        this.rank = rank;
        this.ranks = ranks;
        this.here = here;
        this.distributions = distributions;
        this.meanwhile = meanwhile;
    }

    /** Makes the image of a generation in a free slot. Returns in words what was done. */
    List<String> load(Images images, long generation) {
        long step = readLabels(generation);
        here.requireParametersOf(there);
        int slot = images.beginRebuild(generation);
        images.beginAnew(slot, step);
        List<String> told = new ArrayList<>();
        List<Move> moves = plan(images.protectedParts(slot), told);
        boolean[] needed = needed(moves);
        for (int old = 0; old < oldRanks; old++) {
            if (needed[old]) {
                take(old, moves);
            }
        }
        images.slots().rebuilt(slot, generation);
        return told;
    }

    /** What all images say of themselves fits together, and nothing of it would be lost; returns their step. */
    private long readLabels(long generation) {
        ResidualState all = new ResidualState();
        String text = null;
        long step = 0;
        oldRanks = 1;
        for (int old = 0; old < oldRanks; old++) {
            try (ImageStore.Stored stored = store.open(place, old)) {
                ImageStore.Label label = stored.label();
                String described = StateLayout.withoutRemainder(label.layout(), all);
                if (old == 0) {
                    text = described;
                    step = label.step();
                    oldRanks = label.ranks();
                }
                if (label.rank() != old || label.ranks() != oldRanks || oldRanks < 1 || oldRanks > MOST_RANKS
                    || label.generation() != generation || label.step() != step || !described.equals(text)) {
                    throw unsound("the image found for rank " + old + ", generation " + generation
                        + ", does not belong to the other ones: it is that of rank " + label.rank() + " of "
                        + label.ranks() + ", generation " + label.generation());
                }
            }
            meanwhile.run();
        }
        there = new StateLayout(text);
        requireNothingAlone(all);
        return step;
    }

    private void requireNothingAlone(ResidualState all) {
        String what = all.locks() > 0 ? all.locks() + " locks were held"
            : all.underWay() != 0 ? all.underWay() + " messages were sent and not received" : null;
        if (what != null) {
            throw new MisuseException("--restart: " + what + " when the images were taken, which only a job of the "
                + "same shape goes on with: --ranks " + oldRanks + ", and the protocol, lanes and outbox that they "
                + "were written with; or start from a generation at whose step there are none");
        }
    }

    private static FtrmaException unsound(String what) {
        return new FtrmaException(FtrmaException.Category.SETUP, "--restart: " + what);
    }

    /** What is to be moved to these parts of this rank's image; tells it. */
    private List<Move> plan(List<MemorySegment> parts, List<String> told) {
        requireNothingDropped();
        List<Move> moves = new ArrayList<>();
        for (int i = 0; i < here.items().size(); i++) {
            StateLayout.Item item = here.items().get(i);
            Distribution distribution = distributions.get(item.name());
            int source = there.find(item.name());
            boolean isZeroed = distribution != null && distribution.kind() == Distribution.Kind.ZEROED;
            if (source < 0) {
                if (!isZeroed) {
                    throw StateLayout.other("nothing of that name", item.line());
                }
                told.add(item.title() + " begins with zeros");
                continue;
            }
            StateLayout.Item old = there.items().get(source);
            requireSame(item, old);
            long from = there.start(source);
            if (oldRanks == ranks && item.line().equals(old.line())) {
                moves.add(new Move(item, from, Math.min(item.bytes(), parts.get(i).byteSize()), parts.get(i), null,
                    false));
                continue;
            }
            if (distribution == null) {
                throw undeclared(item, old);
            }
            if (!isZeroed) {
                moves.add(move(item, old, from, parts.get(i), distribution));
            }
            told.add(item.title() + switch (distribution.kind()) {
                case ELEMENTS -> " is distributed anew (" + distribution + ")";
                case REPLICATED -> " is the same on all ranks";
                case ZEROED -> " begins with zeros";
            });
        }
        return moves;
    }

    private Move move(StateLayout.Item item, StateLayout.Item old, long from, MemorySegment to,
        Distribution distribution) {
        if (distribution.kind() == Distribution.Kind.ELEMENTS) {
            return new Move(item, from, old.bytes(), to,
                new Elements(item.title(), distribution, oldRanks, old.bytes(), ranks, rank, to.byteSize(), meanwhile),
                false);
        }
        if (!old.isEqual() || to.byteSize() < old.bytes()) {
            throw new MisuseException("--restart: " + item.title() + " is replicated, and has " + to.byteSize()
                + " bytes on rank " + rank + ", where the images have "
                + (old.isEqual() ? old.bytes() + "; it must have at least as many" : "other sizes on each rank"));
        }
        return new Move(item, from, old.bytes(), to, null, true);
    }

    /** Whatever images have goes somewhere, or is not needed. */
    private void requireNothingDropped() {
        for (StateLayout.Item old : there.items()) {
            if (here.find(old.name()) < 0
                && !Distribution.zeroed().toString().equals(there.distribution(old.name()))) {
                throw StateLayout.other(old.line(), "nothing of that name");
            }
        }
    }

    /** Names are those of the same kind, and lie over the ranks as they did. */
    private void requireSame(StateLayout.Item item, StateLayout.Item old) {
        if (!item.title().equals(old.title())) {
            throw StateLayout.other(old.line(), item.line());
        }
        String then = there.distribution(item.name());
        String now = here.distribution(item.name());
        if (then != null && now != null && !then.equals(now)) {
            throw StateLayout.other("distribution " + item.name() + ": " + then, "distribution " + item.name() + ": "
                + now);
        }
        Distribution distribution = distributions.get(item.name());
        String places = there.places(item.name());
        if (places != null && distribution != null && !places.equals(PlacementDigest.of(distribution, oldRanks))) {
            throw new MisuseException("--restart: " + item.title() + " is distributed as " + distribution
                + ", but on " + oldRanks + " ranks its elements are at other places than when the images were written: "
                + "a placement depends on nothing but its arguments, so not on Job.ranks()");
        }
    }

    private MisuseException undeclared(StateLayout.Item item, StateLayout.Item old) {
        if (oldRanks == ranks) {
            return StateLayout.other(old.line(), item.line());
        }
        return new MisuseException("--restart: the images are of " + oldRanks + " ranks, this job has --ranks " + ranks
            + ", and the program does not say how " + item.title() + " lies over the ranks: go on with --ranks "
            + oldRanks + ", or let the program say it, by job.distribution(\"" + item.name()
            + "\", Distribution.block(...)) or another Distribution");
    }

    /** Which images this rank reads. */
    private boolean[] needed(List<Move> moves) {
        boolean[] needed = new boolean[oldRanks];
        for (int old = 0; old < oldRanks; old++) {
            needed[old] = old % ranks == rank;
        }
        for (Move move : moves) {
            if (move.elements() != null) {
                move.elements().sources(needed);
            } else {
                needed[move.isReplicated() ? 0 : rank] = true;
            }
        }
        return needed;
    }

    /** Takes from one image what it has for this rank. */
    private void take(int old, List<Move> moves) {
        try (ImageStore.Stored stored = store.open(place, old); Arena arena = Arena.ofConfined()) {
            long program = there.programBytes();
            long header = stored.bytes() - program;
            if (header < ImageLayout.BLOCK || header % ImageLayout.BLOCK != 0) {
                throw unsound("the image of rank " + old + " has " + stored.bytes() + " bytes, of which the program's "
                    + "are " + program);
            }
            MemorySegment image = arena.allocate(stored.bytes(), Long.BYTES);
            stored.into(List.of(image), meanwhile);
            for (Move move : moves) {
                take(old, move, image.asSlice(header + move.from(), move.fromBytes()));
                meanwhile.run();
            }
        }
    }

    private void take(int old, Move move, MemorySegment from) {
        if (move.elements() != null) {
            move.elements().copy(old, from, move.to());
        } else if (move.isReplicated()) {
            if (old == 0) {
                move.to().asSlice(0, from.byteSize()).copyFrom(from);
            }
            long differs = from.mismatch(move.to().asSlice(0, from.byteSize()));
            if (differs >= 0) {
                throw new MisuseException("--restart: " + move.item().title() + " is replicated, as the program says, "
                    + "but rank " + old + " has other bytes in its image than rank 0, from offset " + differs
                    + " on; go on with --ranks " + oldRanks + ", or declare how it lies over the ranks");
            }
        } else if (old == rank) {
            move.to().asSlice(0, from.byteSize()).copyFrom(from);
        }
    }
}
