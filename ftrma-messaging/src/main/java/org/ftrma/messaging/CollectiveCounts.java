package org.ftrma.messaging;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.ftrma.core.image.CheckpointedState;

/**
 * How many collectives the channels of a rank have had, as images have it: their messages are told apart by that. It is
 * not the same at all ranks of a channel when a collective was called before a boundary by some of them, and is called
 * after it by the others.
 *
 * <pre>
 *   0 channels   8 by channel, in the order in which they were made: collectives so far, and whether one was refused
 * </pre>
 *
 * <p>Data thread only.
 */
final class CollectiveCounts {
    /** Channels that there are at most. */
    static final int MOST_CHANNELS = 1 << 15;

    private static final int MOST_CALLED = 50_000;

    private CollectiveCounts() {
    }

    /** Bytes that {@link #save} writes at most. */
    static int imageBytes() {
        return Long.BYTES * (1 + MOST_CHANNELS);
    }

    /** The calls that the coordinator compares when the program has returned, of as many channels as there is room. */
    static String called(List<ChannelImpl> channels) {
        StringBuilder all = new StringBuilder();
        for (ChannelImpl channel : channels) {
            String one = channel.called();
            all.append(all.length() + one.length() > MOST_CALLED ? "" : one);
        }
        return all.toString();
    }

    /** Writes them; returns the bytes that it took. */
    static long save(List<ChannelImpl> channels, MemorySegment image, long offset) {
        image.set(ValueLayout.JAVA_LONG, offset, channels.size());
        long at = offset + Long.BYTES;
        for (ChannelImpl channel : channels) {
            image.set(ValueLayout.JAVA_LONG, at, channel.collectives());
            at += Long.BYTES;
        }
        return at - offset;
    }

    /** Takes over what {@link #save} wrote; returns the bytes that it took. */
    static long restore(List<ChannelImpl> channels, MemorySegment image, long offset, long end) {
        CheckpointedState.require(offset + Long.BYTES <= end, "the number of channels begins at its end");
        long count = image.get(ValueLayout.JAVA_LONG, offset);
        CheckpointedState.require(count == channels.size(), "there were " + count + " channels, and are "
            + channels.size());
        long at = offset + Long.BYTES;
        CheckpointedState.require(at + Long.BYTES * count <= end, count + " channels in " + (end - offset) + " bytes");
        for (ChannelImpl channel : channels) {
            channel.collectives(image.get(ValueLayout.JAVA_LONG, at));
            at += Long.BYTES;
        }
        return at - offset;
    }
}
