package org.ftrma.apps.npb;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Map;
import org.ftrma.MisuseException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** NAS IS: its keys, their ranks, and how they are verified. */
class IsTest {
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4, 16})
    void ranksAreThoseOfTheReferenceAndKeysAreInOrder(int ranks) {
        Map<String, Object> reports = SimulatedNpb.reports("is --class S", ranks, ranks);
        assertEquals(true, reports.get("verified"), reports::toString);
        assertEquals(50, ((Number) reports.get("ranksRight")).intValue());
        assertEquals(true, reports.get("sorted"));
    }

    /** From the eleventh ranking on no key changes any more. */
    @Test
    void moreRankingsThanTheClassHasAreVerifiedToo() {
        Map<String, Object> reports = SimulatedNpb.reports("is --class S --iterations 13", 2, 1);
        assertEquals(65, ((Number) reports.get("ranksRight")).intValue());
        assertEquals(true, reports.get("verified"), reports::toString);
    }

    /** The reference says where test keys go; here all keys are sorted, and looked up. */
    @ParameterizedTest
    @ValueSource(strings = {"S", "W"})
    void referenceIsTheRankInTheSortedKeys(String name) {
        IsClass problem = IsClass.of(name);
        MemorySegment keys = Arena.ofAuto().allocate(JAVA_INT, problem.keys());
        IsKeys.draw(problem, 0, problem.keys(), keys);
        for (int iteration = 1; iteration <= IsClass.ITERATIONS; iteration++) {
            keys.setAtIndex(JAVA_INT, iteration, iteration);
            keys.setAtIndex(JAVA_INT, iteration + IsClass.ITERATIONS, problem.maxKey() - iteration);
            int[] sorted = keys.toArray(JAVA_INT);
            Arrays.sort(sorted);
            for (IsClass.Test test : problem.tests()) {
                int key = keys.getAtIndex(JAVA_INT, test.index());
                int smaller = (int) Arrays.stream(sorted).takeWhile(other -> other < key).count();
                assertEquals(smaller, test.rankAt(iteration), test + " in " + iteration);
            }
        }
    }

    @Test
    void eachRankDrawsItsPartOfTheSameKeys() {
        IsClass problem = IsClass.of("S");
        MemorySegment all = Arena.ofAuto().allocate(JAVA_INT, problem.keys());
        IsKeys.draw(problem, 0, problem.keys(), all);
        int share = problem.keys() / 4;
        MemorySegment part = Arena.ofAuto().allocate(JAVA_INT, share);
        for (int rank = 0; rank < 4; rank++) {
            IsKeys.draw(problem, (long) rank * share, share, part);
            assertEquals(-1, part.mismatch(all.asSlice(4L * rank * share, 4L * share)), "rank " + rank);
        }
    }

    @ParameterizedTest
    @CsvSource({"3, --ranks=3: NAS IS needs a power of two", "256, --ranks=256: NAS IS has at most 128"})
    void numbersOfRanksThatCannotBeAreRefused(int ranks, String why) {
        MisuseException refused = assertThrows(MisuseException.class, () -> IsClass.of("A").on(ranks));
        assertTrue(refused.getMessage().startsWith(why), refused.getMessage());
    }
}
