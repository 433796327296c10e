package org.ftrma.core.coordinator;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.BitSet;
import java.util.Map;
import org.ftrma.options.JobOptions;
import org.junit.jupiter.api.Test;

/**
 * What the coordinator knows of the members of a group of two ranks and two checksum ranks, of which two may be lost.
 */
class MemberTableTest {
    private static final int LOSSES = 2;

    private final MemberTable members = new MemberTable(JobOptions.of(Map.of("ranks", "2", "checksums", "2", "losses",
        "2", "protocol",
        "coordinated")),
        (member, from, to) -> { });

    @Test
    void aReplacementIsToldWhichOthersOfItsGroupAreMissing() {
        members.get(0).lost();
        assertArrayEquals(new long[0], members.missing(members.get(0), new BitSet()));
        members.get(1).lost();
        assertArrayEquals(new long[] {1}, members.missing(members.get(0), new BitSet()));
        assertArrayEquals(new long[] {0, 1}, members.missing(members.get(2), new BitSet()));
    }

    /** It could be lost itself, and then one more. */
    @Test
    void whoMakesItsPartAnewGoesOnWhileItReadsEnoughOthers() {
        members.get(0).lost();
        members.get(0).assign(7);
        members.missing(members.get(0), new BitSet());
        members.get(1).lost();
        assertFalse(members.leavesTooFew(members.get(1), LOSSES));
        members.doWithout(members.get(1));
        members.get(3).lost();
        assertTrue(members.leavesTooFew(members.get(3), LOSSES));
    }
}
