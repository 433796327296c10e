package org.ftrma.core.coordinator;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.ftrma.core.control.ControlMessage;

/**
 * Calls of the computing ranks' programs in the present view that all must make alike, and which programs have
 * returned. Coordinator's thread.
 */
final class ProgramTable {
    /** A rank that returned may have been the first of all that do. */
    private static final long GRACE_NANOS = 1_000_000_000L;

    private final MemberTable members;
    /** What was done by the rank that did it first, and which that was. */
    private final List<String> done = new ArrayList<>();
    private final List<Member> by = new ArrayList<>();
    /**
     * By rank: how much of that it has done, and since when its program has returned, 0: it has not; and after which
     * step.
     */
    private final int[] counts;
    private final long[] since;
    private final long[] steps;
    private boolean news;
    private final CalledCollectives called = new CalledCollectives();

    ProgramTable(MemberTable members) {
        this.members = members;
        counts = new int[members.computing().size()];
        since = new long[counts.length];
        steps = new long[counts.length];
    }

    /** A new view. */
    void clear() {
        done.clear();
        by.clear();
        called.clear();
        members.computing().forEach(this::lost);
    }

    /** A process that enters the program anew will play this member. */
    void lost(Member member) {
        if (member.number < counts.length) {
            counts[member.number] = 0;
            since[member.number] = 0;
            news = true; // who is told of a loss forgets who has returned
        }
    }

    /**
     * Looks at what a member of this view tells; returns what is to be told to it instead of doing as it wants, or
     * null.
     */
    ControlMessage.Misuse misuse(Member member, ControlMessage message, int view, long now) {
        return switch (message) {
            case ControlMessage.Exchange m when m.view() == view -> compare(member, m.done(), view);
            case ControlMessage.Restored m when m.view() == view -> {
                news = true; // it may be a replacement, which knows of nobody
                yield compare(member, m.done(), view);
            }
            case ControlMessage.Finished m when m.view() == view && member.number < counts.length -> {
                ControlMessage.Misuse unlike = compare(member, m);
                unlike = unlike != null ? unlike : called.compare(member.number, m);
                if (unlike != null) {
                    yield unlike;
                }
                since[member.number] = Math.max(1, now);
                steps[member.number] = m.step();
                news = true;
                yield null;
            }
            default -> null;
        };
    }

    /** All programs leave their loop in the same step, whether it ends by itself or they break out of it. */
    private ControlMessage.Misuse compare(Member member, ControlMessage.Finished m) {
        for (Member other : members.computing()) {
            if (since[other.number] > 0 && steps[other.number] != m.step()) {
                return new ControlMessage.Misuse(m.view(), "rank " + member.number + " returned after step " + m.step()
                    + ", where rank " + other.number + " returned after step " + steps[other.number]
                    + ": all ranks must leave the loop in the same step; let them decide by what all of them know, such"
                    + " as the result of an allReduce");
            }
        }
        return null;
    }

    private ControlMessage.Misuse compare(Member member, String told, int view) {
        if (told.isEmpty() || member.number >= counts.length) {
            return null;
        }
        for (String line : told.split("\n")) {
            int at = counts[member.number]++;
            if (at == done.size()) {
                done.add(line);
                by.add(member);
            } else if (!done.get(at).equals(line)) { // M24
                return new ControlMessage.Misuse(view, "rank " + member.number + " comes to " + line + " where rank "
                    + by.get(at).number + " came to " + done.get(at) + " (" + (at + 1)
                    + " of the program): all ranks must allocate the same in the same order, and have the same number"
                    + " of steps");
            }
        }
        return null;
    }

    /** Tells those that still run, once some have returned a while ago: none of them must be waited for. */
    void tell(int view, long now, Consumer<ControlMessage.Returned> running) {
        if (!news) {
            return;
        }
        List<Member> returned = members.computing().stream().filter(member -> since[member.number] > 0).toList();
        if (returned.stream().allMatch(member -> now - since[member.number] > GRACE_NANOS)) {
            news = false;
        }
        if (!news && !returned.isEmpty()) { // M25
            running.accept(new ControlMessage.Returned(view,
                returned.stream().mapToLong(member -> member.number).toArray(),
                returned.stream().mapToLong(member -> steps[member.number]).toArray()));
        }
    }
}
