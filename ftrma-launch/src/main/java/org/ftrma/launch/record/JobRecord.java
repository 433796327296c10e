package org.ftrma.launch.record;

import java.util.ArrayList;
import java.util.List;
import org.ftrma.core.control.RecoveryFigures;
import org.ftrma.core.coordinator.JobEvent;

/** The figures of a job. The job's thread only. */
public final class JobRecord implements JobObserver {
    /** One lost member and what became of it. Times are 0 as long as they are not known. */
    public static final class Failure {
        private final int member;
        private final long step;
        private final String cause;
        private final long lostNanos;
        private final long detectNanos;
        private long recoverNanos;
        private String how = "not recovered";
        private long[] figures = {};
        private long stepsBack;

        Failure(int member, long step, String cause, long lostNanos, long detectNanos) {
            this.member = member;
            this.step = step;
            this.cause = cause;
            this.lostNanos = lostNanos;
            this.detectNanos = detectNanos;
        }

        /** Computing rank, or number of computing ranks + checksum rank. */
        public int member() {
            return member;
        }

        /** The last step it is known to have begun; for a checksum rank: rank 0's. */
        public long step() {
            return step;
        }

        /** How it died. */
        public String cause() {
            return cause;
        }

        /** From the injection to the moment the coordinator knew. */
        public long detectNanos() {
            return detectNanos;
        }

        /** From there to the moment it had its state again and the job ran. */
        public long recoverNanos() {
            return recoverNanos;
        }

        /** The way back. */
        public String how() {
            return how;
        }

        /**
         * Steps begun before the loss and executed again: by this rank where it replayed, by all where all went back.
         */
        public long stepsRepeated() {
            return stepsBack + figure(RecoveryFigures.STEPS_REPEATED);
        }

        /** A figure of its replay, or 0 where there was none. */
        public long figure(RecoveryFigures figure) {
            return figure.ordinal() < figures.length ? figures[figure.ordinal()] : 0;
        }
    }

    /** Knows when a member was hit by us. */
    @FunctionalInterface
    public interface Injections {
        /** The injection, or null if there was none of ours. */
        Injection take(int member);
    }

    /** When a member was hit, and in which step; -1: in no certain one. */
    public record Injection(long nanos, long step) {
    }

    private static final String ROLLBACK = "rollback";

    private final int ranks;
    private final Injections injections;
    private final List<Failure> failures = new ArrayList<>();
    private long startedNanos;
    private long runningNanos;
    /** Where all ranks began when they began together last. */
    private long beforeFirstStep;
    private long endedNanos;
    private long generation;
    private long generationStep;
    private int abandoned;
    private long abandonedNanos;
    private long parityNanos;
    private long checksumProcessorsFirst = -1;
    private long checksumProcessorsLast;
    private int starts;
    private long stepOfRankZero;
    private int flushes;
    private int flushesSkipped;
    private int flushesFailed;
    private long flushedGeneration;
    private long flushBytes;
    private long flushNanos;

    /**
     * That of a job that has not begun.
     *
     * @param ranks computing ranks
     * @param injections is asked for each lost member
     */
    public JobRecord(int ranks, Injections injections) {
        this.ranks = ranks;
        this.injections = injections;
    }

    /** The job begins. */
    public void started(long nowNanos) {
        startedNanos = nowNanos;
    }

    /** One process more was started. */
    public void processStarted() {
        starts++;
    }

    /** The job is over. */
    public void ended(long nowNanos) {
        endedNanos = nowNanos;
    }

