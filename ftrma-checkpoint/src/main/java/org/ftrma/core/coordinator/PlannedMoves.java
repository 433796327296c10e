package org.ftrma.core.coordinator;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Members that are to be played by other processes, though theirs live: their host is to be left. That happens at a
 * cut. All have copied and stay where they are until the generation is committed; then the processes are killed, and
 * when they are dead, all begin again from that very cut in a new view, in which others take their place. Nothing is
 * repeated, and nobody counts it as a loss. A group gives as many members at a time as it can rebuild; the rest moves
 * at the next cut. Where another member is lost meanwhile, all go back as after any loss. Coordinator's thread.
 */
final class PlannedMoves {
    private final MemberTable members;
    private final int losses;
    /** Processes that no member is to be played by any more. */
    private final Set<Integer> waiting = new LinkedHashSet<>();
    /** The request of the cut at which the next ones move; 0: none. */
    private long request;
    /** Processes that are being killed, and are not dead yet. */
    private final Set<Integer> dying = new HashSet<>();
    /** Members whose processes were killed so, and are dead. */
    private final List<Member> dead = new ArrayList<>();
    /** Members that others play, and that have not all come to the steps yet. */
    private final List<Integer> moved = new ArrayList<>();

    PlannedMoves(MemberTable members, int losses) {
        this.members = members;
        this.losses = losses;
    }

    /** These processes are to be left. */
    void leave(Collection<Integer> processes) {
        waiting.addAll(processes);
    }

    /** Asks for a cut, if there is anybody to move and nothing else is on its way. All must run. */
    void look(CutRequests requests) {
        waiting.removeIf(process -> members.byProcess(process) == null);
        if (request == 0 && dying.isEmpty() && dead.isEmpty() && !waiting.isEmpty() && members.allHoldTheirParts()) {
            request = requests.request();
        }
    }

    /** Whether ranks stay at the cut that serves the requests up to this one. */
    boolean staysAt(long served) {
        return request > 0 && served >= request;
    }

    /** The generation of that cut is committed. Returns the processes that are to be killed now. */
    List<Integer> begin() {
        request = 0;
        Map<Integer, Integer> ofGroup = new HashMap<>();
        List<Integer> now = new ArrayList<>();
        for (Integer process : waiting) {
            Member member = members.byProcess(process);
            if (member != null && ofGroup.merge(members.groupOf(member.number), 1, Integer::sum) <= losses) {
                now.add(process);
            }
        }
        now.forEach(waiting::remove);
        dying.addAll(now);
        return now;
    }

    /** A process is dead. Returns whether it was killed so that its member moves: then nothing else is to be done. */
    boolean died(int process) {
        if (!dying.remove(process)) {
            return false;
        }
        dead.add(members.byProcess(process));
        return true;
    }

    /** Whether those that were to move at this cut are all dead. */
    boolean areAllDead() {
        return dying.isEmpty() && !dead.isEmpty();
    }

    /** Another member is lost: those that move lack their parts, too, if their processes are dead. */
    void disturbed() {
        dead.stream().filter(member -> member.process() >= 0).forEach(Member::moves);
    }

    /**
     * A new view begins: the members that move have no process from now on. Of those whose processes still live nothing
     * is known any more: their deaths are losses.
     */
    List<Member> take() {
        disturbed();
        List<Member> now = List.copyOf(dead);
        dead.clear();
        dying.clear();
        request = 0;
        moved.addAll(now.stream().map(member -> member.number).collect(Collectors.toList()));
        return now;
    }

    /** Whether nobody is to move, or does. */
    boolean isIdle() {
        return waiting.isEmpty() && request == 0 && dying.isEmpty() && dead.isEmpty() && moved.isEmpty();
    }

    /** All run: those that have moved since. */
    List<Integer> takeMoved() {
        List<Integer> now = List.copyOf(moved);
        moved.clear();
        return now;
    }
}
