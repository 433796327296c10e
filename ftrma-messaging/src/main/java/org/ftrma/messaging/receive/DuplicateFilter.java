package org.ftrma.messaging.receive;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import org.ftrma.core.image.CheckpointedState;
import org.ftrma.messaging.transport.FrameDescriptor;
import org.ftrma.messaging.transport.InLane;

/**
 * Filters duplicates: for each source, a contiguous prefix of received messages, and numbers above it that were taken
 * out of their order by tag. A source that was replaced reads the prefix in words beside its lane, and sends again what
 * comes after it; so does a source when this rank has restored an image. Data thread only; allocates nothing once lists
 * have grown.
 */
public final class DuplicateFilter implements ReceiveSequence {
    private static final int MOST_RANGES = 1 << 12;
    private static final long ENTRY = 32;
    private final InLane[] lanes;
    private final OfSource[] sources;

    private static final class OfSource {
        /** All up to this number were received; this is the digest of these. */
        long received;
        long digest;
        /** The last number that has come from the present process of the source, and the last one ever. */
        long arrived;
        long known;
        /** By number, as far as it has come: the digest of all up to it, and whether it was received. */
        long[] digests = new long[16];
        boolean[] isReceived = new boolean[16];

        int place(long number) {
            return (int) number & digests.length - 1;
        }

        /** The first number from there on that was received; 0: none. */
        long firstAbove(long from) {
            for (long number = from; number <= known; number++) {
                if (isReceived[place(number)]) {
                    return number;
                }
            }
            return 0;
        }

        /** The last number of the range that begins there. */
        long endOfRange(long first) {
            long number = first;
            while (number < known && isReceived[place(number + 1)]) {
                number++;
            }
            return number;
        }

        /** One that was received out of its order, as an image says: in ascending order. */
        void add(long number) {
            CheckpointedState.require(number > known && number - received < 1 << 24, "message " + number
                + " was received after " + known);
            while (number - received >= digests.length) {
                grow();
            }
            for (long between = known + 1; between < number; between++) {
                isReceived[place(between)] = false;
            }
            known = number;
            isReceived[place(number)] = true;
        }

        void grow() {
            int size = digests.length;
            long[] newDigests = new long[2 * size];
            boolean[] newReceived = new boolean[2 * size];
            for (long number = received + 1; number <= known; number++) {
                newDigests[(int) number & 2 * size - 1] = digests[place(number)];
                newReceived[(int) number & 2 * size - 1] = isReceived[place(number)];
            }
            digests = newDigests;
            isReceived = newReceived;
        }
    }

    /** Nothing was received yet. */
    public DuplicateFilter(InLane[] lanes) {
        this.lanes = lanes;
        this.sources = new OfSource[lanes.length];
    }

    private OfSource of(int source) {
        OfSource one = sources[source];
        if (one == null) {
            one = new OfSource();
            sources[source] = one;
        }
        return one;
    }

    @Override
    public void clear() {
        Arrays.fill(sources, null);
    }

    @Override
    public boolean begins(int source, long number, long tag, long total) {
        OfSource one = of(source);
        while (number - one.received >= one.digests.length) {
            one.grow();
        }
        long before = number == one.received + 1 ? one.digest : one.digests[one.place(number - 1)];
        int place = one.place(number);
        one.digests[place] = FrameDescriptor.digest(before, tag, total);
        one.arrived = number;
        if (number <= one.known) {
            return !one.isReceived[place];
        }
        one.known = number;
        one.isReceived[place] = false;
        return true;
    }

    @Override
    public void received(int source, long number) {
        OfSource one = sources[source];
        one.isReceived[one.place(number)] = true;
        if (number == one.received + 1) {
            advance(source, one);
        }
    }

    private void advance(int source, OfSource one) {
        long before = one.received;
        while (one.received < one.arrived && one.isReceived[one.place(one.received + 1)]) {
            one.received++;
        }
        if (one.received > before) {
            one.digest = one.digests[one.place(one.received)];
            lanes[source].tellReceived(one.received, one.digest);
        }
    }

    /** The last number of those messages of a source that were all received. */
    public long receivedUpTo(int source) {
        return sources[source] == null ? 0 : sources[source].received;
    }

    /** What was not received of a source comes again: its lane is empty. */
    public void again(int source) {
        if (sources[source] != null) {
            sources[source].arrived = sources[source].received;
        }
        lanes[source].clear(receivedUpTo(source));
    }

