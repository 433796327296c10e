package org.ftrma.messaging;

import org.ftrma.Channel;
import org.ftrma.messaging.collective.BlockingCollectives;
import org.ftrma.messaging.match.ChannelMembers;

/** Splits channels. Data thread only. */
interface ChannelSplitter {
    /**
     * Returns the channel of the ranks with the same color; null for color -1.
     *
     * @param split how often the channel was split before
     */
    Channel split(ChannelMembers channel, BlockingCollectives collectives, int split, int color, int key);
}
