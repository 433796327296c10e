package org.ftrma.apps.npb;

/**
 * A problem class of NAS CG. Immutable; any thread.
 *
 * @param name one of {@link ClassTable#NAMES}
 * @param na rows of the matrix
 * @param nonzer elements of the random vectors that it is made of
 * @param iterations of the power method
 * @param shift of the eigenvalues
 * @param zeta what comes out
 */
record CgClass(String name, int na, int nonzer, int iterations, double shift, double zeta) {
    /** NPB's bound on |zeta - reference| / |reference|. */
    static final double TOLERANCE = 1e-10;

    static CgClass of(String name) {
        String[] words = ClassTable.words("cg", name);
        return new CgClass(name, Integer.parseInt(words[2]), Integer.parseInt(words[3]), Integer.parseInt(words[4]),
            Double.parseDouble(words[5]), Double.parseDouble(words[6]));
    }

    /** Relative error of a result. */
    double error(double result) {
        return Math.abs(result - zeta) / zeta;
    }

    /** Millions of operations per second, by NPB's count. */
    double mops(long steps, double seconds) {
        double perRow = 3.0 + nonzer * (nonzer + 1.0);
        return 1e-6 * 2 * steps * na * (perRow + 25 * (perRow + 2) + 3) / seconds;
    }
}
