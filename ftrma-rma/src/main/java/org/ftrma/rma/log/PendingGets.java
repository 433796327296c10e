package org.ftrma.rma.log;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * Q of the paper for one target: gets that were issued and whose results are not logged yet. Data thread only;
 * allocates while it grows.
 */
final class PendingGets {
    private static final int FIRST = 16;
    private static final int PLACE = 4;

    private int count;
    private boolean isCutOff;
    private MemorySegment[] destinations = new MemorySegment[FIRST];
    /** Of each: where in the destination, window, offset, length. */
    private long[] places = new long[PLACE * FIRST];

    void add(int window, MemorySegment destination, long destinationOffset, long offset, long length) {
        if (count == destinations.length) {
            destinations = Arrays.copyOf(destinations, 2 * count);
            places = Arrays.copyOf(places, 2 * PLACE * count);
        }
        destinations[count] = destination;
        places[PLACE * count] = destinationOffset;
        places[PLACE * count + 1] = window;
        places[PLACE * count + 2] = offset;
        places[PLACE * count + 3] = length;
        count++;
    }

    boolean isEmpty() {
        return count == 0;
    }

    /** They did not arrive, and will not by themselves. */
    void cutOff() {
        isCutOff = count > 0;
    }

    boolean isCutOff() {
        return isCutOff;
    }

    /** All are issued once more, by that. */
    void again(LogHome.GetAgain get) {
        for (int i = 0; i < count; i++) {
            get.get((int) places[PLACE * i + 1], destinations[i], places[PLACE * i], places[PLACE * i + 2],
                places[PLACE * i + 3]);
        }
    }

    /** They have arrived. */
    void haveArrived() {
        isCutOff = false;
    }

    /**
     * All have arrived: they are logged at once, in the order in which they were issued.
     *
     * @param access what is filled in for each, EC, GC and GNC being those of all
     * @param acquisitions SC by window
     * @return false if the log had no room
     */
    boolean log(LogWriter results, Determinant access, long[] acquisitions) {
        boolean logged = true;
        for (int i = 0; i < count; i++) {
            int window = (int) places[PLACE * i + 1];
            access.access(LogDescriptor.GET, window, 0, places[PLACE * i + 2])
                .sc(window < acquisitions.length ? acquisitions[window] : 0);
            logged &= results.write(access, destinations[i], places[PLACE * i], places[PLACE * i + 3]);
            destinations[i] = null;
        }
        count = 0;
        results.publish(); // L2
        return logged;
    }
}
