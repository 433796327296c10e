package org.ftrma.launch.job;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.ftrma.launch.agent.ProcessVitals;

/**
 * Tells which silent processes are hung. A process sends no heartbeats while it is stopped or waits for ever, but also
 * while all its threads have to wait for one long operation on memory (a bulk copy, a garbage collection): then it uses
 * the processor, and lives. One that goes on like that is taken for hung at last: nobody can tell a long operation from
 * a loop. The job's thread only.
 */
final class HeartbeatMonitor {
    /** A process that does nothing uses some processor time, too: less than this part of it. */
    private static final long IDLE_SHARE = 250;

    private final long timeoutNanos;
    private final long stallNanos;
    private final Map<Integer, Mark> marks = new HashMap<>();

    /** What was known of a process when it had last used a noticeable amount of processor time. */
    private static final class Mark {
        final long heardNanos;
        long processorNanos;
        long progressNanos;

        Mark(long heardNanos, long processorNanos) {
            this.heardNanos = heardNanos;
            this.processorNanos = processorNanos;
            this.progressNanos = heardNanos;
        }
    }

    /**
     * For one job.
     *
     * @param timeoutNanos so long a process may be silent without using the processor
     * @param stallNanos so long it may be silent at all
     */
    HeartbeatMonitor(long timeoutNanos, long stallNanos) {
        this.timeoutNanos = timeoutNanos;
        this.stallNanos = stallNanos;
    }

    /**
     * From so much silence on {@link #verdict} is to be asked, often, so that it sees whether the process uses the
     * processor.
     */
    long noticeableNanos() {
        return timeoutNanos * 2 / 5;
    }

    /**
     * Judges a silent process.
     *
     * @param heardNanos when it was heard last
     * @param vitals what the kernel says of it now; may give null
     * @return why it is to be killed, or null
     */
    String verdict(int process, long heardNanos, long nowNanos, Supplier<ProcessVitals> vitals) {
        ProcessVitals now = vitals.get();
        Mark mark = marks.get(process);
        if (mark == null || mark.heardNanos != heardNanos) {
            mark = new Mark(heardNanos, now == null ? 0 : now.processorNanos());
            marks.put(process, mark);
        }
        if (now != null && now.processorNanos() - mark.processorNanos
            >= Math.max(ProcessVitals.TICK_NANOS, timeoutNanos / IDLE_SHARE)) {
            mark.processorNanos = now.processorNanos();
            mark.progressNanos = nowNanos;
        }
        if (nowNanos - mark.progressNanos >= timeoutNanos) { // M8
            return "silent for more than " + timeoutNanos / 1_000_000 + " ms"
                + (now != null && now.isStopped() ? " (it was stopped)" : "")
                + ", then killed";
        }
        if (nowNanos - heardNanos >= stallNanos) { // M8
            return "silent for more than " + stallNanos / 1_000_000
                + " ms although it used the processor (--stall-timeout), then killed";
        }
        return null;
    }

    /** Nobody can tell whether a silent process hangs, since all else there is silent too: its time begins now. */
    void excuse(int process, long heardNanos, long nowNanos) {
        Mark mark = marks.computeIfAbsent(process, number -> new Mark(heardNanos, 0));
        if (mark.heardNanos == heardNanos) {
            mark.progressNanos = nowNanos;
        } else {
            marks.remove(process);
        }
    }

    /** The process is gone. */
    void forget(int process) {
        marks.remove(process);
    }
}
