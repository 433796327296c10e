package org.ftrma.messaging.collective;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.ftrma.core.image.CheckpointedState;

/**
 * Numbers of collectives of a rank's channels, as images have them: their messages are told apart by that. A number is
 * not the same at all ranks of a channel when a collective was called before a boundary by some of them, and is called
 * after it by the others.
 *
 * <pre>
 *   0 channels   8 by channel, in the order in which they were made: collectives so far, and whether one was refused
 * </pre>
 *
 * <p>Data thread only.
 */
public final class CollectiveCounts {
    /** Channels that there are at most. */
    public static final int MOST_CHANNELS = 1 << 15;

    private static final int MOST_CALLED = 50_000;

    private final List<CollectiveSequence> channels = new ArrayList<>();

    /** All channels are made anew. */
    public void clear() {
        channels.clear();
    }

    /** A channel was made. */
    public void add(CollectiveSequence channel) {
        channels.add(channel);
    }

    /** Whether images have room for those of all channels. */
    public boolean fitImage() {
        return channels.size() <= MOST_CHANNELS;
    }

    /** Bytes that {@link #save} writes at most. */
    public static int imageBytes() {
        return Long.BYTES * (1 + MOST_CHANNELS);
    }

    /** The calls that the coordinator compares when the program has returned, of as many channels as there is room. */
    public String called() {
        StringBuilder all = new StringBuilder();
        for (CollectiveSequence channel : channels) {
            String one = channel.called();
            all.append(all.length() + one.length() > MOST_CALLED ? "" : one);
        }
        return all.toString();
    }

    /** Writes them; returns the bytes that it took. */
    public long save(MemorySegment image, long offset) {
        image.set(ValueLayout.JAVA_LONG, offset, channels.size());
        long at = offset + Long.BYTES;
        for (CollectiveSequence channel : channels) {
            image.set(ValueLayout.JAVA_LONG, at, channel.save());
            at += Long.BYTES;
        }
        return at - offset;
    }

    /** Takes over what {@link #save} wrote; returns the bytes that it took. */
    public long restore(MemorySegment image, long offset, long end) {
        CheckpointedState.require(offset + Long.BYTES <= end, "the number of channels begins at its end");
        long count = image.get(ValueLayout.JAVA_LONG, offset);
        CheckpointedState.require(count == channels.size(), "there were " + count + " channels, and are "
            + channels.size());
        long at = offset + Long.BYTES;
        CheckpointedState.require(at + Long.BYTES * count <= end, count + " channels in " + (end - offset) + " bytes");
        for (CollectiveSequence channel : channels) {
            channel.restore(image.get(ValueLayout.JAVA_LONG, at));
            at += Long.BYTES;
        }
        return at - offset;
    }
}
