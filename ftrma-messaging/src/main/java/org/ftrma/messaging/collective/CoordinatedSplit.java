package org.ftrma.messaging.collective;

import org.ftrma.core.control.Blob;
import org.ftrma.core.control.ControlMessage;
import org.ftrma.core.session.Contributions;
import org.ftrma.core.session.Session;
import org.ftrma.messaging.match.ChannelMembers;

/**
 * Exchanges what ranks say of a split by the coordinator: a process that replaces another one finds it there. Data
 * thread only.
 */
public final class CoordinatedSplit implements SplitExchange {
    private final Session session;

    /** By the exchanges of that session. */
    public CoordinatedSplit(Session session) {
        this.session = session;
    }

    @Override
    public long[][] exchange(ChannelMembers channel, BlockingCollectives collectives, int split, long[] own) {
        int size = channel.size();
        byte[] blob = Blob.longs(own);
        boolean isOfAll = size == session.ranks;
        Contributions said = isOfAll ? session.exchange(ControlMessage.Scope.COMPUTING, blob)
            : session.exchangeAmong(channel.toArray(), scope(channel), split, blob);
        said.fetch(size);
        long[][] all = new long[size][];
        for (int i = 0; i < size; i++) {
            all[i] = Blob.longs(said.of(isOfAll ? channel.member(i) : i));
        }
        return all;
    }

    /** Channels of one context have no rank in common. */
    private int scope(ChannelMembers channel) {
        return Math.addExact(ControlMessage.Scope.AMONG + channel.member(0),
            Math.multiplyExact(channel.context() / 2, session.ranks));
    }
}
