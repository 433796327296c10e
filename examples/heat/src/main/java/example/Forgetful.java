package example;

import org.ftrma.AtomicOp;
import org.ftrma.Ftrma;
import org.ftrma.Job;
import org.ftrma.LongCell;

/** A program that is wrong: it keeps its sum in a variable, which is lost with the process. */
public final class Forgetful {
    private static final int STEPS = 6;

    private Forgetful() {
    }

    public static void main(String[] args) {
        Ftrma.run(args, Forgetful::run);
    }

    private static void run(Job job) {
        LongCell result = job.protectLong("result");
        long sum = 0;
        for (long step : job.steps(STEPS)) {
            sum += job.allReduce(AtomicOp.SUM, step + job.rank());
        }
        result.set(sum);
    }
}
