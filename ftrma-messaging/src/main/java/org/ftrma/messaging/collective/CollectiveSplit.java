package org.ftrma.messaging.collective;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.function.LongFunction;
import org.ftrma.messaging.match.ChannelMembers;
import org.ftrma.spi.Fabric;

/** Exchanges what ranks say of a split by a collective of the channel. Data thread only. */
public final class CollectiveSplit implements SplitExchange {
    private static final long ENTRY = WORDS * (long) Long.BYTES;
    private final Fabric fabric;
    private final LongFunction<MemorySegment> memory;

    /** Over that fabric; {@code memory} makes some of the rank's own, of so many bytes. */
    public CollectiveSplit(Fabric fabric, LongFunction<MemorySegment> memory) {
        this.fabric = fabric;
        this.memory = memory;
    }

    @Override
    public long[][] exchange(ChannelMembers channel, BlockingCollectives collectives, int split, long[] own) {
        MemorySegment part = memory.apply(ENTRY);
        MemorySegment all = memory.apply(ENTRY * channel.size());
        MemorySegment.copy(own, 0, part, ValueLayout.JAVA_LONG, 0, WORDS);
        collectives.exchange(part, all);
        fabric.flushAll(); // nothing of this may land when an image has been restored
        long[][] said = new long[channel.size()][WORDS];
        for (int i = 0; i < said.length; i++) {
            MemorySegment.copy(all, ValueLayout.JAVA_LONG, i * ENTRY, said[i], 0, WORDS);
        }
        return said;
    }
}
