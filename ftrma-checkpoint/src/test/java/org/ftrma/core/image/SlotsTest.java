package org.ftrma.core.image;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import org.junit.jupiter.api.Test;

/** Which images are overwritten by the next one, and what a slot held. */
class SlotsTest {
    private static final int SLOTS = 4;
    private static final long DEMAND = ImageLayout.DEMAND + 1;

    private final Slots slots = new Slots(Arena.ofAuto()
        .allocate(ImageLayout.tagOffset(SLOTS) + Long.BYTES, Long.BYTES), SLOTS);

    private int write(long tag) {
        int slot = slots.begin(tag);
        slots.takeBase(slot);
        slots.complete(slot, tag);
        return slot;
    }

    private void commit(long generation) {
        write(generation);
        slots.committed(generation);
    }

    @Test
    void theGenerationTheNewestDemandImageAndWhatGoesToDiskStay() {
        commit(1);
        slots.keep(1);
        commit(2);
        write(DEMAND);
        slots.latest(DEMAND);
        for (long attempt = 3; attempt < 8; attempt++) {
            write(attempt);
            for (long tag : new long[] {1, 2, DEMAND}) {
                assertTrue(slots.find(tag) >= 0, "image " + tag + " after attempt " + attempt);
            }
        }
        slots.keep(0);
        int slot = slots.find(1);
        assertEquals(slot, write(8), "it is written to disk now");
    }

    @Test
    void aSlotThatIsBeingWrittenIsTheBaseOfNothing() {
        commit(1);
        commit(2);
        int slot = slots.begin(3);
        assertEquals(1, slots.takeBase(slot));
        assertEquals(0, slots.takeBase(slot));
    }

    @Test
    void anAttemptThatWasGivenUpIsNotTakenForTheNextOneOfItsName() {
        commit(1);
        commit(2);
        write(5);
        slots.keep(5);
        commit(4);
        slots.keep(0);
        assertEquals(slots.find(2), slots.begin(5), "what has a base is written with less work");
        assertEquals(-1, slots.find(5));
    }

    @Test
    void aDemandImageIsOlderThanTheGenerationAfterIt() {
        commit(1);
        write(DEMAND);
        slots.latest(DEMAND);
        commit(2);
        assertEquals(0, slots.latest());
    }
}
