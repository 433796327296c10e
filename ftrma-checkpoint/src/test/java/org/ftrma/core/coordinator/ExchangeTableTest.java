package org.ftrma.core.coordinator;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import org.ftrma.core.control.ControlMessage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Exchanges among some ranks; those of all are part of the coordinator's tests. */
class ExchangeTableTest {
    private static final int RANKS = 5;
    private static final int SCOPE = ControlMessage.Scope.AMONG + 7;
    private final ExchangeTable table = new ExchangeTable(RANKS, RANKS + 1);

    private static ControlMessage.Exchange exchange(int scope, int value, long... among) {
        return new ControlMessage.Exchange(1, scope, 0, among, new byte[] {(byte) value}, "");
    }

    private static ControlMessage.Ask ask(int place, int count) {
        return new ControlMessage.Ask(1, SCOPE, 0, place, count);
    }

    @Test
    void thoseThatTakePartAreAskedForByTheirPlaces() {
        assertFalse(table.contribute(3, exchange(SCOPE, 33, 3, 0, 4)));
        assertFalse(table.contribute(4, exchange(SCOPE, 44, 3, 0, 4)));
        assertEquals("rank 0", table.missing());
        assertTrue(table.contribute(0, exchange(SCOPE, 10, 3, 0, 4)));
        assertTrue(table.contribute(4, exchange(SCOPE, 45, 3, 0, 4)), "a replacement tells anew");
        assertArrayEquals(new byte[][] {{33}, {10}, {45}}, table.find(ask(0, 3)));
        assertNull(table.find(ask(1, 3)));
        assertNull(table.find(ask(-1, 1)));
        assertArrayEquals(new int[] {3, 0, 4}, table.participants(exchange(SCOPE, 1, 3, 0, 4)));
    }

    @Test
    void whoTakesPartIsTheSameForAll() {
        assertNull(table.refuse(3, exchange(SCOPE, 1, 3, 0)));
        table.contribute(3, exchange(SCOPE, 1, 3, 0));
        assertNull(table.refuse(0, exchange(SCOPE, 1, 3, 0)));
        assertEquals("scope=9 sequence=0 is of other ranks", table.refuse(0, exchange(SCOPE, 1, 0, 3)));
        assertEquals("member=4 is not in scope", table.refuse(4, exchange(SCOPE, 1, 3, 0)));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"9|''|scope=9 among 0", "1|0|scope=1 among 1", "-1|0|scope=-1 among 1",
        "9|0 5|among 2 of 5 ranks, up to 5", "9|-1 0|among 2 of 5 ranks, up to 0",
        "9|0 1 2 3 4 0|among 6 of 5 ranks, up to 4"})
    void whatCannotBeIsRefused(int scope, String among, String why) {
        long[] ranks = among.isEmpty() ? new long[0] : Arrays.stream(among.split(" ")).mapToLong(
            Long::parseLong).toArray();
        assertEquals(why, table.refuse(0, exchange(scope, 1, ranks)));
    }
}
