package org.ftrma.rma.log;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What an image includes of others' accesses: of source 1 all epochs up to 3 and all updates up to 5, before barrier 7.
 */
class CoverageTest {
    private final Coverage image = new Coverage(7, new long[] {0, 3}, new long[] {0, 5});

    @ParameterizedTest
    @CsvSource({"3,6,5,true,true", "2,0,0,true,true", "4,6,5,true,false", "3,6,6,true,false", "3,7,5,true,false",
        "3,7,5,false,true",
        "4,7,6,false,false"})
    void aGapIsIncludedIfAllOfItIs(long epoch, long barriers, long updates, boolean hasScratch, boolean included) {
        assertEquals(included, image.includesUpTo(1, epoch, barriers, updates, hasScratch));
        assertEquals(included, Coverage.of(image.toLongs(), 2).includesUpTo(1, epoch, barriers, updates, hasScratch));
    }
}