    @Override
    public void event(JobEvent event, long nowNanos) {
        switch (event) {
            case JobEvent.Running running -> {
                runningNanos = runningNanos == 0 ? nowNanos : runningNanos;
                beforeFirstStep = running.fromStep() - 1;
            }
            case JobEvent.StepBegun begun ->
                stepOfRankZero = begun.member() == 0 ? begun.step() : stepOfRankZero;
            case JobEvent.Committed committed -> {
                generation = committed.generation();
                generationStep = committed.step();
                parityNanos += committed.parityNanos();
            }
            case JobEvent.Restarted restarted -> {
                generation = restarted.generation();
                generationStep = restarted.step();
            }
            case JobEvent.Flushed flushed -> {
                flushes++;
                flushedGeneration = flushed.generation();
                flushBytes += flushed.bytes();
                flushNanos += flushed.nanos();
            }
            case JobEvent.FlushSkipped skipped -> flushesSkipped++;
            case JobEvent.FlushFailed failed -> flushesFailed++;
            case JobEvent.Abandoned given when given.isGivenUp() -> {
                abandoned++;
                abandonedNanos += given.waitedNanos();
            }
            case JobEvent.MemberLost lost -> {
                Injection injection = injections.take(lost.member());
                // A checksum rank knows no steps, and the others go on after the injection.
                long step = lost.member() < ranks ? lost.step()
                    : injection != null && injection.step() >= 0 ? injection.step() : stepOfRankZero;
                failures.add(new Failure(lost.member(), step, lost.cause(), nowNanos,
                    injection == null ? 0 : nowNanos - injection.nanos()));
            }
            case JobEvent.Replayed replayed -> {
                for (Failure failure : failures) {
                    if (failure.member == replayed.member() && failure.recoverNanos == 0) {
                        failure.figures = replayed.figures();
                    }
                }
            }
            case JobEvent.Recovered recovered -> {
                for (Failure failure : failures) {
                    if (failure.member == recovered.member() && failure.recoverNanos == 0) {
                        failure.recoverNanos = nowNanos - failure.lostNanos;
                        failure.how = recovered.how();
                        failure.stepsBack = recovered.how().equals(ROLLBACK)
                            ? Math.max(0, failure.step - beforeFirstStep) : 0;
                    }
                }
            }
            default -> {
            }
        }
    }

    /**
     * To be called when all ranks run, and at the end, with the processor time that checksum ranks have used so far.
     */
    public void checksumProcessors(long nanos) {
        checksumProcessorsFirst = checksumProcessorsFirst < 0 ? nanos : checksumProcessorsFirst;
        checksumProcessorsLast = nanos;
    }

    /** Processor time of the checksum ranks since all ranks ran; too little if one was replaced. */
    public long checksumProcessorNanos() {
        return Math.max(0, checksumProcessorsLast - checksumProcessorsFirst);
    }

    /** All failures in the order in which they became known. */
    public List<Failure> failures() {
        return failures;
    }

    /** The last committed generation; 0: only the initial state. */
    public long generation() {
        return generation;
    }

    /** The step it belongs to. */
    public long generationStep() {
        return generationStep;
    }

    /** Generations written to disk. */
    public int flushes() {
        return flushes;
    }

    /** Generations that were due to be written while another one was. */
    public int flushesSkipped() {
        return flushesSkipped;
    }

    /** Generations that could not be written. */
    public int flushesFailed() {
        return flushesFailed;
    }

    /** The last generation written to disk; 0: none. */
    public long flushedGeneration() {
        return flushedGeneration;
    }

    /** Bytes written, of generations that were written whole. */
    public long flushBytes() {
        return flushBytes;
    }

    /** Time from the commits to the names, of the same. */
    public long flushNanos() {
        return flushNanos;
    }

    /** Checkpoints that were given up. */
    public int abandoned() {
        return abandoned;
    }

    /** For how long ranks waited at these for others that did not come. */
    public long abandonedNanos() {
        return abandonedNanos;
    }

    /** Time from the end of blocking to the commit, of all checkpoints. */
    public long parityNanos() {
        return parityNanos;
    }

    /** The steps that rank 0 is known to have done. */
    public long stepsDone() {
        return Math.max(0, stepOfRankZero - 1);
    }

    /** Processes started, replacements and spares included. */
    public int processes() {
        return starts;
    }

    /** From the first process's start to the first moment in which all ranks ran. */
    public long startNanos() {
        return runningNanos == 0 ? 0 : runningNanos - startedNanos;
    }

    /** The whole job. */
    public long wallNanos() {
        return endedNanos - startedNanos;
    }
}
