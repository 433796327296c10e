package org.ftrma.launch.host;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** One process of a job, as its launcher sees it. The job's thread only. */
final class RankHandle {
    private static final long DYING_NANOS = 100_000_000;
    /** For the kernel to take a large memory apart. */
    private static final long GONE_SECONDS = 30;

    final int number;
    final Process process;
    final long startedNanos;
    /** Whether it has joined; then its death matters to the coordinator as a member's or a spare's. */
    boolean joined;
    /** When it lost its connection though it was not known to be dead; 0: it did not. */
    long disconnectedNanos;
    /** Why it was killed by us, or null. */
    String fenceReason;
    /** Since when its lifeline is broken; 0: it is not. */
    long dyingNanos;
    /** When the operating system reported its death; 0: it lives. */
    long exitedNanos;

    private final CrashReport crashes;
    private final Instant begun = Instant.now().truncatedTo(ChronoUnit.SECONDS);

    RankHandle(int number, Process process, long startedNanos, CrashReport crashes) {
        this.number = number;
        this.process = process;
        this.crashes = crashes;
        this.startedNanos = startedNanos;
    }

    /** Whether its lifeline broke a moment ago: then its end is very near. */
    boolean isDying(long now) {
        return exitedNanos == 0 && dyingNanos != 0 && now - dyingNanos < DYING_NANOS;
    }

    /** Kills it for certain, stopped or not. */
    void fence(String why) {
        if (fenceReason == null) {
            fenceReason = why;
        }
        process.destroyForcibly();
    }

    /** Why it is dead, for people. */
    String cause() {
        if (fenceReason != null) {
            return fenceReason;
        }
        if (!process.isAlive()) {
            return cause(process.exitValue());
        }
        int status = DyingProcess.status(process.pid());
        return status > 0 ? cause(status) : causeWhenGone();
    }

    /** A status of 0 may be one that the kernel has not set yet. */
    private String causeWhenGone() {
        try {
            return cause(process.onExit().get(GONE_SECONDS, TimeUnit.SECONDS).exitValue());
        } catch (TimeoutException e) {
            return "is dying, and has no exit status after " + GONE_SECONDS + " s";
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "is dying; interrupted while waiting for its exit status";
        } catch (ExecutionException e) {
            throw new IllegalStateException("process " + number + ": no exit status", e);
        }
    }

    private String cause(int status) {
        String crash = status != 0 ? crashes.told(process.pid(), begun) : null;
        if (crash != null) {
            return crash;
        }
        if (status > 128 && status <= 128 + 64) {
            return switch (status - 128) {
                case 9 -> "killed by SIGKILL";
                case 15 -> "killed by SIGTERM";
                case 11 -> "crashed by SIGSEGV";
                case 7 -> "crashed by SIGBUS";
                case 6 -> "aborted by SIGABRT";
                default -> "ended by signal " + (status - 128);
            };
        }
        return "exited with status " + status;
    }
}
