package org.ftrma.bench;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.ftrma.Ftrma;
import org.ftrma.Job;
import org.ftrma.Program;

/**
 * How long steps take that compute, and end with a gsync. The first ones are not counted: code is compiled then, and
 * those who disturb begin. Reports the distribution at rank 0, in milliseconds.
 */
final class StepTimesProgram implements Program {
    private static final double UNCOUNTED = 0.1;
    private static final int CELLS = 1 << 12;

    private final int steps;
    private final int rounds;

    private StepTimesProgram(int steps, int rounds) {
        this.steps = steps;
        this.rounds = rounds;
    }

    /** Runs this process's rank: so many steps, each of so many passes over numbers that the caches have. */
    public static void main(String[] args) {
        Ftrma.run(args, new StepTimesProgram(Integer.parseInt(args[0]), Integer.parseInt(args[1])));
    }

    @Override
    public void run(Job job) {
        double[] cells = new double[CELLS];
        Arrays.setAll(cells, cell -> 1.0 / (cell + 1));
        long[] nanos = new long[steps];
        long last = System.nanoTime();
        for (long step : job.steps(steps)) {
            for (int round = 0; round < rounds; round++) {
                pass(cells);
            }
            job.gsync();
            long now = System.nanoTime();
            nanos[(int) step - 1] = now - last;
            last = now;
        }
        long[] counted = Arrays.copyOfRange(nanos, (int) (UNCOUNTED * steps), steps);
        Arrays.sort(counted);
        job.report("meanMillis", 1e-6 * Arrays.stream(counted).average().orElseThrow());
        for (String part : StepTimes.PARTS.keySet()) {
            double place = StepTimes.PARTS.get(part) * (counted.length - 1);
            job.report(part, 1.0 * counted[(int) Math.round(place)] / TimeUnit.MILLISECONDS.toNanos(1));
        }
        job.report("sum", Arrays.stream(cells).sum());
    }

    private static void pass(double[] cells) {
        for (int i = 1; i < cells.length; i++) {
            cells[i] = 0.5 * (cells[i] + cells[i - 1]) + 1e-9 * i;
        }
    }
}
