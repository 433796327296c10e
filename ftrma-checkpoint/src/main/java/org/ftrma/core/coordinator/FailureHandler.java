package org.ftrma.core.coordinator;

import java.util.BitSet;
import java.util.List;
import org.ftrma.core.control.ControlMessage;
import org.ftrma.core.control.FallbackReason;
import org.ftrma.core.membership.JobGroups;
import org.ftrma.options.JobOptions;

/**
 * Carries out what {@link LossPolicy} decides on each loss. Losing a computing rank starts a new view in a new
 * timeline, in which all start from the committed generation (design 6.9, 6.10), or a recovery while the others run
 * on; losing a checksum rank does neither: its replacement makes the parity anew. Coordinator's thread.
 */
final class FailureHandler {
    /** What it needs of the coordinator. */
    interface Actions {
        /**
         * All members go back to the committed generation.
         *
         * @param reason null where nothing is logged
         * @param why that in words, with what was found and what helps
         */
        void rollBack(Member lost, FallbackReason reason, String why, long now);

        void end(JobOutcome.Kind kind, String message);
    }

    private final JobOptions options;
    private final MemberTable members;
    private final JobState job;
    private final LocalRecoveries recoveries;
    private final CheckpointArbiters checkpoints;
    private final MemberAssignment roles;
    private final Outbox out;
    private final Actions actions;
    private final Standstill standstill;

    FailureHandler(JobOptions options, MemberTable members, JobState job, LocalRecoveries recoveries,
        CheckpointArbiters checkpoints, MemberAssignment roles, Outbox out, Actions actions, Standstill standstill) {
        this.options = options;
        this.members = members;
        this.job = job;
        this.recoveries = recoveries;
        this.checkpoints = checkpoints;
        this.roles = roles;
        this.out = out;
        this.actions = actions;
        this.standstill = standstill;
    }

    /** A member whose process is dead, and what of, for people. */
    record Lost(Member member, String cause) {
    }

    /** The processes that played these members are dead: all are gone before anything is decided. */
    void lose(List<Lost> all, long now) {
        all.forEach(this::note);
        all.forEach(lost -> recoveries.gone(lost.member));
        if (all.size() == 1) {
            settle(all.getFirst(), now);
            return;
        }
        LossDecision.RollBack forAll = null;
        String why = "";
        BitSet together = new BitSet();
        all.stream().filter(lost -> !members.isChecksum(lost.member)).forEach(lost -> together.set(lost.member.number));
        for (Lost lost : all) {
            LossSnapshot loss = snapshot(lost.member, together);
            LossDecision decision = decide(lost.member, loss);
            if (isEnd(decision)) {
                end(decision, lost.member, lost.cause);
                return;
            }
            if (forAll == null && decision instanceof LossDecision.RollBack back) {
                forAll = back;
                why = why(back.reason(), lost.member, loss, together);
            }
        }
        if (forAll == null) {
            all.forEach(lost -> settle(lost, now));
            return;
        }
        all.forEach(lost -> checkpoints.giveUpDemands(lost.member, snapshot(lost.member).isBesideTheRun()));
        actions.rollBack(all.getFirst().member, forAll.reason(), why, now);
        all.forEach(lost -> roles.replace(lost.member));
    }

    private void note(Lost lost) {
        Member member = lost.member;
        member.lost();
        checkpoints.lost(member);
        out.event(new JobEvent.MemberLost(job.view(), member.number, member.incarnation(), member.lastStep,
            lost.cause));
        if (options.isProtected()) {
            out.event(new JobEvent.RedundancyChanged(members.groupOf(member.number), false));
        }
    }

    private static boolean isEnd(LossDecision decision) {
        return decision instanceof LossDecision.Unprotected || decision instanceof LossDecision.Catastrophic;
    }

    private void settle(Lost lost, long now) {
        Member member = lost.member;
        LossSnapshot loss = snapshot(member);
        LossDecision decision = decide(member, loss);
        if (isEnd(decision)) {
            end(decision, member, lost.cause);
            return;
        }
        checkpoints.giveUpDemands(member, loss.isBesideTheRun());
        boolean goesOn = loss.isBesideTheRun() && !(decision instanceof LossDecision.RollBack);
        if (goesOn) {
            tellOfChecksum(member);
        }
        carryOut(decision, loss, member, now);
        if (goesOn) {
            demandIsOver(now);
        }
    }

    /** The programs of those that waited for it have left by that: they cannot run on. */
    private LossDecision decide(Member lost, LossSnapshot loss) {
        LossDecision decision = LossPolicy.decide(loss);
        return standstill.isReplaced(lost) && !isEnd(decision) ? new LossDecision.RollBack(FallbackReason.STUCK)
            : decision;
    }

    private LossSnapshot snapshot(Member lost) {
        return snapshot(lost, new BitSet());
    }

    /** {@code together}: computing ranks that were lost with it, and are not being recovered yet. */
    private LossSnapshot snapshot(Member lost, BitSet together) {
        int group = members.groupOf(lost.number);
        return new LossSnapshot(options.protocol(), members.isChecksum(lost), members.lostOf(group).size(),
            options.losses(),
            job.isRunning() && !job.isHeld(), job.committed() > 0, checkpoints.halfParity(lost), waiting(lost),
            recoveries.besides(lost, together), members.leavesTooFew(lost, options.losses()));
    }

