package org.ftrma.core.coordinator;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.ftrma.core.control.ControlMessage;
import org.ftrma.options.JobOptions;

/**
 * Assigns processes to members: processes join, take the place of members that have none, wait as spares, or end.
 * Coordinator's thread.
 */
final class MemberAssignment {
    private final JobOptions options;
    private final CoordinatorHost host;
    private final MemberTable members;
    private final JobState job;
    private final LocalRecoveries recoveries;
    private final CheckpointArbiters checkpoints;
    private final Outbox out;
    private final ProcessSupply supply;
    private final Set<Integer> joined = new HashSet<>();
    /** What memory members take, once that is known. */
    private ControlMessage.Provision provision;

    MemberAssignment(JobOptions options, CoordinatorHost host, MemberTable members, JobState job,
        LocalRecoveries recoveries,
        CheckpointArbiters checkpoints, Outbox out) {
        this.options = options;
        this.host = host;
        this.members = members;
        this.job = job;
        this.recoveries = recoveries;
        this.checkpoints = checkpoints;
        this.out = out;
        supply = new ProcessSupply(host, members, options.spares());
    }

    /** All processes that have joined and not ended. */
    Set<Integer> joined() {
        return joined;
    }

    /** A process is connected: it plays a member that has none, or waits. */
    void join(int process) {
        joined.add(process);
        supply.noLongerComing(process);
        Member preferred = process >= 0 && process < members.size() ? members.get(process) : null;
        if (preferred != null && preferred.is(MemberState.EXPECTED)) {
            assign(preferred, process);
            return;
        }
        boolean isSpare = process >= members.size() && process < members.size() + options.spares();
        List<Integer> lacking = new ArrayList<>();
        for (Member member : members.all()) {
            boolean startsLater = member.is(MemberState.EXPECTED) && isSpare;
            if (!member.isPlayed() && !startsLater && member != recoveries.waiting()) {
                lacking.add(member.number);
            }
        }
        if (!lacking.isEmpty()) {
            assign(members.get(host.memberFor(process, lacking)), process);
            return;
        }
        supply.idle.add(process);
        if (provision != null) {
            out.send(process, provision);
        }
    }

    private void assign(Member member, int process) {
        member.assign(process);
        if (job.restart() != null) {
            out.send(process, new ControlMessage.OnDisk(job.restart().generation(), job.restart().place(),
                JobState.firstView(job.restart())));
        }
        out.send(process, new ControlMessage.Assign(member.number, member.incarnation(),
            new ControlMessage.Start(job.view(), job.timeline(), job.committed(), job.committedStep()),
            recoveries.numberFor(member), options.asMap(),
            member.watched.stream().mapToLong(Long::longValue).toArray(), checkpoints.latest(),
            members.missing(member, recoveries.ranks())));
        out.event(new JobEvent.Assigned(process, member.number, member.incarnation()));
    }

    /** A member was lost: a spare takes its place, or whoever comes next. */
    void replace(Member member) {
        if (!supply.idle.isEmpty()) {
            Integer spare = host.spareFor(member.number, supply.idle);
            supply.idle.remove(spare);
            assign(member, spare);
        } else {
            supply.orderForMembers();
        }
    }

    /** A process has ended, or could not be started. Returns whether it had joined. */
    boolean left(int process) {
        return joined.remove(process);
    }

    /** It played no member. */
    void leftWithoutRole(int process, boolean hadJoined, String cause) {
        supply.idle.remove(process);
        out.note("process " + process + " ended before it played a member: " + cause);
        if (!hadJoined) {
            supply.noLongerComing(process);
            if (process >= 0 && process < members.size() && members.get(process).is(MemberState.EXPECTED)) {
                members.get(process).couldNotStart(); // M9
            }
        }
        supply.orderForMembers();
        if (job.isRunning()) {
            supply.replenish();
        }
    }

    /** Processes are ordered until there are as many spares as there should be. */
    void replenish() {
        supply.replenish();
    }

    /** What members expose is known: checksum ranks and spares may have the memory ready. */
    void provision(ControlMessage.Regions m) {
        provision = new ControlMessage.Provision(options.asMap(), m.computing(), m.imageHoles(), m.parity(),
            m.parityHoles());
        out.send(members.checksums(), provision);
        supply.idle.forEach(process -> out.send(process, provision));
    }
}
