package org.ftrma.ucp;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** That these are what the releases need is shown by processes that die, in ftrma-ucx. */
class RepairTest {
    @Test
    void eachReleaseHasWhatItNeedsAndANewerOneWhatTheNewestKnownNeeds() {
        Set<Repair> all = EnumSet.allOf(Repair.class);
        Set<Repair> later = EnumSet.of(Repair.BROKEN_CONNECTIONS, Repair.ZEROED_REQUESTS);
        assertEquals(all, Repair.neededBy(new int[] {1, 12, 0}));
        assertEquals(all, Repair.neededBy(new int[] {1, 13, 1}));
        assertEquals(later, Repair.neededBy(new int[] {1, 14, 0}));
        assertEquals(later, Repair.neededBy(new int[] {1, 18, 1}));
        assertEquals(later, Repair.neededBy(new int[] {1, 99, 0}));
    }
}
