package org.ftrma.core.collective;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class TrustTest {
    private static final int ROUNDS = 3;

    @Test
    void aRankThatComesBackBelievesNobodyUntilItIsPastTheBarrierAfterTheOneInWhichItGoesOn() {
        GatheredDataValidity trust = new GatheredDataValidity(ROUNDS);
        trust.open();
        trust.replays(true, 2);
        assertEquals("...", held(trust, 2));
        trust.replays(false, 7);
        assertEquals("...", held(trust, 7));
        assertEquals("...", held(trust, 8));
        assertEquals("xxx", held(trust, 9));
    }

    @Test
    void whoHearsOfALossInABarrierDoesNotBelieveThatRankInTheNextOneEither() {
        GatheredDataValidity trust = new GatheredDataValidity(ROUNDS);
        trust.open();
        trust.lost(1, 4);
        assertEquals("x.x", held(trust, 5));
        assertEquals("xxx", held(trust, 6));
    }

    @Test
    void inANewViewAllBelieveEachOther() {
        GatheredDataValidity trust = new GatheredDataValidity(ROUNDS);
        trust.lost(0, 4);
        trust.replays(true, 4);
        trust.open();
        assertEquals("xxx", held(trust, 1));
    }

    /** An x for each round whose sender is believed in that barrier. */
    private static String held(GatheredDataValidity trust, long barrier) {
        StringBuilder text = new StringBuilder();
        for (int round = 0; round < ROUNDS; round++) {
            text.append(trust.holds(round, barrier) ? 'x' : '.');
        }
        return text.toString();
    }
}
