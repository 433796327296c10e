package org.ftrma.core.coordinator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.BitSet;
import java.util.Map;
import org.ftrma.core.control.ControlMessage;
import org.ftrma.options.JobOptions;
import org.junit.jupiter.api.Test;

/** Who may have accessed whom, as the coordinator knows it. */
class ContactsTest {
    private final Contacts contacts = new Contacts(JobOptions.of(Map.of("ranks", "6", "checksums", "3", "protocol",
        "full")));

    private static Member rank(int number) {
        return new Member(number, "rank " + number, (member, from, to) -> { });
    }

    private void asks(int rank, int of) {
        contacts.asks(rank(rank), new ControlMessage.Ask(1, ControlMessage.Scope.COMPUTING.ordinal(), 0, of, 1), false);
    }

    private void renounces(int rank, int... others) {
        BitSet all = new BitSet();
        for (int other : others) {
            all.set(other);
        }
        contacts.renounces(rank(rank), new ControlMessage.Renounced(1, all.toLongArray()));
    }

    @Test
    void whoIsGivenUpIsAStrangerUntilItIsAskedForAgain() {
        asks(1, 3);
        assertTrue(contacts.areBetween(1, 3));
        assertTrue(contacts.areBetween(3, 1));
        renounces(1, 3);
        assertFalse(contacts.areBetween(1, 3));
        asks(1, 3);
        assertTrue(contacts.areBetween(1, 3));
    }

    @Test
    void whatIsBetweenTwoIsTold() {
        assertNull(contacts.between(1, 3));
        asks(3, 1);
        assertEquals("rank 3 had accessed rank 1 since the last checkpoints, and what both had logged of that is lost "
            + "with them", contacts.between(1, 3));
        assertEquals("rank 2 kept what only the memory of rank 1 had besides, and both are lost",
            contacts.between(2, 1));
    }

    @Test
    void eachOfTwoGivesUpTheOtherOneForItself() {
        asks(1, 3);
        asks(3, 1);
        renounces(3, 1);
        assertTrue(contacts.areBetween(1, 3), "rank 1 has not given up rank 3");
        renounces(1, 5);
        assertTrue(contacts.areBetween(1, 3), "rank 1 has given up another one");
        renounces(1, 0, 2, 3, 4, 5, 700);
        assertFalse(contacts.areBetween(1, 3));
    }

    @Test
    void aBuddyCannotBeGivenUp() {
        renounces(1, 2);
        assertTrue(contacts.areBetween(1, 2));
        assertTrue(contacts.areBetween(2, 1));
    }
}
