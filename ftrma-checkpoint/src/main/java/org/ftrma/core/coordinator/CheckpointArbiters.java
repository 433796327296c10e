package org.ftrma.core.coordinator;

import java.util.BitSet;
import java.util.Collection;
import java.util.List;
import org.ftrma.core.control.ControlMessage;
import org.ftrma.options.JobOptions;

/**
 * All checkpoints of a job: the arbiters of cuts, of demand checkpoints and of generations on disk, what members tell
 * of these, and what the arbiters need of the rest of the coordinator. Coordinator's thread.
 */
final class CheckpointArbiters {
    private static final String CHECKSUM_LOST = "a checksum rank was lost";

    private final JobOptions options;
    private final MemberTable members;
    private final JobState job;
    private final LocalRecoveries recoveries;
    private final Outbox out;
    private final JobTally tally;
    private final CheckpointDeadlines patience;
    private final LateChecksumRanks late;
    final CutArbiter cuts;
    final DemandArbiter demands;
    final FlushArbiter flushes;
    private final CutRequests requests = new CutRequests();
    private final OrderlyStop stop;
    private final PlannedMoves moves;
    private final CoordinatorHost host;
    /** Why cuts were put off to the next boundary last, or null; and how often since that was told. */
    private String putOff;
    private int putOffTimes;

    CheckpointArbiters(JobOptions options, CoordinatorHost host, MemberTable members, JobState job,
        LocalRecoveries recoveries, Outbox out, JobTally tally, CheckpointDeadlines patience,
        LateChecksumRanks late) {
        this.options = options;
        this.members = members;
        this.job = job;
        this.recoveries = recoveries;
        this.out = out;
        this.tally = tally;
        this.patience = patience;
        this.late = late;
        cuts = new CutArbiter(new CutActions(), options.ranks(), options.checksums(), patience);
        demands = new DemandArbiter(new DemandActions(), options.ranks(), options.groups(),
            options.isDemandStreaming(), options.deadlineNanos());
        flushes = new FlushArbiter(host, message -> out.send(members.computing(), message), options);
        stop = new OrderlyStop(requests, flushes);
        moves = new PlannedMoves(members, options.losses());
        this.host = host;
    }

    /** Somebody outside asks for a cut; returns the number of the request. */
    long requestCut() {
        long request = requests.request();
        askForCuts();
        return request;
    }

    /** Somebody outside wants the job to end when it is on disk. */
    void stopOnDisk() {
        stop.begin();
        askForCuts();
    }

    /** Processes that are to be left; see {@link PlannedMoves}. */
    void leave(Collection<Integer> processes) {
        moves.leave(processes);
        askForCuts();
    }

    /** Who moves. */
    PlannedMoves moves() {
        return moves;
    }

    /** How far that is. */
    OrderlyStop stop() {
        return stop;
    }

    void arrived(Member member, ControlMessage.CutArrived m, long now) {
        cuts.onArrived(member.number, m, members.allHoldTheirParts(), job.committed(), now);
        if (recoveries.isOf(member)) { // R28
            out.send(member, new ControlMessage.CutAwait(job.view(), m.step()));
        }
    }

    void parityReady(Member checksum, ControlMessage.ParityReady m, long now) {
        if (cuts.onParityReady(checksum.number - options.ranks(), m, now)) {
            cutMayBegin(now);
        }
    }

    /** A checksum rank has taken demand images into its parity. */
    void encoded(Member checksum, ControlMessage.DemandEncoded m) {
        demands.encoded(checksum.number, m);
        patience.forgive(checksum.number - options.ranks());
    }

    /** A cut that waited for a generation or a demand checkpoint begins, unless it waits for more. */
    void cutMayBegin(long now) {
        cuts.afterCommit(job.view(), job.committed(), now);
    }

    /** Whether the image of a rank is half in the parities of its group, in place. */
    boolean isHalfInAParity() {
        return demands.streaming() >= 0;
    }

    /** Whose demand image is half in the parities of this member's group, now that it is lost. */
    LossSnapshot.HalfParity halfParity(Member lost) {
        int streaming = demands.streamingWithout(lost.number);
        if (streaming < 0 || members.groupOf(streaming) != members.groupOf(lost.number)) {
            return LossSnapshot.HalfParity.NONE;
        }
        return streaming == lost.number ? LossSnapshot.HalfParity.OF_THE_LOST : LossSnapshot.HalfParity.OF_A_MATE;
    }

    /** The job is about to end. */
    void jobEnds() {
        tellPutOff();
        flushes.jobEnds();
    }

    /** A member was lost. What goes to disk and is not all written never will be. */
    void lost(Member member) {
        flushes.lost(member.number, members.name(member.number));
    }

    /** A member was lost, and the job goes on: demand checkpoints that are not committed are given up. */
    void giveUpDemands(Member lost, boolean isBesideTheRun) {
        if (isBesideTheRun) {
            demands.lost(job.view(), CHECKSUM_LOST);
            demands.parityLost(lost.number, job.view(), CHECKSUM_LOST);
        } else {
            demands.lost(job.view(), members.name(lost.number) + " was lost");
        }
    }

    /** A checksum rank was lost, and nobody goes back: what has no parity yet is given up. */
    void checksumLost() {
        cuts.checksumLost(job.view());
    }

    /** A computing rank was lost that will replay. */
    void computingLost(Member lost) {
        cuts.computingLost(job.view(), lost.number);
        requests.forgotten();
    }

