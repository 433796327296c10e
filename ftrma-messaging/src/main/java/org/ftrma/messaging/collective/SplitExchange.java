package org.ftrma.messaging.collective;

import org.ftrma.messaging.match.ChannelMembers;

/** Exchanges what the ranks of a channel say of its split. Data thread only. */
public interface SplitExchange {
    /** Words that a rank says: color, key, and the next context that is free there. */
    int WORDS = 3;

    /**
     * Returns what all ranks of a channel say, by their numbers in it.
     *
     * @param split how often it was split before
     * @param own what this rank says
     */
    long[][] exchange(ChannelMembers channel, BlockingCollectives collectives, int split, long[] own);
}
