package org.ftrma.launch.programs;

import org.ftrma.AtomicOp;
import org.ftrma.Ftrma;
import org.ftrma.Job;
import org.ftrma.LockType;
import org.ftrma.Window;

/**
 * Rank 1 does something else than the others. Argument: collective (a barrier where the others call gsync), type (a
 * reduction of a double), window (a larger one), more (one window more), steps (one more), leave (it returns in step
 * 3), lock (it returns with a lock), or thread (another thread accesses).
 */
public final class Unlike {
    private Unlike() {
    }

    public static void main(String[] args) {
        Ftrma.run(args, job -> run(job, job.rank() == 1 ? args[0] : ""));
    }

    private static void run(Job job, String what) throws InterruptedException {
        Window w = job.allocateWindow("w", what.equals("window") ? 128 : 64);
        if (what.equals("more")) {
            job.allocateWindow("more", 64);
        }
        for (long step : job.steps(what.equals("steps") ? 6 : 5)) {
            if (step == 3 && what.equals("collective")) {
                job.barrier();
            } else {
                job.gsync();
            }
            if (step == 3 && what.equals("type")) {
                job.allReduce(AtomicOp.SUM, 1.0);
            } else {
                job.allReduce(AtomicOp.SUM, 1L);
            }
            if (step == 3 && what.equals("leave")) {
                break;
            }
            if (step == 3 && what.equals("thread")) {
                RuntimeException[] thrown = new RuntimeException[1];
                Thread other = new Thread(() -> {
                    try {
                        w.putLong(1, 0, 0);
                    } catch (RuntimeException e) {
                        thrown[0] = e;
                    }
                }, "helper");
                other.start();
                other.join();
                throw thrown[0];
            }
        }
        if (what.equals("lock")) {
            w.lock(LockType.EXCLUSIVE, 0);
        }
    }
}
