package org.ftrma.rma.log;

import java.util.function.IntPredicate;

/**
 * Accesses of other ranks that an image of one rank includes which was taken alone, while the others ran on (design
 * 6.4). Of each source all epochs up to one are included, and all atomic updates up to a number, exactly; later puts
 * may be included or not. Scratch windows are in no image: what was put there counts as included if it was done before
 * the last barrier that the rank had passed. Immutable; any thread.
 *
 * @param gnc barriers that the rank had passed
 * @param closed by source: the last epoch that was closed (F) before the copy
 * @param updates by source: the number of the last atomic update before the copy
 */
public record Coverage(long gnc, long[] closed, long[] updates) {
    /** As one array, for a message: {@link #of} takes it. */
    public long[] toLongs() {
        long[] all = new long[1 + 2 * closed.length];
        all[0] = gnc;
        System.arraycopy(closed, 0, all, 1, closed.length);
        System.arraycopy(updates, 0, all, 1 + closed.length, closed.length);
        return all;
    }

    /** The coverage in a message, or null if its size does not fit that many ranks. */
    public static Coverage of(long[] all, int ranks) {
        if (all.length != 1 + 2 * ranks) {
            return null;
        }
        return new Coverage(all[0], java.util.Arrays.copyOfRange(all, 1, 1 + ranks),
            java.util.Arrays.copyOfRange(all, 1 + ranks, all.length));
    }

    /** Whether the image includes an access of the source, by its record in LP. */
    public boolean includes(int source, LogRecord record, IntPredicate isScratch) {
        if (isScratch.test(record.window())) {
            return record.gnc() < gnc; // D10
        }
        return switch (record.kind()) {
            case LogDescriptor.ATOMIC, LogDescriptor.COMPARE_AND_SWAP -> (int) (record.update() - updates[source]) <= 0;
            default -> record.ec() <= closed[source];
        };
    }

    /** Whether the image includes all that a gap in the source's LP may lack. */
    public boolean includesUpTo(int source, long gapEc, long gapGnc, long gapUpdates, boolean hasScratch) {
        return gapEc <= closed[source] && gapUpdates <= updates[source] && (!hasScratch || gapGnc < gnc); // D13
    }
}
