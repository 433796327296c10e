package org.ftrma.apps.npb;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.MemorySegment;

/** The keys of IS: a sum of four random numbers each, so that those in the middle are frequent. Any thread. */
final class IsKeys {
    private static final int NUMBERS = 4;

    private IsKeys() {
    }

    /** Writes a rank's part of a class's keys, which begins with the given one. */
    static void draw(IsClass problem, long first, int count, MemorySegment keys) {
        Random46 random = new Random46(NUMBERS * first);
        int quarter = problem.maxKey() / NUMBERS;
        for (int i = 0; i < count; i++) {
            double sum = random.next();
            sum += random.next();
            sum += random.next();
            sum += random.next();
            keys.setAtIndex(JAVA_INT, i, (int) (quarter * sum));
        }
    }
}
