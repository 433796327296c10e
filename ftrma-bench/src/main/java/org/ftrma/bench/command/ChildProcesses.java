package org.ftrma.bench.command;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Sees to it that what this process started ends with it when it gets a SIGTERM or Ctrl-C: jobs end in good order, as
 * they do of such a signal, before this process is gone. The main thread goes on meanwhile, and may remove its files,
 * or even start something more.
 */
public final class ChildProcesses {
    /** What a shell makes of SIGTERM. */
    static final int STATUS = 128 + 15;
    /** A job may take 20 s to end. */
    private static final long ORDERLY_NANOS = 25_000_000_000L;
    private static final long MAIN_NANOS = 3_000_000_000L;
    private static final long TURN_MILLIS = 10;

    private final CountDownLatch done = new CountDownLatch(1);
    private volatile boolean ending;

    private ChildProcesses() {
    }

    /** From now on signals are handled. Once in a process. */
    public static ChildProcesses endingWithThisProcess() {
        ChildProcesses children = new ChildProcesses();
        Runtime.getRuntime().addShutdownHook(new Thread(children::end, "bench-interrupt"));
        return children;
    }

    /** The main thread is done with everything, and about to end the JVM itself. */
    public void done() {
        done.countDown();
    }

    /** Whether a signal came: then what fails fails for that reason. */
    public boolean isEnding() {
        return ending;
    }

    private void end() {
        if (done.getCount() == 0) {
            return;
        }
        ending = true;
        Set<Long> asked = new HashSet<>();
        long begun = System.nanoTime();
        try {
            while (System.nanoTime() - begun < ORDERLY_NANOS) {
                List<ProcessHandle> living = ProcessHandle.current().children().filter(ProcessHandle::isAlive).toList();
                living.stream().filter(child -> asked.add(child.pid())).forEach(ProcessHandle::destroy);
                boolean mainIsDone = done.await(TURN_MILLIS, TimeUnit.MILLISECONDS);
                if (living.isEmpty() && (mainIsDone || System.nanoTime() - begun > MAIN_NANOS)) {
                    break;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // then by force
        }
        ProcessHandle.current().children().forEach(ProcessHandle::destroyForcibly);
        Runtime.getRuntime().halt(STATUS);
    }
}