    /** A new view: whatever was under way is over. */
    void reset(String why) {
        cuts.reset(why);
        demands.reset(why);
        requests.abandoned();
    }

    /** The tags of the newest images and parities: see {@link DemandArbiter#latest}. */
    long[] latest() {
        return demands.latest();
    }

    void onTick(long now) {
        if (!recoveries.isAny()) {
            cuts.onTick(job.view(), job.committed(), now);
        } else {
            cuts.postpone(now);
        }
        askForCuts();
    }

    /** Rank 0 is told of cuts that are asked for, when it can see to them. To be called when anything has happened. */
    void askForCuts() {
        stop.look();
        if (job.isRunning() && recoveries.isQuiet()) {
            moves.look(requests);
            if (requests.takeTelling()) {
                out.send(members.get(0), new ControlMessage.CutWanted(job.view()));
            }
        }
    }

    /** Returns whether a demand checkpoint is over, so that what waited for it may go on. */
    boolean onDemandTick(long now) {
        // A lost rank that waits for a half changed parity would be lost for good with the checksum rank.
        long limit = recoveries.waiting() == null ? patience.parityNanos() : patience.rebuildNanos();
        return demands.onTick(job.view(), now, limit);
    }

    /** Part of what the arbiters ask for. */
    private class MemberMessages {
        public void toComputing(ControlMessage.ToMember message) {
            out.send(members.computing(), message);
        }

        public void toMember(int member, ControlMessage.ToMember message) {
            out.send(members.get(member), message);
        }
    }

    /** A cut that is put off at each boundary is told of twice: when it begins, and, with a count, when it is over. */
    private void tellPutOff() {
        if (putOffTimes > 0) {
            out.event(new JobEvent.Abandoned(0, putOff, putOffTimes, 0));
        }
        putOff = null;
        putOffTimes = 0;
    }

    private final class CutActions extends MemberMessages implements CutArbiter.Actions {
        @Override
        public void askDoing(BitSet ranks) {
            out.send(members.of(ranks.stream().toArray()), new ControlMessage.AskDoing(job.view()));
        }

        @Override
        public void toChecksums(ControlMessage.ToMember message) {
            out.send(members.checksums(), message);
        }

        @Override
        public void committed(long generation, long step, long parityNanos, long takenNanos) {
            job.committed(generation, step);
            tellPutOff();
            tally.committed();
            demands.generationCommitted();
            out.send(members.all(), new ControlMessage.Committed(job.view(), generation, step, takenNanos));
            out.event(new JobEvent.Committed(generation, step, tally.blockedNanos(generation), parityNanos));
            if (requests.committed()) {
                out.event(new JobEvent.CutServed(requests.served(), generation, step));
            }
            flushes.committed(new FlushArbiter.Cut(job.view(), job.timeline(), generation, step),
                stop.committed(generation));
            if (job.isHeld()) {
                move(generation, step);
            }
        }

        private void move(long generation, long step) {
            List<Integer> processes = moves.begin();
            processes.forEach(process -> host.fence(process, "its member moves to another process"));
            if (processes.isEmpty()) {
                job.hold(false);
                cuts.goOn(job.view(), step, generation);
            }
        }

        @Override
        public void abandoned(long generation, String reason, long waitedNanos) {
            boolean isPutOff = generation == 0 && waitedNanos == 0;
            if (isPutOff && reason.equals(putOff)) {
                putOffTimes++;
            } else {
                tellPutOff();
                putOff = isPutOff ? reason : null;
                out.event(new JobEvent.Abandoned(generation, reason, 1, waitedNanos));
            }
            if (generation > 0) {
                requests.abandoned();
                job.hold(false);
            }
        }

        @Override
        public void late(int checksum, String reason) {
            late.late(members.get(options.ranks() + checksum), reason);
        }

        @Override
        public void begins(int inView) {
            demands.cutBegins(inView);
        }

        @Override
        public void copies() {
            requests.copies();
        }

        @Override
        public boolean staysThere() {
            job.hold(moves.staysAt(requests.underWay()));
            return job.isHeld();
        }

        @Override
        public boolean mustWait() {
            // C13, D3
            return demands.isEncoding(); // the copies would overwrite the image that goes into a parity
        }
    }

    private final class DemandActions extends MemberMessages implements DemandArbiter.Actions {
        @Override
        public int groupOf(int member) {
            return members.groupOf(member);
        }

        @Override
        public List<Integer> checksumsOf(int group) {
            return members.checksums().stream().map(member -> member.number)
                .filter(member -> members.groupOf(member) == group).toList();
        }

        /** Beside a cut, or a generation that is pending, the records that it drops may be newer than that. */
        @Override
        public boolean canTake(int member) {
            return options.hasDemandCheckpoints() && job.isRunning() && recoveries.isQuiet() && job.committed() > 0
                && cuts.isQuiet() && !members.get(member).is(MemberState.FINISHED) // D2
                && members.lostOf(members.groupOf(member)).isEmpty();
        }

        @Override
        public long stepNanos(int member) {
            return members.get(member).stepNanos;
        }

        @Override
        public void committed(ControlMessage.DemandCommitted message, long bytes) {
            tally.demandCommitted(bytes);
            out.send(members.all(), message);
            out.event(DemandArbiter.event(message, bytes));
        }

        @Override
        public void abandoned(int member, String reason) {
            tally.demandAbandoned();
            out.event(new JobEvent.DemandAbandoned(member, reason));
        }

        @Override
        public void late(int checksumMember, String reason) {
            patience.parityMissed();
            late.late(members.get(checksumMember), reason);
        }
    }
}
