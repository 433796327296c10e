package org.ftrma.apps.npb;

/**
 * A problem class of NAS MG. Immutable; any thread.
 *
 * @param name one of {@link ClassTable#NAMES}
 * @param n points of the finest grid in each direction, a power of two
 * @param iterations V-cycles
 * @param norm L2 norm of the residual after them
 * @param smoother weights of the smoother by the number of directions in which a neighbour lies
 */
record MgClass(String name, int n, int iterations, double norm, double[] smoother) {
    /** NPB's bound on |norm - reference| / |reference|. */
    static final double TOLERANCE = 1e-8;
    private static final double[] SMALL = {-3.0 / 8, 1.0 / 32, -1.0 / 64};
    private static final double[] LARGE = {-3.0 / 17, 1.0 / 33, -1.0 / 61};

    static MgClass of(String name) {
        String[] words = ClassTable.words("mg", name);
        return new MgClass(name, Integer.parseInt(words[2]), Integer.parseInt(words[3]), Double.parseDouble(words[4]),
            name.equals("B") || name.equals("C") ? LARGE : SMALL);
    }

    /** Binary logarithm of the points in a direction: the number of grids. */
    int levels() {
        return Integer.numberOfTrailingZeros(n);
    }

    long points() {
        return (long) n * n * n;
    }

    /** Relative error of a result. */
    double error(double result) {
        return Math.abs(result - norm) / norm;
    }

    /** Millions of operations per second, by NPB's count. */
    double mops(long steps, double seconds) {
        return 58e-6 * steps * points() / seconds;
    }
}