    /** An image includes what was received up to these numbers, by source. */
    public long[] marks() {
        long[] marks = new long[sources.length];
        for (int source = 0; source < marks.length; source++) {
            marks[source] = receivedUpTo(source);
        }
        return marks;
    }

    /** It was committed: the sources may drop that. */
    public void covered(long[] marks) {
        for (int source = 0; source < marks.length; source++) {
            if (marks[source] > 0) {
                lanes[source].tellCovered(marks[source]);
            }
        }
    }

    /** All sources are told what an image says was received; nothing has come since. */
    public void tellAll() {
        for (int source = 0; source < sources.length; source++) {
            OfSource one = sources[source];
            if (one != null) {
                again(source);
                lanes[source].tellReceived(one.received, one.digest);
                lanes[source].tellCovered(one.received);
            }
        }
    }

    /** Bytes that {@link #save} writes at most. */
    public static long imageBytes(int ranks) {
        return 8 + ranks * ENTRY + MOST_RANGES * 16L;
    }

    /** Whether {@link #save} has room for all that was received out of its order. */
    public boolean fitsImage() {
        int ranges = 0;
        for (OfSource one : sources) {
            for (long number = one == null ? 0 : one.firstAbove(one.received + 1); number > 0;
                number = one.firstAbove(one.endOfRange(number) + 1)) {
                ranges++;
            }
        }
        return ranges <= MOST_RANGES;
    }

    /** How many messages of all sources were received. */
    public long received() {
        long count = 0;
        for (OfSource one : sources) {
            if (one == null) {
                continue;
            }
            count += one.received;
            for (long number = one.firstAbove(one.received + 1); number > 0;) {
                long end = one.endOfRange(number);
                count += end - number + 1;
                number = one.firstAbove(end + 1);
            }
        }
        return count;
    }

    /** Writes what was received; returns the bytes that it took. */
    public long save(MemorySegment image, long offset) {
        long at = offset + 8;
        long count = 0;
        for (int source = 0; source < sources.length; source++) {
            OfSource one = sources[source];
            if (one != null) {
                at += save(source, one, image, at);
                count++;
            }
        }
        image.set(ValueLayout.JAVA_LONG, offset, count);
        return at - offset;
    }

    private static long save(int source, OfSource one, MemorySegment image, long offset) {
        image.set(ValueLayout.JAVA_LONG, offset, source);
        image.set(ValueLayout.JAVA_LONG, offset + 8, one.received);
        image.set(ValueLayout.JAVA_LONG, offset + 16, one.digest);
        long at = offset + ENTRY;
        long number = one.firstAbove(one.received + 1);
        while (number > 0) {
            long end = one.endOfRange(number);
            image.set(ValueLayout.JAVA_LONG, at, number);
            image.set(ValueLayout.JAVA_LONG, at + 8, end);
            at += 16;
            number = one.firstAbove(end + 1);
        }
        image.set(ValueLayout.JAVA_LONG, offset + 24, (at - offset - ENTRY) / 16);
        return at - offset;
    }

    /** Takes over what {@link #save} wrote; returns the bytes that it took. */
    public long restore(MemorySegment image, long offset, long end) {
        clear();
        CheckpointedState.require(offset + 8 <= end, "what was received begins at its end");
        long count = image.get(ValueLayout.JAVA_LONG, offset);
        long at = offset + 8;
        for (long i = 0; i < count; i++) {
            CheckpointedState.require(at + ENTRY <= end, "what was received of " + i + " of " + count + " ranks");
            long source = image.get(ValueLayout.JAVA_LONG, at);
            long ranges = image.get(ValueLayout.JAVA_LONG, at + 24);
            CheckpointedState.require(source >= 0 && source < sources.length && ranges >= 0 && ranges <= MOST_RANGES
                && ranges <= (end - at - ENTRY) / 16, ranges + " ranges of messages were received of rank " + source);
            OfSource one = of((int) source);
            one.received = image.get(ValueLayout.JAVA_LONG, at + 8);
            one.digest = image.get(ValueLayout.JAVA_LONG, at + 16);
            one.known = one.received;
            one.arrived = one.received;
            at += ENTRY;
            for (long j = 0; j < ranges; j++) {
                long to = image.get(ValueLayout.JAVA_LONG, at + 8);
                for (long number = image.get(ValueLayout.JAVA_LONG, at); number <= to; number++) {
                    one.add(number);
                }
                at += 16;
            }
        }
        return at - offset;
    }
}
