package org.ftrma.launch.agent;

import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.TimeUnit;
import org.ftrma.rank.counter.CounterFile;

/** One process of this host, and what is known of its end. The job's thread only. */
final class LocalProcess {
    private static final long DYING_NANOS = 100_000_000;
    /** For the kernel to take a large memory apart. */
    private static final long GONE_SECONDS = 30;
    private static final int SIGNALLED = 128;
    private static final int SIGKILL = 9;

    final int number;
    final Process process;

    private final CrashReport crashes;
    private final MemoryShortage shortage;
    private final Path counters;
    private final Instant begun = Instant.now().truncatedTo(ChronoUnit.SECONDS);
    /** Since when its end is expected; 0: it is not. */
    private long suspectedNanos;
    /** When it was first seen past its last instruction; 0: it was not. */
    private long pastNanos;

    /**
     * A process that was started now.
     *
     * @param crashes where it leaves a report if it crashes
     * @param shortage tells of processes that the kernel has killed
     * @param counters the directory in which it keeps its counters
     */
    LocalProcess(int number, Process process, CrashReport crashes, MemoryShortage shortage, Path counters) {
        this.number = number;
        this.process = process;
        this.crashes = crashes;
        this.shortage = shortage;
        this.counters = counters;
    }

    /** Kills it for certain, stopped or not. What it has printed is still read: a {@link Process} would close it. */
    void kill() {
        process.toHandle().destroyForcibly();
    }

    /** Its end is expected. */
    void suspect(long nowNanos) {
        suspectedNanos = nowNanos;
    }

    /** Whether its end was expected a moment ago: then it is very near. */
    boolean isDying(long nowNanos) {
        return suspectedNanos != 0 && nowNanos - suspectedNanos < DYING_NANOS;
    }

    /**
     * The end of a process whose end is expected, as soon as it is past its last instruction and its status is known:
     * the kernel is still taking its memory apart. Until the kernel sets the status it tells 0, so that a status of 0
     * is believed only when the process is gone.
     *
     * @return null if it is not so
     */
    HostAgent.Death early(long nowNanos) {
        if (suspectedNanos == 0 || pastNanos == 0 && !DyingProcess.isPastItsLastInstruction(process.pid())) { // M6
            return null;
        }
        pastNanos = pastNanos == 0 ? nowNanos : pastNanos;
        int status = DyingProcess.status(process.pid());
        if (status > 0) {
            return death(status, cause(status), true);
        }
        if (nowNanos - pastNanos > TimeUnit.SECONDS.toNanos(GONE_SECONDS)) {
            // It is killed now, whatever it is said to be.
            return death(HostAgent.Death.UNKNOWN, "is dying, and has no exit status after " + GONE_SECONDS + " s",
                true);
        }
        return null;
    }

    /** The end of a process that is gone. */
    HostAgent.Death gone() {
        int status = process.exitValue();
        return death(status, cause(status), false);
    }

    private HostAgent.Death death(int status, String cause, boolean allHere) {
        return new HostAgent.Death(number, status, cause, CounterFile.lastWords(counters, number),
            CounterFile.lastStep(counters, number), allHere);
    }

    private String cause(int status) {
        String crash = status != 0 ? crashes.told(process.pid(), begun) : null;
        if (crash != null) {
            return crash;
        }
        if (status > SIGNALLED && status <= SIGNALLED + 64) {
            return switch (status - SIGNALLED) {
                case SIGKILL -> "killed by SIGKILL" + shortage.ofKill();
                case 15 -> "killed by SIGTERM";
                case 11 -> "crashed by SIGSEGV";
                case 7 -> "crashed by SIGBUS";
                case 6 -> "aborted by SIGABRT";
                default -> "ended by signal " + (status - SIGNALLED);
            };
        }
        return "exited with status " + status;
    }
}
