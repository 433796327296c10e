package org.ftrma.launch.journal;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import org.ftrma.core.coordinator.JobEvent;
import org.ftrma.launch.record.JobObserver;
import org.ftrma.rank.control.MachineClock;

/**
 * Writes into a job's folder what is to be known of it, while it runs and afterwards. It is for people: where it cannot
 * be written any more, the job goes on. The job's thread only.
 */
public final class JobJournal implements JobObserver, AutoCloseable {
    /** How far the ranks are is written so often at first, and less often in a long job. */
    private static final long PROGRESS_NANOS = 100_000_000;
    private static final int PROGRESSES = 1000;

    private final JobFolder folder;
    private final JobFacts facts;
    private final Consumer<String> notes;
    private final MachineClock clock;
    private final EventWriter writer;
    private final EventCoder coder;
    private final MemberSteps steps;
    private final long[] stepOf;
    private final long startedNanos;
    private final long startedMicros;
    private boolean isBroken;
    private boolean isClosed;
    private boolean isForgotten;
    private long progressNanos;

    /**
     * How jobs are kept.
     *
     * @param parent the folder with their folders
     * @param age of jobs that have ended none stays that began so long ago; zero: nothing of them stays
     */
    public record Keeping(Path parent, Duration age) {
    }

    /**
     * Begins the folder of a job, and removes old ones.
     *
     * @param asked what the job was asked to be; when it began is noted here
     * @param hostOf the host of a process, for people
     * @param notes is told what goes wrong
     * @throws IOException it cannot be made
     */
    public JobJournal(Keeping keeping, JobFacts asked, IntFunction<String> hostOf, Consumer<String> notes,
        MachineClock clock) throws IOException {
        this.clock = clock;
        Instant now = Instant.now();
        this.notes = notes;
        JobFolder.removeOld(keeping.parent, keeping.age, now);
        startedNanos = clock.nanoTime();
        startedMicros = ChronoUnit.MICROS.between(Instant.EPOCH, now);
        folder = JobFolder.create(keeping.parent, now);
        isForgotten = keeping.age.isZero();
        facts = new JobFacts(asked.app(), asked.command(), asked.ranks(), asked.checksums(), asked.spares(),
            asked.groups(), asked.options(), asked.launcher(), startedMicros);
        stepOf = new long[facts.members()];
        writer = new EventWriter(folder.path(), () -> ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now()));
        coder = new EventCoder(writer, hostOf);
        steps = new MemberSteps(folder, facts.members());
        facts.write(folder);
        write(EventKind.STARTED, startedNanos, facts.commandLine(), facts.launcher().pid(),
            facts.ranks(), facts.checksums(), facts.spares());
    }

    /** Where it is. */
    public Path path() {
        return folder.path();
    }

    /** The job's name. */
    public String name() {
        return folder.name();
    }

    private long micros(long nowNanos) {
        return startedMicros + (nowNanos - startedNanos) / 1000;
    }

    private void write(EventKind kind, long nowNanos, String text, long... numbers) {
        if (isBroken || isClosed) {
            return;
        }
        try {
            writer.write(kind, micros(nowNanos), text, numbers);
        } catch (IOException e) {
            broken(e);
        }
    }

    private void broken(IOException e) {
        isBroken = true;
        notes.accept("no further events are kept in " + folder.path() + ": " + e + "; the job goes on");
    }

    @Override
    public void event(JobEvent event, long nowNanos) {
        if (isBroken || isClosed) {
            return;
        }
        if (event instanceof JobEvent.StepBegun begun) {
            begun(begun, nowNanos);
            return;
        }
        try {
            coder.write(event, micros(nowNanos));
        } catch (IOException e) {
            broken(e);
        }
    }

    /** Something has happened now. */
    public void event(JobEvent event) {
        event(event, clock.nanoTime());
    }

    private void begun(JobEvent.StepBegun begun, long nowNanos) {
        if (begun.member() < 0 || begun.member() >= stepOf.length) {
            return;
        }
        stepOf[begun.member()] = begun.step();
        steps.begun(begun.member(), begun.step(), micros(nowNanos));
        if (nowNanos - progressNanos < Math.max(PROGRESS_NANOS, (nowNanos - startedNanos) / PROGRESSES)
            && begun.step() != begun.iterations()) {
            return;
        }
        progressNanos = nowNanos;
        long least = Long.MAX_VALUE;
        long greatest = 0;
        for (int rank = 0; rank < facts.ranks(); rank++) {
            least = Math.min(least, stepOf[rank]);
            greatest = Math.max(greatest, stepOf[rank]);
        }
        write(EventKind.PROGRESS, nowNanos, "", least, greatest, begun.iterations(), begun.averageStepNanos());
    }

    @Override
    public void alive(long nowNanos) {
        if (isClosed) {
            return;
        }
        try {
            writer.alive(micros(nowNanos)); // that takes no room: it goes on where there is none for events
        } catch (IOException e) {
            if (!isBroken) {
                broken(e);
            }
        }
    }

    /**
     * The job is over.
     *
     * @param result what --json prints
     */
    public void ended(Map<String, Object> result) {
        write(EventKind.ENDED, clock.nanoTime(), result.get("outcome") + ": " + result.get("message"),
            number(result, "exitCode"), number(result, "checkpoints"), number(result, "rollbacks"),
            number(result, "localRecoveries"));
        try {
            JsonFile.write(folder.file(JobView.RESULT), result);
        } catch (IOException e) {
            notes.accept("the result is not kept in " + folder.path() + ": " + e);
        }
    }

    private static long number(Map<String, Object> result, String key) {
        return result.get(key) instanceof Number number ? number.longValue() : 0;
    }

    /** All is written. */
    @Override
    public void close() {
        if (isClosed) {
            return;
        }
        isClosed = true;
        try {
            writer.close();
        } catch (IOException e) {
            broken(e);
        }
        steps.close();
        if (isForgotten && !folder.remove()) {
            notes.accept("cannot remove " + folder.path());
        }
    }
}
