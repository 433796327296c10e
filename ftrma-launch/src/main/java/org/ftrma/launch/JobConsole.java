package org.ftrma.launch;

import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.ftrma.core.control.ControlMessage;
import org.ftrma.core.coordinator.JobEvent;
import org.ftrma.launch.inject.InjectedFailure;
import org.ftrma.launch.record.JobObserver;
import org.ftrma.options.JobOptions;
import org.ftrma.rank.control.MachineClock;

/**
 * Tells people on the error stream what happens: errors always, failures and recoveries mostly, everything when asked
 * to. The job's thread.
 */
public final class JobConsole implements JobObserver {
    /** How much is told. */
    enum Level {
        /** What went wrong for good. */
        ERRORS,
        /** Failures, recoveries, and what the job needs. */
        HEADLINES,
        /** Everything. */
        ALL
    }

    private final JobOptions options;
    private final PrintStream err;
    private final Level level;
    private final boolean verbose;
    /** Whether it was told that ranks do not come to a cut. */
    private boolean isWarned;
    private final long startNanos = MachineClock.HERE.nanoTime();
    /** Why all go back, for the line that says so. */
    private String fallback = "";

    JobConsole(JobOptions options, PrintStream err, Level level) {
        this.options = options;
        this.err = err;
        this.level = level;
        this.verbose = level == Level.ALL;
    }

    /** Tells everything, or what matters. */
    public JobConsole(JobOptions options, PrintStream err, boolean verbose) {
        this(options, err, verbose ? Level.ALL : Level.HEADLINES);
    }

    @Override
    public void event(JobEvent event, long nowNanos) {
        if (level == Level.ERRORS && !(event instanceof JobEvent.FlushFailed)) {
            return;
        }
        String text = verbose ? detail(event) : headline(event);
        if (text != null) {
            err.println(verbose ? String.format(Locale.ROOT, "ftrma: %8.3f s  %s", 1e-9 * (nowNanos - startNanos), text)
                : "ftrma: "
                + text);
        }
    }

    private String name(int member) {
        return InjectedFailure.memberName(member, options);
    }

    private String names(List<Integer> members) {
        return members.stream().map(this::name).collect(Collectors.joining(", "));
    }

    /** What everybody should know, or null. */
    private String headline(JobEvent event) {
        return switch (event) {
            case JobEvent.MemberLost lost -> name(lost.member()) + " is lost"
                + (lost.member() < options.ranks() ? " in step " + lost.step() : "") + ": " + lost.cause();
            case JobEvent.HostJoined joined -> "host " + joined.host() + " has joined, for " + joined.slots()
                + (joined.slots() == 1 ? " process" : " processes");
            case JobEvent.HostLost lost -> "host " + lost.host() + " is lost: " + lost.why();
            case JobEvent.FellBack fell -> {
                fallback = ": " + fell.text();
                yield null;
            }
            case JobEvent.RecoveryBegun begun when begun.rolledBack() ->
                "all ranks go back to generation " + begun.generation() + ", step "
                    + begun.toStep() + fallback;
            case JobEvent.Recovered recovered -> name(recovered.member()) + " is back (" + recovered.how() + ")";
            case JobEvent.MembersMoving moving -> names(moving.members()) + " move to other processes: all go on from "
                + "generation " + moving.generation() + ", step " + moving.step() + ", at which they are";
            case JobEvent.MembersMoved moved -> names(moved.members()) + " run in other processes now";
            case JobEvent.HostDrained left -> "host " + left.host() + " is left (" + left.why()
                + "): its members run elsewhere, and nothing was lost";
            case JobEvent.CutServed served -> "requested checkpoint committed: generation "
                + served.generation() + ", step " + served.step();
            case JobEvent.Abandoned abandoned when abandoned.generation() > 0 ->
                "checkpoint " + abandoned.generation() + " is abandoned: "
                    + abandoned.reason();
            case JobEvent.Abandoned given when given.waitedNanos() > 0 && !isWarned -> {
                isWarned = true;
                yield String.format(Locale.ROOT, "no checkpoint after %.1f s of waiting: %s (told once: the "
                    + "summary has the number and time of all)", 1e-9 * given.waitedNanos(), given.reason());
            }
            case JobEvent.MemoryPlanned planned -> "memory that the job needs:\n" + planned.table();
            case JobEvent.Restarted restarted -> "the job starts from generation " + restarted.generation() + ", step "
                + restarted.step() + ", in "
                + restarted.place();
            case JobEvent.Redistributed redistributed -> redistributed.text();
            case JobEvent.FlushFailed failed -> "generation " + failed.generation() + " is not on disk: "
                + failed.reason();
            default -> null;
        };
    }

    private String detail(JobEvent event) {
        return switch (event) {
            case JobEvent.Assigned assigned -> "process " + assigned.process() + " plays " + name(assigned.member())
                + ", incarnation "
                + assigned.incarnation();
            case JobEvent.Running running -> "view " + running.view() + " runs from step " + running.fromStep();
            case JobEvent.StepBegun begun -> name(begun.member()) + " begins step " + begun.step()
                + (begun.iterations() > 0 ? " of " + begun.iterations() : "");
            case JobEvent.StepHeld held -> name(held.member()) + " holds "
                + (held.step() == ControlMessage.Watch.DEMAND ? "in its demand checkpoint"
                : "at the end of step " + held.step());
            case JobEvent.DemandCommitted committed -> String.format(Locale.ROOT,
                "demand checkpoint %d, of %s, is committed%s",
                committed.number(), name(committed.member()),
                committed.parity() != committed.number() ? " with number " + committed.parity()
                    : ": " + committed.bytes() + " bytes of the parity changed");
            case JobEvent.DemandAbandoned given -> "a demand checkpoint of " + name(given.member()) + " is given up: "
                + given.reason();
            case JobEvent.Committed committed -> String.format(Locale.ROOT,
                "generation %d (step %d) is committed: blocked %.3f ms, parity %.3f ms",
                committed.generation(), committed.step(), 1e-6 * committed.blockedNanos(),
                1e-6 * committed.parityNanos());
            case JobEvent.Flushed flushed -> String.format(Locale.ROOT,
                "generation %d (step %d) is on disk: %s, %d bytes in %.3f ms",
                flushed.generation(), flushed.step(), flushed.name(), flushed.bytes(), 1e-6 * flushed.nanos());
            case JobEvent.FlushSkipped skipped -> "generation " + skipped.generation() + " does not go to disk: "
                + skipped.reason();
            case JobEvent.RedundancyChanged changed -> "group " + changed.group()
                + (changed.whole() ? " is whole" : " lacks redundancy");
            case JobEvent.Abandoned refused when refused.generation() == 0
                && (refused.waitedNanos() == 0 || isWarned) ->
                "no checkpoint: " + refused.reason() + (refused.times() > 1 ? ", " + refused.times() + " times more"
                    : "");
            case JobEvent.Note note -> note.text();
            default -> headline(event);
        };
    }
}
