package org.ftrma.core.checkpoint;

import java.lang.foreign.MemorySegment;
import java.util.BitSet;
import java.util.function.LongSupplier;
import org.ftrma.Distribution;
import org.ftrma.MisuseException;

/**
 * The elements of one array on their way from the parts of some ranks to that of one rank of a job with others. Data
 * thread only.
 */
final class Elements {
    /** After so many runs of elements something else has a turn. */
    private static final int TURN = 1 << 14;

    private final String title;
    private final Distribution distribution;
    private final Distribution.Placement placement;
    private final int oldRanks;
    private final long oldBytes;
    private final int ranks;
    private final int rank;
    private final long bytes;
    private final Runnable meanwhile;

    /**
     * Those for {@code rank} of {@code ranks}.
     *
     * @param oldBytes of each part that there was
     * @param bytes of this rank's part
     */
    Elements(String title, Distribution distribution, int oldRanks, long oldBytes, int ranks, int rank, long bytes,
        Runnable meanwhile) {
        this.title = title;
        this.distribution = distribution;
        this.placement = distribution.placement();
        this.oldRanks = oldRanks;
        this.oldBytes = oldBytes;
        this.ranks = ranks;
        this.rank = rank;
        this.bytes = bytes;
        this.meanwhile = meanwhile;
    }

    /** Is told of elements that go together from an old rank to a new one. */
    private interface Visitor {
        void run(long element, int oldRank, int newRank, long count);
    }

    private void visit(Visitor visitor) {
        long length;
        int turn = 0;
        for (long element = 0; element < distribution.elements(); element += length) {
            int oldRank = rankOf(oldRanks, element);
            int newRank = rankOf(ranks, element);
            length = Math.min(run(oldRanks, element), run(ranks, element));
            visitor.run(element, oldRank, newRank, length);
            if (++turn == TURN) {
                turn = 0;
                meanwhile.run();
            }
        }
    }

    private int rankOf(int ofRanks, long element) {
        int result = (int) placed(ofRanks, element, () -> placement.rank(ofRanks, element));
        if (result < 0 || result >= ofRanks) {
            throw wrong(ofRanks, element, "is at rank " + result + ": must be 0 to " + (ofRanks - 1));
        }
        return result;
    }

    private long run(int ofRanks, long element) {
        long result = placed(ofRanks, element, () -> placement.run(ofRanks, element));
        if (result < 1 || result > distribution.elements() - element) {
            throw wrong(ofRanks, element, "is in a run of " + result + ": must be 1 to "
                + (distribution.elements() - element));
        }
        return result;
    }

    private long offset(int ofRanks, long element, long count, long partBytes) {
        long result = placed(ofRanks, element, () -> placement.offset(ofRanks, element));
        if (result < 0 || result > partBytes || count > (partBytes - result) / distribution.elementBytes()) {
            throw wrong(ofRanks, element, "and the " + (count - 1) + " after it are at offset=" + result + " length="
                + count * distribution.elementBytes() + " partLength=" + partBytes);
        }
        return result;
    }

    private long placed(int ofRanks, long element, LongSupplier placing) {
        try {
            return placing.getAsLong();
        } catch (RuntimeException e) {
            throw PlacementDigest.threw("--restart: " + title + " is distributed as " + distribution, ofRanks, element,
                e);
        }
    }

    private MisuseException wrong(int ofRanks, long element, String what) {
        return new MisuseException("--restart: " + title + " is distributed as " + distribution + "; on " + ofRanks
            + " ranks element " + element + " " + what);
    }

    /** Marks the ranks of whose parts this rank needs something; refuses a distribution that is none. */
    void sources(boolean[] needed) {
        long unit = Long.lowestOneBit(distribution.elementBytes() | Long.BYTES);
        BitSet taken = new BitSet();
        visit((element, oldRank, newRank, count) -> {
            if (newRank != rank) {
                return;
            }
            needed[oldRank] = true;
            long offset = offset(ranks, element, count, bytes);
            long from = offset / unit;
            long to = (offset + count * distribution.elementBytes() + unit - 1) / unit;
            if (to > Integer.MAX_VALUE) {
                return; // a part of gigabytes is not looked at so closely
            }
            int other = taken.nextSetBit((int) from);
            if (other >= 0 && other < to) {
                throw wrong(ranks, element, "and the " + (count - 1) + " after it lie at offset=" + offset
                    + " of rank " + rank + " where others are, too; each needs a place of its own");
            }
            taken.set((int) from, (int) to);
        });
    }

    /** Copies what the part of an old rank has for this one. */
    void copy(int old, MemorySegment from, MemorySegment to) {
        visit((element, oldRank, newRank, count) -> {
            if (oldRank == old && newRank == rank) {
                MemorySegment.copy(from, offset(oldRanks, element, count, oldBytes), to,
                    offset(ranks, element, count, bytes), count * distribution.elementBytes());
            }
        });
    }
}
