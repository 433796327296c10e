package org.ftrma.launch.web;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.ftrma.launch.journal.EventKind;
import org.ftrma.launch.journal.LoggedEvent;

/**
 * The events of a job that a page is shown which comes late: of each kind the last ones, so that a kind with many
 * leaves room for the others; of the ranks' progress, some of the whole time. One thread.
 */
final class RecentEvents {
    /** Of each kind. */
    static final int MOST = 400;

    private final Map<EventKind, ArrayDeque<LoggedEvent>> kinds = new EnumMap<>(EventKind.class);
    private long dropped;

    void add(LoggedEvent event) {
        ArrayDeque<LoggedEvent> kind = kinds.computeIfAbsent(event.kind(), key -> new ArrayDeque<>());
        kind.add(event);
        if (kind.size() <= MOST) {
            return;
        }
        if (event.kind() == EventKind.PROGRESS) {
            thin(kind);
        } else {
            kind.removeFirst();
            dropped++;
        }
    }

    /** Every other one goes, not the last. */
    private void thin(ArrayDeque<LoggedEvent> kind) {
        List<LoggedEvent> all = new ArrayList<>(kind);
        kind.clear();
        for (int i = (all.size() - 1) % 2; i < all.size(); i += 2) {
            kind.add(all.get(i));
        }
        dropped += all.size() - kind.size();
    }

    /** Events that were added and are not here any more. */
    long dropped() {
        return dropped;
    }

    /** In their order. */
    List<LoggedEvent> all() {
        return kinds.values().stream().flatMap(ArrayDeque::stream).sorted(Comparator.comparingLong(LoggedEvent::number))
            .toList();
    }
}
