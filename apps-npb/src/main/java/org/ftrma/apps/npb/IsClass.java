package org.ftrma.apps.npb;

import org.ftrma.MisuseException;

/**
 * A problem class of NAS IS. Immutable; any thread.
 *
 * @param name one of {@link ClassTable#NAMES}
 * @param keysLog2 binary logarithm of the number of keys
 * @param maxKeyLog2 that of the end of the keys' range
 * @param tests keys whose ranks are known
 */
record IsClass(String name, int keysLog2, int maxKeyLog2, Test[] tests) {
    /** Rankings, each of which changes two keys. */
    static final int ITERATIONS = 10;
    private static final int WORDS = 3;
    private static final int MOST_BUCKETS_LOG2 = 10;
    private static final int MOST_RANKS = 128;

    /**
     * A key whose rank is known.
     *
     * @param index of the key among all
     * @param rank of it, before it is shifted
     * @param direction of the shift: 1 or -1
     * @param start the iteration in which the rank is not shifted
     */
    record Test(int index, int rank, int direction, int start) {
        /** Later rankings find what the last one with changes found. */
        int rankAt(long iteration) {
            return rank + direction * ((int) Math.min(iteration, ITERATIONS) - start);
        }
    }

    static IsClass of(String name) {
        String[] words = ClassTable.words("is", name);
        Test[] tests = new Test[words.length / WORDS - 1];
        for (int t = 0; t < tests.length; t++) {
            int at = 4 + WORDS * t;
            tests[t] = new Test(Integer.parseInt(words[at]), Integer.parseInt(words[at + 1]),
                words[at + 2].charAt(0) == '+' ? 1 : -1, Integer.parseInt(words[at + 2].substring(1)));
        }
        return new IsClass(name, Integer.parseInt(words[2]), Integer.parseInt(words[3]), tests);
    }

    int keys() {
        return 1 << keysLog2;
    }

    int maxKey() {
        return 1 << maxKeyLog2;
    }

    /** Buckets are ranges of keys of equal size; each goes to one rank. */
    int buckets() {
        return 1 << Math.min(MOST_BUCKETS_LOG2, maxKeyLog2 - 2);
    }

    /** By how many bits a key is shifted to become its bucket's number. */
    int bucketShift() {
        return maxKeyLog2 - Integer.numberOfTrailingZeros(buckets());
    }

    /** Refuses what the class cannot be divided among. */
    IsClass on(int ranks) {
        if (Integer.bitCount(ranks) != 1) {
            throw new MisuseException("--ranks=" + ranks + ": NAS IS needs a power of two: 1, 2, 4, 8 and so on");
        }
        if (ranks > MOST_RANKS) {
            throw new MisuseException("--ranks=" + ranks + ": NAS IS has at most " + MOST_RANKS
                + ", so that each gets several of its " + buckets() + " buckets of keys; use fewer ranks");
        }
        return this;
    }

    /** Millions of keys that are ranked per second. */
    double mops(long steps, double seconds) {
        return 1e-6 * steps * keys() / seconds;
    }
}
