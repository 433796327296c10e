package org.ftrma.messaging;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.ftrma.core.control.Blob;
import org.ftrma.core.control.ControlMessage;
import org.ftrma.core.session.Contributions;

/**
 * How a channel is split: its ranks tell each other color, key, and the next context that is free. Data thread only.
 */
final class Splits {
    private static final long ENTRY = 24;

    private record Entry(int number, long color, long key) {
    }

    private Splits() {
    }

    /** The ranks of the same color as a channel; null for color -1. */
    static ChannelImpl split(Messages messages, ChannelImpl parent, int[] members, int color, int key) {
        MemorySegment own = messages.scratch(ENTRY);
        MemorySegment all = messages.scratch(ENTRY * members.length);
        own.set(ValueLayout.JAVA_LONG, 0, color);
        own.set(ValueLayout.JAVA_LONG, 8, key);
        own.set(ValueLayout.JAVA_LONG, 16, messages.nextContext());
        parent.exchange(own, all);
        messages.session.fabric.flushAll(); // nothing of this may land when an image has been restored
        return channel(messages, members, all, color);
    }

    /** The same, told by the coordinator: so a process that replaces another one finds it there. */
    static ChannelImpl told(Messages messages, ChannelImpl parent, int[] members, int color, int key) {
        MemorySegment all = messages.scratch(ENTRY * members.length);
        byte[] own = Blob.longs(new long[] {color, key, messages.nextContext()});
        boolean isOfAll = members.length == messages.session.ranks;
        Contributions told = isOfAll ? messages.session.exchange(ControlMessage.Scope.COMPUTING, own)
            : messages.session.exchangeAmong(members, scope(messages, parent, members), parent.nextSplit(), own);
        told.fetch(members.length);
        for (int i = 0; i < members.length; i++) {
            long[] one = Blob.longs(told.of(isOfAll ? members[i] : i));
            for (int j = 0; j < one.length; j++) {
                all.set(ValueLayout.JAVA_LONG, i * ENTRY + j * 8L, one[j]);
            }
        }
        return channel(messages, members, all, color);
    }

    /** Channels of one context have no rank in common. */
    private static int scope(Messages messages, ChannelImpl parent, int[] members) {
        return Math.addExact(ControlMessage.Scope.AMONG + members[0], Math.multiplyExact(parent.context() / 2,
            messages.session.ranks));
    }

    private static ChannelImpl channel(Messages messages, int[] members, MemorySegment all, int color) {
        List<Entry> same = new ArrayList<>();
        long context = 0;
        for (int i = 0; i < members.length; i++) {
            Entry one = new Entry(i, all.get(ValueLayout.JAVA_LONG, i * ENTRY), all.get(ValueLayout.JAVA_LONG,
                i * ENTRY + 8));
            context = Math.max(context, all.get(ValueLayout.JAVA_LONG, i * ENTRY + 16));
            if (one.color == color) {
                same.add(one);
            }
        }
        messages.nextContext((int) context);
        int taken = messages.takeContext();
        if (color < 0) {
            return null;
        }
        same.sort(Comparator.comparingLong(Entry::key).thenComparingInt(Entry::number));
        return messages.channel(same.stream().mapToInt(one -> members[one.number]).toArray(), taken);
    }
}
