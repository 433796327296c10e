package org.ftrma.apps.fft3d;

/**
 * Measures the numerical core in one JVM, without processes: arguments are class, grid rows, grid columns, repetitions.
 */
final class LocalSpeed {
    private LocalSpeed() {
    }

    public static void main(String[] args) {
        FtClass c = FtClass.all().get(args[0]);
        int rows = Integer.parseInt(args[1]);
        int columns = Integer.parseInt(args[2]);
        for (int i = 0; i < 12; i++) {
            VirtualRanks.run(64, 64, 64, 6, rows, columns);
        }
        for (int i = 0; i < Integer.parseInt(args[3]); i++) {
            VirtualRanks.Outcome outcome = VirtualRanks.run(c.nx(), c.ny(), c.nz(), c.iterations(), rows, columns);
            double worst = 0;
            for (int t = 0; t < c.iterations(); t++) {
                FtClass.Complex got = outcome.checksums().get(t);
                FtClass.Complex want = c.checksums().get(t);
                double error = Math.hypot(got.re() - want.re(), got.im() - want.im())
                    / Math.hypot(want.re(), want.im());
                worst = Double.isNaN(error) ? error : Math.max(worst, error);
            }
            System.out.printf("class %s %dx%d: %.3f s, %.0f Mop/s, error %.1e; %s%n", c.name(), rows, columns,
                outcome.seconds(),
                FtClass.mops(c.points(), c.iterations(), outcome.seconds()), worst, outcome.phases());
        }
    }
}
