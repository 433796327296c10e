package org.ftrma.launch.agent;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The state and the processor time of a process at one moment, from the kernel.
 *
 * @param state the letter of /proc/PID/stat, such as S (asleep), R (running), T (stopped), Z (dead)
 * @param processorNanos the processor time of all its threads so far, in steps of 10 ms
 */
public record ProcessVitals(char state, long processorNanos) {
    /** The unit of processor times in /proc, on every kernel that has UCX. */
    public static final long TICK_NANOS = 10_000_000;
    /** Fields behind the name, which ends with the last parenthesis, counted from 0 (state). */
    private static final int USER_TICKS = 11;
    private static final int SYSTEM_TICKS = 12;

    /** Null if there is no such process any more, or nothing can be known of it. */
    static ProcessVitals of(long pid) {
        String text;
        try {
            // a name may be anything
            text = Files.readString(Path.of("/proc", Long.toString(pid), "stat"), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            return null;
        }
        String[] fields = text.substring(text.lastIndexOf(')') + 1).trim().split(" ");
        if (fields.length <= SYSTEM_TICKS || fields[0].length() != 1) {
            return null;
        }
        return new ProcessVitals(fields[0].charAt(0), (Long.parseLong(fields[USER_TICKS])
            + Long.parseLong(fields[SYSTEM_TICKS])) * TICK_NANOS);
    }

    /** For people. */
    @Override
    public String toString() {
        String doing = switch (state) {
            case 'R' -> "running";
            case 'S', 'I' -> "asleep";
            case 'D' -> "waiting for a disk or for memory";
            case 'T', 't' -> "stopped";
            default -> "dead";
        };
        return doing + ", " + processorNanos / TICK_NANOS / 100.0 + " s of processor time";
    }

    /** Whether a signal or a debugger keeps it from running. */
    public boolean isStopped() {
        return state == 'T' || state == 't';
    }
}