    private LossSnapshot.Waiting waiting(Member lost) {
        Member waiting = recoveries.waiting();
        return waiting == null ? LossSnapshot.Waiting.NOBODY
            : members.isMate(lost, waiting) ? LossSnapshot.Waiting.A_MATE : LossSnapshot.Waiting.ANOTHER;
    }

    private void carryOut(LossDecision decision, LossSnapshot loss, Member member, long now) {
        switch (decision) {
            case LossDecision.Defer() -> recoveries.defer(member);
            case LossDecision.RebuildParity() -> roles.replace(member);
            case LossDecision.RecoverLocally() -> {
                members.doWithout(member);
                checkpoints.computingLost(member);
                recoveries.begin(member, now);
                roles.replace(member);
            }
            case LossDecision.RollBack(FallbackReason reason) -> {
                actions.rollBack(member, reason, why(reason, member, loss, new BitSet()), now);
                roles.replace(member);
            }
            case LossDecision.Unprotected(), LossDecision.Catastrophic() ->
                throw new IllegalStateException("the job should have ended when " + members.name(member.number)
                    + " was lost");
        }
    }

    private void end(LossDecision decision, Member member, String cause) {
        if (decision instanceof LossDecision.Unprotected) {
            actions.end(JobOutcome.Kind.CATASTROPHIC, members.name(member.number) + " was lost (" + cause
                + ") and the job has no protection: use --checksums 1 (or more) with --protocol coordinated");
            return;
        }
        int group = members.groupOf(member.number);
        List<Integer> lost = members.lostOf(group);
        actions.end(JobOutcome.Kind.CATASTROPHIC, "catastrophic failure: group " + group + " lost " + lost.size()
            + " members (" + members.names(lost) + ") and can rebuild " + options.losses()
            + (members.isNobodyLeft() ? "; no member of the job is left" : JobGroups.advice(options, lost)));
    }

    /**
     * Its parity will be made anew from the images, or from what else there is of its group, and nobody waits for
     * that.
     */
    private void tellOfChecksum(Member lost) {
        members.doWithout(lost);
        checkpoints.checksumLost();
        ControlMessage.ChecksumLost message = new ControlMessage.ChecksumLost(job.view(), lost.number);
        boolean areAllConcerned = options.protocol().logsMessages(); // it has kept their events
        out.send(members.all().stream().filter(member -> areAllConcerned || members.isChecksum(member)
            || !member.holdsPart()).toList(), message);
    }

    /** A demand checkpoint is over: what waited for that goes on. */
    void demandIsOver(long now) {
        checkpoints.cutMayBegin(now);
        if (recoveries.waiting() != null && !checkpoints.isHalfInAParity()) {
            Member member = recoveries.takeWaiting();
            LossSnapshot loss = snapshot(member);
            carryOut(LossPolicy.decide(loss), loss, member, now);
        }
    }

    /** Why all go back for a loss, what was found, and what would help. */
    private String why(FallbackReason reason, Member lost, LossSnapshot loss, BitSet together) {
        return reason == null ? "" : switch (reason) {
            case SECOND_FAILURE -> reason.told(obstacle(lost, loss, together), "");
            case ONLY_PUTS_LOGGED -> reason.told("", "--protocol full logs results, too");
            case DEMAND_INTERRUPTED -> reason.told("", "--demand bulk changes no parity in place");
            default -> reason.told("", "");
        };
    }

    private String obstacle(Member lost, LossSnapshot loss, BitSet together) {
        if (loss.waiting() != LossSnapshot.Waiting.NOBODY) {
            return "the loss of " + members.name(recoveries.waiting().number) + " waits for the end of a demand "
                + "checkpoint, which changes parities in place; --demand bulk changes none";
        }
        return loss.recovery() == LossSnapshot.Recovery.OF_ANOTHER ? recoveries.obstacle(lost, together)
            : "another member of its group makes its part anew, and would have too few others to read";
    }

    /** A replay is impossible, or took too long: what was found has what helps where that depends on it. */
    void fallBack(Member member, FallbackReason reason, String found, long now) {
        String advice = switch (reason) {
            case LOG_GAP -> found.contains("--") ? "" : recoveries.adviceOnGaps();
            case EVENTS_LOST -> options.losses() > 1 ? "" : "with --losses 2 each rank has two event loggers";
            case DEADLINE -> "a longer --recovery-deadline, or shorter steps";
            default -> "";
        };
        actions.rollBack(member, reason, reason.told(members.name(member.number) + ": " + found, advice), now);
    }

    /**
     * Deadlines of recoveries and of demand checkpoints.
     *
     * @param limitNanos how long a local recovery may take
     */
    void onTick(long limitNanos, long now) {
        LocalRecovery late = recoveries.late(limitNanos, now);
        if (late != null) {
            fallBack(members.get(late.member), FallbackReason.DEADLINE, late.missing(), now);
        }
        if (checkpoints.onDemandTick(now)) {
            demandIsOver(now);
        }
    }
}
