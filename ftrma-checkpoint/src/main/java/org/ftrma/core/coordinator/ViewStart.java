package org.ftrma.core.coordinator;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.ftrma.core.control.ControlMessage;

/**
 * Start of the present view, and when that is given up: when nothing has come of it for the time that a recovery may
 * take. Where all wait for the program (it initializes, or a rank computes on until its next library call) nobody can
 * know how long that is. Coordinator's thread.
 */
final class ViewStart {
    private static final long NOT_BEGUN = Long.MIN_VALUE;
    /** The program may be so many times slower than it was. */
    private static final int SLOWER = 2;

    private final MemberTable members;
    private final CheckpointDeadlines patience;
    private final long deadlineNanos;
    private final Consumer<ControlMessage.AskWhere> toComputing;
    private long progressNanos = NOT_BEGUN;
    private boolean asked;
    private long enteredNanos = NOT_BEGUN;
    /** The longest step, or time from the entry of the program to its first step, so far. */
    private long programNanos;

    /** Why a view is given up. */
    record GivenUp(JobOutcome.Kind kind, String message) {
    }

    /**
     * For one job.
     *
     * @param deadlineNanos how long ranks may wait for each other when none can go on
     * @param toComputing asks all computing ranks
     */
    ViewStart(MemberTable members, CheckpointDeadlines patience, long deadlineNanos,
        Consumer<ControlMessage.AskWhere> toComputing) {
        this.toComputing = toComputing;
        this.members = members;
        this.deadlineNanos = deadlineNanos;
        this.patience = patience;
    }

    /** A new view: all but those that were lost leave the program at their next library call. */
    void begin(long now) {
        progress(now);
        enteredNanos = NOT_BEGUN;
        members.all().forEach(member -> member.exchange = null);
    }

    /**
     * Something came of it: a process joined, an exchange has one contribution more, a member has restored its state.
     */
    void progress(long now) {
        progressNanos = now;
        asked = false;
    }

    void contributed(Member member, ControlMessage.Exchange exchange, long now) {
        progress(now);
        member.exchange = exchange;
        if (exchange.scope() == ControlMessage.Scope.ALL.ordinal() && exchange.sequence() == 0) {
            if (!member.state().isInView()) {
                member.enter();
            }
            if (members.all().stream().allMatch(each -> each.state().isInView())) {
                enteredNanos = now;
            }
        }
    }

    /** All have contributed to an exchange: nobody waits for it any more. */
    void completed(ControlMessage.Exchange exchange) {
        members.all().stream().filter(member -> isAt(member, exchange)).forEach(member -> member.exchange = null);
    }

    /** It has come to the view, and has not restored its state. */
    private static boolean isInProgram(Member member) {
        return member.state().isInView() && !member.state().hasRestored();
    }

    /** A checksum rank has no program that it would have to leave. */
    private boolean isThereOrComputes(Member member) {
        return member.state().isInView() || member.is(MemberState.LEAVING) && !members.isChecksum(member);
    }

    private static boolean isAt(Member member, ControlMessage.Exchange exchange) {
        return member.exchange != null && member.exchange.scope() == exchange.scope()
            && member.exchange.sequence() == exchange.sequence();
    }

    /**
     * Whether the computing ranks wait for each other for ever: each is ready, or waits for an exchange to which
     * another one that waits has not contributed.
     */
    private boolean isDeadlocked() {
        List<Member> ranks = members.computing();
        return ranks.stream()
            .allMatch(rank -> rank.state().hasRestored() || isInProgram(rank) && rank.exchange != null)
            && ranks.stream().anyMatch(rank -> isInProgram(rank))
            && ranks.stream().filter(rank -> isInProgram(rank)).allMatch(rank ->
                ranks.stream().anyMatch(other -> other.state().hasRestored() || !isAt(other, rank.exchange)));
    }

    /** Which ranks are where before all run. */
    String places() {
        Map<String, List<Member>> byPlace = members.computing().stream()
            .collect(Collectors.groupingBy(ViewStart::place, LinkedHashMap::new,
            Collectors.toList()));
        return byPlace.entrySet().stream().map(each -> ranks(each.getValue()) + " "
            + (each.getValue().size() > 1 ? each.getKey()
            : each.getKey().replaceFirst("^wait ", "waits ").replaceFirst("^are ", "is ")))
            .collect(Collectors.joining(", "));
    }

    private static String ranks(List<Member> list) {
        return (list.size() > 1 ? "ranks " : "rank ") + list.stream().map(member -> Integer.toString(member.number))
            .collect(Collectors.joining(", "));
    }

    private static String place(Member member) {
        if (!member.isPlayed()) {
            return "are not there";
        }
        if (!member.state().hasRestored() && member.exchange == null) {
            return isInProgram(member) ? "are in the program" : "are about to begin";
        }
        return "wait " + (member.place.isEmpty() ? "for the others" : member.place);
    }

    /** All run. */
    void running(long now) {
        if (enteredNanos != NOT_BEGUN) {
            programTook(now - enteredNanos);
        }
    }

    /** A rank's steps take so long. */
    void programTook(long nanos) {
        programNanos = Math.max(programNanos, nanos);
    }

    /** In which a recovery must get further: images may be large, and steps long. */
    long recoveryNanos() {
        return patience.rebuildNanos() + SLOWER * Math.min(programNanos, Long.MAX_VALUE / 8);
    }

    /**
     * Says that it is given up, and why; or null.
     *
     * @param initial whether the program initializes: there is no generation to go back to
     * @param missing who is missing in exchanges, or empty
     */
    GivenUp givenUp(int view, boolean initial, String missing, long now) {
        boolean deadlocked = progressNanos != NOT_BEGUN && now - progressNanos > deadlineNanos / 2 && isDeadlocked();
        if (deadlocked && !asked) {
            asked = true;
            toComputing.accept(new ControlMessage.AskWhere(view));
        }
        if (deadlocked && now - progressNanos > deadlineNanos) { // M23
            return new GivenUp(JobOutcome.Kind.FAILED, "the ranks wait for each other: " + places() + "; that for "
                + (now - progressNanos) / 1_000_000
                + " ms (--deadline): all ranks must allocate the same windows, in the same order, before steps()");
        }
        boolean programsTime = initial && members.all().stream().allMatch(this::isThereOrComputes)
            && members.computing().stream().anyMatch(member -> !member.state().hasRestored());
        long limit = recoveryNanos();
        if (progressNanos == NOT_BEGUN || programsTime || now - progressNanos <= limit) { // M22
            return null;
        }
        List<Integer> waiting = members.all().stream().filter(member -> !member.state().hasRestored())
            .map(member -> member.number).toList();
        return new GivenUp(JobOutcome.Kind.CATASTROPHIC, "view " + view + " did not start: nothing came of it for "
            + limit / 1_000_000
            + " ms (--recovery-deadline, and more for large images and long steps); not ready: "
            + members.names(waiting)
            + (missing.isEmpty() ? "" : "; not heard of: " + missing) + "; " + places());
    }
}
