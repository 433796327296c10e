package org.ftrma.rma.log;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Random;
import org.ftrma.AtomicOp;
import org.ftrma.DataType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What ranks leave of their signals: the number at the target, and events in their own logs. */
class SignalLogTest extends LoggedRanks {
    private static void update(AccessLog log, int target, long old, long updated) {
        begin(log, target, old, updated);
        log.atomic(0, target, AtomicOp.REPLACE, DataType.INT64, 8, updated, old);
    }

    private static void signal(AccessLog log, int target, long old, long updated) {
        log.signals().signalling(target);
        update(log, target, old, updated);
        log.signals().signalled(0, target);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void theNumberOfASignalIsAtTheTargetBeforeItsUpdateIsMade(boolean mapped) {
        AccessLog log = rank(mapped).log;
        log.signals().signalling(1);
        begin(log, 1, 0, 5);
        assertEquals(1, watch(1).signals(0));
        log.atomic(0, 1, AtomicOp.REPLACE, DataType.INT64, 8, 5, 0);
        log.signals().signalled(0, 1);
        signal(log, 1, 5, 6);
        assertEquals(2, watch(1).signals(0));
        assertEquals(List.of("signal w0@1+8 ec0 gc1 sc0 gnc0 0", "signal w0@1+8 ec0 gc2 sc0 gnc0 0"),
            read(0, layout.lockLog()));
        assertEquals(List.of("atomic w0@8+24 ec1 le0 sc0 gnc0 #1 5 0 5", "atomic w0@8+24 ec1 le1 sc0 gnc0 #2 6 5 6"),
            read(0, layout.putLog(1)));
    }

    @Test
    void aWaitSaysWhichSignalsWereNewToIt() {
        AccessLog sender = rank(true).log;
        AccessLog receiver = new Rank(1, true, new Random(3)).log;
        signal(sender, 1, 0, 5);
        receiver.signals().waited(0, 8, 5);
        receiver.signals().waited(0, 8, 5);
        signal(sender, 1, 5, 6);
        signal(sender, 1, 6, 7);
        receiver.signals().waited(0, 8, 7);
        List<String> waits = List.of("wait w0@8+24 ec0 gc%s sc0 gnc0 5 0 1", "wait w0@8+8 ec0 gc%s sc0 gnc0 5",
            "wait w0@8+24 ec0 gc%s sc0 gnc0 7 0 3");
        assertEquals(waits.stream().map(wait -> wait.formatted(1 + waits.indexOf(wait))).toList(),
            read(1, layout.lockLog()));
        assertEquals(waits.stream().map(wait -> wait.formatted(0)).toList(), read(2, layout.buddyLog()));
        assertEquals(3, receiver.counters().lockEvents());
    }

    @Test
    void theReplacementOfATargetKnowsOfSignalsThatItsPredecessorHad() {
        Rank sender = rank(true);
        signal(sender.log, 1, 0, 5);
        signal(sender.log, 1, 5, 6);
        sender.log.lostPeers().lost(1);
        layout.format(regions[1], 1);
        assertEquals(0, watch(1).signals(0));
        AccessLog replacement = new Rank(1, true, new Random(3)).log;
        replacement.lostPeers().inherit(0);
        assertEquals(2, watch(1).signals(0));
        replacement.signals().waited(0, 8, 6);
        assertEquals(List.of("wait w0@8+24 ec0 gc1 sc0 gnc0 6 0 2"), read(1, layout.lockLog()));
    }

    @Test
    void aReplacementThatMakesEarlierSignalsAgainTakesNothingBack() {
        AccessLog first = rank(true).log;
        for (int i = 0; i < 3; i++) {
            signal(first, 1, i, i + 1);
        }
        layout.format(regions[0], 1);
        AccessLog second = rank(true).log;
        second.lostPeers().resume(1, 0);
        second.signals().signalling(1);
        second.replayed(0, 1, AtomicOp.REPLACE, DataType.INT64, 8, 1, 0);
        second.signals().signalled(0, 1);
        assertEquals(3, watch(1).signals(0));
        assertEquals(1, second.counters().lockEvents());
    }

    @Test
    void whoIsInTheMiddleOfASignalIsKnownAtItsTarget() {
        AccessLog sender = rank(true).log;
        AccessLog receiver = new Rank(1, true, new Random(3)).log;
        assertEquals(-1, receiver.signals().updater(0, 8));
        sender.signals().signalling(1);
        begin(sender, 1, 0, 5);
        assertEquals(0, receiver.signals().updater(0, 8));
        sender.atomic(0, 1, AtomicOp.REPLACE, DataType.INT64, 8, 5, 0);
        assertEquals(-1, receiver.signals().updater(0, 8));
    }
}
