package org.ftrma.core.coordinator;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.ftrma.core.control.ControlMessage;
import org.ftrma.options.JobOptions;

/**
 * Finds out what the computing ranks do when the program gets no further: at the end of a wait that a program does not
 * survive, and at the end of the job's time. A rank for which others have waited in vain while its program did not call
 * the library is killed, and all go back: once in each step of each rank. Else the job ends, and says where all are.
 * Coordinator's thread.
 */
final class Standstill {
    /** Whose control thread does not answer within this is not waited for. */
    private static final long PATIENCE_NANOS = 2_000_000_000L;
    private static final int MOST_GROUPS = 8;
    private static final int CALLS_OF_WAITING = 12;
    private static final Pattern NOT_OF_PROGRAM = Pattern.compile(
        "(java|jdk|sun|org\\.ftrma\\.(core|rma|messaging|runtime|rank|spi|check|team|ucx|ucp|[A-Z]\\w*))\\.");

    private final JobOptions options;
    private final CoordinatorHost host;
    private final MemberTable members;
    private final JobState job;
    private final Outbox out;
    private final LocalRecoveries recoveries;
    private final BiConsumer<JobOutcome.Kind, String> end;
    private final Map<Integer, ControlMessage.Doing> told = new TreeMap<>();
    private final Set<Integer> asked = new TreeSet<>();
    private boolean isAsking;
    private long askedNanos;
    /** By rank: how its wait ended, in the words of its exception. */
    private final Map<Integer, String> expired = new TreeMap<>();
    private final Set<Member> replaced = new HashSet<>();
    private final Set<String> tried = new HashSet<>();

    Standstill(JobOptions options, CoordinatorHost host, MemberTable members, JobState job, Outbox out,
        LocalRecoveries recoveries, BiConsumer<JobOutcome.Kind, String> end) {
        this.options = options;
        this.host = host;
        this.members = members;
        this.job = job;
        this.out = out;
        this.recoveries = recoveries;
        this.end = end;
    }

    /** A new view: all begin anew. */
    void reset() {
        expired.clear();
        replaced.clear();
        isAsking = false;
    }

    /** A rank's wait was in vain, and its program has left by that. */
    void expired(Member member, String message, long now) {
        expired.putIfAbsent(member.number, message);
        if (!isAsking && replaced.isEmpty()) {
            ask(now);
        }
    }

    private void ask(long now) {
        isAsking = true;
        askedNanos = now;
        told.clear();
        asked.clear();
        for (Member member : members.computing()) {
            if (member.isPlayed() && !member.is(MemberState.FINISHED)) {
                asked.add(member.number);
                out.send(member, new ControlMessage.AskDoing(job.view()));
            }
        }
    }

    void told(Member member, ControlMessage.Doing doing) {
        told.put(member.number, doing);
    }

    private boolean isKnown(long now) {
        return told.keySet().containsAll(asked) || now - askedNanos > PATIENCE_NANOS;
    }

    /** What all do, for a message; null as long as they are being asked: then this is to be called again. */
    String text(long now) {
        if (!isAsking) {
            ask(now);
        }
        return isKnown(now) ? text() : null;
    }

    /** Whether this rank is killed since others waited for it in vain, so that they cannot run on without it. */
    boolean isReplaced(Member member) {
        return replaced.contains(member);
    }

    void onTick(long now) {
        if (expired.isEmpty() || !isAsking || !isKnown(now)) {
            return;
        }
        isAsking = false;
        List<Member> stuck = members.computing().stream().filter(this::isStuck).toList();
        if (mayBeReplaced(stuck)) { // M30
            stuck.forEach(member -> {
                tried.add(key(member));
                replaced.add(member);
                host.fence(member.process(), "others waited for it in vain for --deadline, while its program "
                    + idle(told.get(member.number)) + ", " + place(told.get(member.number)) + "; then killed");
            });
            return;
        }
        int first = expired.keySet().iterator().next();
        String cause = stuck.stream().map(member -> members.name(member.number) + ", in step "
            + told.get(member.number).step() + ", " + idle(told.get(member.number)) + ", "
            + place(told.get(member.number)) + (tried.contains(key(member)) ? "; so it was before it was replaced" : "")
            + ": ").collect(Collectors.joining());
        end.accept(JobOutcome.Kind.FAILED, cause + members.name(first) + " failed: " + expired.get(first) + "\n"
            + text());
    }

