package org.ftrma.core.checkpoint;

import org.ftrma.Distribution;
import org.ftrma.MisuseException;

/**
 * Digest of the places that a distribution gives elements: it tells two distributions apart that have the same name. Of
 * many elements it looks at some thousands, evenly spread. Data thread only.
 */
public final class PlacementDigest {
    private static final long SAMPLES = 4096;
    private static final long SPREAD = 0x9e3779b97f4a7c15L;

    private PlacementDigest() {
    }

    /** On so many ranks, as 16 hexadecimal digits; null of one that has no elements. */
    public static String of(Distribution distribution, int ranks) {
        if (distribution.kind() != Distribution.Kind.ELEMENTS) {
            return null;
        }
        long digest = distribution.elements();
        long step = Math.max(1, distribution.elements() / SAMPLES);
        for (long element = 0; element < distribution.elements(); element += step) {
            digest = mixed(digest, distribution, ranks, element);
        }
        return String.format("%016x", mixed(digest, distribution, ranks, distribution.elements() - 1));
    }

    private static long mixed(long digest, Distribution distribution, int ranks, long element) {
        try {
            long place = distribution.placement().rank(ranks, element) * SPREAD
                ^ distribution.placement().offset(ranks, element);
            return (Long.rotateLeft(digest, 23) ^ place) * SPREAD;
        } catch (RuntimeException e) {
            throw threw("distribution " + distribution, ranks, element, e);
        }
    }

    /** A placement must be able to place each element. */
    static MisuseException threw(String what, int ranks, long element, RuntimeException e) {
        MisuseException refusal = new MisuseException(what + "; on " + ranks + " ranks its placement of element "
            + element + " threw " + e);
        refusal.addSuppressed(e);
        return refusal;
    }
}