    private boolean isStuck(Member member) {
        ControlMessage.Doing doing = told.get(member.number);
        return doing != null && !expired.containsKey(member.number) && member.isPlayed()
            && doing.idleNanos() > options.deadlineNanos() / 4 * 3;
    }

    private boolean mayBeReplaced(List<Member> stuck) {
        return !stuck.isEmpty() && options.isProtected() && job.isRunning() && recoveries.isQuiet()
            && members.allHoldTheirParts() && stuck.stream().noneMatch(member -> tried.contains(key(member)))
            && stuck.stream().allMatch(member -> stuck.stream().filter(other -> other == member
                || members.isMate(member, other)).count() <= options.losses());
    }

    private String key(Member member) {
        return member.number + "@" + told.get(member.number).step();
    }

    private static String idle(ControlMessage.Doing doing) {
        return "has not called the library for " + doing.idleNanos() / 1_000_000 + " ms";
    }

    /** Where the program is, or what it waits for there. */
    static String place(ControlMessage.Doing doing) {
        String place = doing.stack().lines().filter(Standstill::isOfProgram).findFirst().orElse("");
        return place.isEmpty() ? "at a place that is not known" : "at " + place;
    }

    private static boolean isOfProgram(String call) {
        return !NOT_OF_PROGRAM.matcher(call.substring(call.lastIndexOf('/') + 1)).lookingAt();
    }

    private String text() {
        Map<String, List<Integer>> groups = new LinkedHashMap<>();
        told.keySet().stream().filter(member -> !expired.containsKey(member))
            .sorted((a, b) -> Long.compare(told.get(b).idleNanos(), told.get(a).idleNanos()))
            .forEach(member -> groups.computeIfAbsent(describe(told.get(member), 0),
                text -> new ArrayList<>()).add(member));
        StringBuilder text = new StringBuilder();
        groups.values().stream().limit(MOST_GROUPS).forEach(group -> {
            ControlMessage.Doing doing = told.get(group.getLast()); // the one that called the library last
            append(text, group, describe(doing, doing.idleNanos() / 1_000_000_000));
        });
        if (groups.size() > MOST_GROUPS) {
            text.append("\n  and ranks that do something else, which is not told here");
        }
        expired.forEach((member, message) -> append(text, List.of(member), message.lines().findFirst().orElse("")));
        List<Integer> silent = asked.stream().filter(member -> !told.containsKey(member)
            && !expired.containsKey(member)).toList();
        if (!silent.isEmpty()) {
            append(text, silent, "did not answer");
        }
        return "what the ranks do:" + text;
    }

    private static void append(StringBuilder text, List<Integer> ranks, String what) {
        text.append("\n  ").append(ranks.size() > 1 ? "ranks " : "rank ")
            .append(ranks.stream().sorted().map(String::valueOf).collect(Collectors.joining(", "))).append(": ")
            .append(what);
    }

    /** The same for ranks that do the same, but for the seconds since their last call. */
    private String describe(ControlMessage.Doing doing, long seconds) {
        boolean isIdle = doing.idleNanos() > Math.min(PATIENCE_NANOS, options.deadlineNanos() / 4);
        return "in step " + doing.step() + ", " + (isIdle ? "its program has not called the library for "
            + seconds + " s" : "it waits, or waited last, for " + doing.what())
            + doing.stack().lines().limit(isIdle ? Long.MAX_VALUE : CALLS_OF_WAITING).map(call -> "\n    at " + call)
                .collect(Collectors.joining());
    }
}
