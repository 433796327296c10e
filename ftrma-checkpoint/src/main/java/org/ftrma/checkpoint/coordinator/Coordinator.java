package org.ftrma.checkpoint.coordinator;

import java.util.BitSet;
import java.util.List;
import java.util.Set;
import org.ftrma.checkpoint.FallbackReason;
import org.ftrma.checkpoint.Fault;
import org.ftrma.checkpoint.JobGroups;
import org.ftrma.checkpoint.control.Message;
import org.ftrma.checkpoint.control.MessageCodec;
import org.ftrma.checkpoint.coordinator.MemberTable.Member;
import org.ftrma.options.JobOptions;

/**
 * The coordinator of one job: numbers the membership views, answers exchanges, decides cuts and commits (with {@link CutArbiter}), replaces lost
 * members and says when the job is over. A pure state machine: it acts only through its host and only when called. One thread.
 *
 * <p>A view is a session of all members. Losing a computing rank starts a new view in a new timeline: all members stop and start from the committed
 * generation (design 6.9, 6.10). Losing a checksum rank does not: its replacement joins the running view and rebuilds the parity.
 */
public final class Coordinator {
    private static final int MAX_NOTE = 4096;
    private static final String CHECKSUM_LOST = "a checksum rank was lost";

    private final JobOptions options;
    private final CoordinatorHost host;
    private final Set<Fault> faults;
    private final MemberTable members;
    private final ExchangeTable exchanges;
    private final ProgramTable programs;
    private final CutArbiter cuts;
    private final DemandArbiter demands;
    private final FlushArbiter flushes;
    private final ProcessSupply supply;
    private final Set<Integer> joined = new java.util.HashSet<>();
    private final JobTally tally;
    private final Patience patience;
    private final LateChecksums late;
    private final ViewStart viewStart;
    /** What memory members take, once that is known. */
    private Message.Provision provision;

    private int view = 1;
    private int timeline = 1;
    private boolean running;
    private boolean over;
    /** Where the job starts from, until all ranks run: from then on images are rebuilt from each other. */
    private RestartPoint restart;
    private long committed;
    private long committedStep;
    /** The computing rank that is being recovered while the others run on, or null. */
    private LocalRecovery local;
    /** A rank whose recovery begins when the parity of its group, which is being changed in place, is whole; or null. */
    private Member deferred;
    private int recoveries;

    /** A coordinator of a job whose host starts ranks + checksums + spares processes, numbered from 0: the first ones become the members 0, 1, ... */
    public Coordinator(JobOptions options, CoordinatorHost host) {
        this(options, host, Set.of());
    }

    /** As above, with bugs injected for tests of the simulator. */
    public Coordinator(JobOptions options, CoordinatorHost host, Set<Fault> faults) {
        this.options = options;
        this.host = host;
        this.faults = faults;
        members = new MemberTable(options);
        tally = new JobTally(options.ranks());
        supply = new ProcessSupply(host, members, options.spares());
        exchanges = new ExchangeTable(options.ranks(), members.size());
        programs = new ProgramTable(members);
        patience = new Patience(options.cutDeadlineNanos(), options.recoveryDeadlineNanos(), options.checksums());
        late = new LateChecksums(members, patience, host, options.ranks());
        viewStart = new ViewStart(members, patience, options.deadlineNanos(), ask -> send(members.computing(), ask));
        cuts = new CutArbiter(new CutActions(), options.ranks(), options.checksums(), patience, faults.contains(Fault.COMMIT_EARLY));
        demands = new DemandArbiter(new DemandActions(), options.ranks(), options.groups(), options.isDemandStreaming(),
            faults.contains(Fault.DEMAND_TRIM_EARLY));
        flushes = new FlushArbiter(host, message -> send(members.computing(), message), options, faults);
    }

    /** The job starts from a generation on disk, as after a rollback to it. Before the first process joins. */
    public void restartFrom(RestartPoint point) {
        restart = point;
        view = point.view() + 1;
        timeline = point.timeline() + 1;
        committed = point.generation();
        committedStep = point.step();
        host.event(new JobEvent.Restarted(committed, committedStep, point.place()));
    }

    /** A process (numbered by the host, never reused) is connected and has shown the job's token. */
    public void onJoin(int process, long nowNanos) {
        if (over) {
            send(process, new Message.End("the job is over"));
            return;
        }
        viewStart.progress(nowNanos);
        joined.add(process);
        supply.noLongerComing(process);
        Member preferred = process >= 0 && process < members.size() ? members.get(process) : null;
        if (preferred != null && preferred.process < 0 && preferred.incarnation < 0) {
            assign(preferred, process);
            return;
        }
        for (Member member : members.all()) {
            boolean startsLater = member.incarnation < 0 && process >= members.size() && process < members.size() + options.spares();
            if (member.process < 0 && !startsLater && member != deferred) {
                assign(member, process);
                return;
            }
        }
        supply.idle.add(process);
        if (provision != null) {
            send(process, provision);
        }
    }

    private void assign(Member member, int process) {
        member.process = process;
        member.incarnation++;
        member.fenced = false;
        member.rebuildingSince = 0;
        long[] watched = member.watched.stream().mapToLong(Long::longValue).toArray();
        if (restart != null) {
            send(process, new Message.OnDisk(restart.generation(), restart.place()));
        }
        send(process, new Message.Assign(member.number, member.incarnation, view, timeline, committed, committedStep,
            local != null && local.member == member.number ? local.number : 0, options.asMap(), watched, demands.latest(),
            members.missing(member)));
        host.event(new JobEvent.Assigned(process, member.number, member.incarnation));
    }

    /** A frame came from a joined process. Malformed frames are dropped with a Note event. */
    public void onFrame(int process, byte[] frame, long nowNanos) {
        if (over) {
            return;
        }
        Message message;
        try {
            message = MessageCodec.decode(frame);
        } catch (MessageCodec.MalformedException e) {
            note("dropped a malformed frame of process " + process + ": " + e.getMessage());
            return;
        }
        Member member = members.byProcess(process);
        if (!(message instanceof Message.ToCoordinator)) {
            note("dropped a " + message.getClass().getSimpleName() + " of process " + process + ": wrong direction");
        } else if (member == null) {
            note("dropped a " + message.getClass().getSimpleName() + " of process " + process + ": it plays no member");
        } else {
            Message.Misuse misuse = programs.misuse(member, message, view, nowNanos);
            if (misuse == null) {
                handle(member, (Message.ToCoordinator) message, nowNanos);
            } else {
                send(process, misuse);
            }
        }
    }

    private void handle(Member member, Message.ToCoordinator message, long now) {
        switch (message) {
            case Message.Exchange m when m.view() == view -> exchange(member, m, now);
            case Message.Ask m when m.view() == view -> answer(member, m);
            case Message.CutArrived m when m.view() == view -> {
                cuts.onArrived(member.number, m, members.allIntact(), committed, now);
                if (local != null && local.member == member.number) {
                    send(member.process, new Message.CutAwait(view, m.step()));
                }
            }
            case Message.ImageReady m when m.view() == view -> cuts.onImageReady(member.number, m, now);
            case Message.ParityReady m when m.view() == view && members.isChecksum(member) -> {
                if (cuts.onParityReady(member.number - options.ranks(), m, now)) {
                    cuts.afterCommit(view, committed, now);
                }
            }
            case Message.DemandWanted m when m.view() == view -> demands.wanted(m, member.number);
            case Message.DemandReady m when m.view() == view -> demands.ready(member.number, m);
            case Message.DemandEncoded m when m.view() == view && members.isChecksum(member) -> {
                demands.encoded(member.number, m);
                patience.forgive(member.number - options.ranks());
                afterDemand(now);
            }
            case Message.FlushWritten m -> flushes.written(member.number, m);
            case Message.FlushFailed m -> flushes.failed(members.name(member.number), m);
            case Message.CutCost m when m.view() == view -> cuts.onGoneOn(member.number, tally.cost(m), now);
            case Message.Where m when m.view() == view -> member.place = m.place();
            case Message.Restored m when m.view() == view -> restored(member, now);
            case Message.LostSeen m when m.view() == view && local != null -> {
                if (local.seen(member.number, m.recovery())) {
                    send(members.get(local.member).process, new Message.Go(view));
                }
            }
            case Message.Opened m when m.view() == view && local != null && local.member == member.number -> opened(member, m);
            case Message.Fallback m when !FallbackReason.isName(m.reason()) -> note("dropped a Fallback: " + m.reason() + " is no reason");
            case Message.Fallback m when m.view() == view && running && options.protocol().recoversLocally() ->
                fallBack(member, FallbackReason.valueOf(m.reason()), m.text(), now);
            case Message.StepBegun m when m.view() == view -> {
                member.lastStep = m.step();
                member.stepNanos = m.averageNanos();
                viewStart.programTook(m.averageNanos());
                host.event(new JobEvent.StepBegun(member.number, m.step(), m.iterations(), m.averageNanos()));
            }
            case Message.Held m when m.view() == view -> {
                if (member.watched.contains(m.step())) {
                    host.event(new JobEvent.StepHeld(member.number, m.step()));
                } else {
                    send(member.process, new Message.Release(m.step()));
                }
            }
            case Message.Finished m when m.view() == view -> finished(member);
            case Message.Regions m -> provision(m);
            case Message.RegionKey m when m.view() == view && m.member() == member.number -> send(members.checksumsOf(member), m);
            case Message.Failed m -> end(m.isSetup() ? JobOutcome.Kind.UNFIT : JobOutcome.Kind.FAILED,
                members.name(member.number) + " failed: " + m.message());
            case Message.Report m -> {
                String dropped = tally.report(m);
                if (dropped != null) {
                    note(dropped);
                }
            }
            case Message.MemoryTable m -> host.event(new JobEvent.MemoryPlanned(m.text()));
            case Message.Note m -> note(members.name(member.number) + ": " + m.text());
            default -> { } // of an earlier view: stale
        }
    }

    private void exchange(Member member, Message.Exchange m, long now) {
        String refusal = exchanges.refuse(member.number, m);
        if (refusal != null) {
            note("dropped an exchange of " + members.name(member.number) + ": " + refusal);
            return;
        }
        viewStart.contributed(member, m, now);
        if (exchanges.contribute(member.number, m)) {
            viewStart.completed(m);
            // In a running view only this one, which has joined it, is not told yet.
            send(running ? List.of(member) : members.all().subList(0, exchanges.participants(m.scope())),
                new Message.Exchanged(view, m.scope(), m.sequence()));
        }
    }

    private void answer(Member member, Message.Ask m) {
        byte[][] blobs = exchanges.find(m);
        if (blobs == null) {
            note("dropped what " + members.name(member.number) + " asked: there is nothing to tell of " + m);
        } else {
            send(member.process, new Message.Answer(view, m.scope(), m.sequence(), m.member(), blobs));
        }
    }

    private void restored(Member member, long now) {
        member.restored = true;
        viewStart.progress(now);
        if (running) {
            if (!member.intact) {
                member.intact = true;
                if (members.isChecksum(member)) {
                    back(member, "parity rebuilt");
                }
                wholeAgain(member.number);
                supply.replenish();
            }
            if (local != null && local.member == member.number && local.restored()) {
                send(member.process, new Message.Go(view));
            }
            return;
        }
        if (faults.contains(Fault.GO_AT_ONCE)) {
            send(member.process, new Message.Go(view));
        }
        if (!member.intact) {
            member.intact = true; // its image is made, and stays, whatever happens to other groups before all run
            wholeAgain(member.number);
        }
        if (members.all().stream().allMatch(m -> m.restored)) {
            running = true;
            viewStart.running(now);
            restart = null;
            sendToAll(new Message.Go(view));
            host.event(new JobEvent.Running(view, committedStep + 1));
            members.all().stream().filter(m -> m.away).toList().forEach(m -> back(m, "rollback"));
            supply.replenish();
        }
    }

    private void provision(Message.Regions m) {
        provision = new Message.Provision(options.asMap(), m.computing(), m.imageHoles(), m.parity(), m.parityHoles());
        patience.sizes(m.parity(), members.largestGroup());
        send(members.checksums(), provision);
        supply.idle.forEach(process -> send(process, provision));
    }

    private void back(Member member, String how) {
        member.away = false;
        host.event(new JobEvent.Recovered(member.number, member.incarnation, how));
    }

    private void wholeAgain(int member) {
        int group = members.groupOf(member);
        if (group >= 0 && members.lostOf(group).isEmpty()) {
            host.event(new JobEvent.RedundancyChanged(group, true));
        }
    }

    private void finished(Member member) {
        member.finished = true;
        demands.finished(member.number, view);
        if (members.computing().stream().allMatch(m -> m.finished)) {
            boolean wrong = tally.reportedWrong();
            end(wrong ? JobOutcome.Kind.FAILED : JobOutcome.Kind.SUCCESS, wrong ? "the program reported that its result did not verify" : "");
        }
    }

    /** A process is known to be dead (the operating system said so), or could not be started. Its frames must have been handed in before. */
    public void onExit(int process, String cause, long nowNanos) {
        if (over) {
            return;
        }
        boolean wasJoined = joined.remove(process);
        Member member = members.byProcess(process);
        if (member != null) {
            lose(member, cause, nowNanos);
            return;
        }
        supply.idle.remove(process);
        note("process " + process + " ended before it played a member: " + cause);
        if (!wasJoined) {
            supply.noLongerComing(process);
            if (process >= 0 && process < members.size() && members.get(process).incarnation < 0) {
                members.get(process).incarnation = 0;
            }
        }
        supply.orderForMembers();
        if (running) {
            supply.replenish();
        }
    }

    private void lose(Member member, String cause, long now) {
        member.lost();
        programs.lost(member);
        flushes.lost(member.number, members.name(member.number));
        host.event(new JobEvent.MemberLost(view, member.number, member.incarnation, member.lastStep, cause));
        if (!options.isProtected()) {
            end(JobOutcome.Kind.CATASTROPHIC, members.name(member.number) + " was lost (" + cause
                + ") and the job has no protection: use --checksums 1 (or more) with --protocol coordinated");
            return;
        }
        int group = members.groupOf(member.number);
        List<Integer> lost = members.lostOf(group);
        host.event(new JobEvent.RedundancyChanged(group, false));
        if (lost.size() > options.losses()) {
            end(JobOutcome.Kind.CATASTROPHIC, "catastrophic failure: group " + group + " lost " + lost.size() + " members ("
                + members.names(lost) + ") and can rebuild " + options.losses() + JobGroups.advice(options, lost));
            return;
        }
        // With message logging no rank gets on without the rank that keeps its logs.
        if (running && members.isChecksum(member) && !options.protocol().logsAtChecksum()) {
            loseChecksum(member, group, now);
            return;
        }
        demands.lost(view, members.name(member.number) + " was lost");
        if (deferred != null) {
            newView(member, FallbackReason.SECOND_FAILURE, now);
            replace(member);
            return;
        }
        int streaming = demands.streaming();
        if (running && streaming >= 0 && streaming != member.number && members.groupOf(streaming) == group) {
            deferred = member;
            return;
        }
        recover(member, now);
    }

    /** Nobody goes back: its parity is made anew from the images, or from what else there is of its group. */
    private void loseChecksum(Member member, int group, long now) {
        demands.lost(view, CHECKSUM_LOST);
        demands.parityLost(member.number, view, CHECKSUM_LOST);
        boolean second = deferred != null && members.isMate(member, deferred);
        boolean tooFew = members.leavesTooFew(member, options.losses());
        boolean cutOff = options.forceNetwork() && local != null && members.lostOf(group).contains(local.member);
        if (second || tooFew || cutOff) {
            newView(member, second || tooFew ? FallbackReason.SECOND_FAILURE : FallbackReason.NETWORK_PATH, now);
            replace(member);
            return;
        }
        cuts.checksumLost(view);
        Message.ChecksumLost lost = new Message.ChecksumLost(view, member.number);
        members.all().stream().filter(m -> m.process >= 0 && (members.isChecksum(m) || !m.intact)).forEach(m -> send(m.process, lost));
        if (demands.streaming() >= 0 && members.groupOf(demands.streaming()) == group) {
            deferred = member; // when the others have changed theirs, it is known which parity to make
        } else {
            replace(member);
        }
        afterDemand(now);
    }

    /** A demand checkpoint is over: what waited for that goes on. */
    private void afterDemand(long now) {
        cuts.afterCommit(view, committed, now);
        if (deferred != null && demands.streaming() < 0) {
            Member member = deferred;
            deferred = null;
            recover(member, now);
        }
    }

    private void recover(Member member, long now) {
        boolean alone = running && members.isChecksum(member) && !options.protocol().logsAtChecksum();
        FallbackReason obstacle = alone ? null : obstacle(member);
        if (obstacle == null && !alone) {
            recoverLocally(member, now);
        } else if (!alone) {
            newView(member, obstacle, now);
        }
        replace(member);
    }

    /** Why the others cannot run on while this computing rank is recovered, or null. */
    private FallbackReason obstacle(Member lost) {
        if (!options.protocol().recoversLocally() || !running) {
            return running && options.protocol().logsPuts() ? FallbackReason.ONLY_PUTS_LOGGED : FallbackReason.WHILE_RESTORING;
        }
        if (committed == 0) {
            return FallbackReason.BEFORE_FIRST_CHECKPOINT;
        }
        if (demands.streaming() == lost.number && !faults.contains(Fault.HALF_PARITY_USED)) {
            return FallbackReason.DEMAND_INTERRUPTED;
        }
        if (options.forceNetwork() && members.lostOf(members.groupOf(lost.number)).size() > 1) {
            return FallbackReason.NETWORK_PATH;
        }
        return members.leavesTooFew(lost, options.losses()) || local != null && local.member != lost.number ? FallbackReason.SECOND_FAILURE : null;
    }

    private void recoverLocally(Member member, long now) {
        BitSet survivors = new BitSet();
        members.computing().stream().filter(m -> m.process >= 0 && !faults.contains(Fault.ACKS_NOT_AWAITED)).forEach(m -> survivors.set(m.number));
        local = new LocalRecovery(++recoveries, member.number, survivors, now);
        cuts.computingLost(view, member.number);
        sendToAll(new Message.Lost(view, member.number, local.number));
        host.event(new JobEvent.RecoveryBegun(view, false, committed, committedStep));
    }

    private void opened(Member member, Message.Opened m) {
        if (m.recovery() != local.number) {
            return;
        }
        local = null;
        tally.recoveredLocally();
        members.all().forEach(other -> other.lacking.clear(member.number));
        send(members.all().stream().filter(other -> other != member).toList(), new Message.PeerOpened(view, member.number));
        host.event(new JobEvent.Replayed(member.number, member.incarnation, m.step(), m.figures()));
        back(member, "replay");
        supply.replenish();
    }

    private void fallBack(Member member, FallbackReason reason, String text, long now) {
        note(members.name(member.number) + ": all ranks go back: " + reason.meaning() + (text.isEmpty() ? "" : " (" + text + ")"));
        newView(member, reason, now);
    }

    private void newView(Member lost, FallbackReason reason, long now) {
        if (options.protocol().logsPuts()) {
            tally.fellBack(reason);
        }
        local = null;
        view++;
        timeline++;
        viewStart.begin(now);
        running = false;
        cuts.reset(members.name(lost.number) + " was lost");
        demands.reset(members.name(lost.number) + " was lost");
        Member first = deferred;
        deferred = null;
        exchanges.clear();
        programs.clear();
        for (Member member : members.all()) {
            member.lacking.clear();
            member.restored = false;
            member.finished = false;
        }
        tally.rolledBack();
        host.event(new JobEvent.RecoveryBegun(view, true, committed, committedStep));
        sendToAll(new Message.Rollback(view, timeline, committed, committedStep));
        if (first != null) {
            replace(first);
        }
    }

    private void replace(Member member) {
        Integer spare = supply.idle.poll();
        if (spare != null) {
            assign(member, spare);
        } else {
            supply.orderForMembers();
        }
    }

    /** The host has given a flush its name, or could not ({@code failure} says why). */
    public void onFlushNamed(long number, String name, String failure, long bytes, long nanos) {
        if (!over) {
            flushes.named(number, name, failure, bytes, nanos);
        }
    }

    /** To be called every 10 to 50 ms: deadlines. */
    public void onTick(long nowNanos) {
        if (over) {
            return;
        }
        if (local == null) {
            cuts.onTick(view, committed, nowNanos);
        } else {
            cuts.postpone(nowNanos);
            if (nowNanos - local.since > patience.rebuildNanos()) {
                fallBack(members.get(local.member), FallbackReason.DEADLINE, local.missing(), nowNanos);
            }
        }
        // A lost rank that waits for a half changed parity would be lost for good with the checksum rank.
        if (demands.onTick(view, nowNanos, deferred == null ? patience.parityNanos() : patience.rebuildNanos())) {
            afterDemand(nowNanos);
        }
        programs.tell(view, nowNanos, message -> send(members.computing(), message));
        late.onTick(running && local == null && deferred == null, nowNanos);
        ViewStart.GivenUp stuck = running ? null : viewStart.givenUp(view, committed == 0, exchanges.missing(), nowNanos);
        if (stuck != null) {
            end(stuck.kind(), stuck.message());
        }
    }

    /** Asks a member's current and later processes to announce the step and to hold at its end until {@link #release}. */
    public void watch(int member, long step) {
        Member watched = members.get(member);
        watched.watched.add(step);
        if (watched.process >= 0) {
            send(watched.process, new Message.Watch(step));
        }
    }

    /** Ends a watch, and lets the member go on if it holds there. */
    public void release(int member, long step) {
        Member watched = members.get(member);
        watched.watched.remove(step);
        if (watched.process >= 0) {
            send(watched.process, new Message.Release(step));
        }
    }

    /** The process that plays a member now, or -1. */
    public int processOf(int member) {
        return members.get(member).process;
    }

    /** The member that a process plays now, or -1. */
    public int memberOf(int process) {
        Member member = members.byProcess(process);
        return member == null ? -1 : member.number;
    }

    /** The group of a member, or -1 where there are none. */
    public int groupOf(int member) {
        return members.groupOf(member);
    }

    /** Whether every member of the group (computing and checksum ranks) holds its part of the committed generation. */
    public boolean groupWhole(int group) {
        return members.lostOf(group).isEmpty();
    }

    /** Where the ranks are before all run, for messages; empty when all do. */
    public String whereRanksAre() {
        return running ? "" : viewStart.places();
    }

    /** Ends the job from outside (interrupt). */
    public void abort(String why) {
        end(JobOutcome.Kind.FAILED, why);
    }

    private void end(JobOutcome.Kind kind, String message) {
        if (over) {
            return;
        }
        over = true;
        byte[] frame = MessageCodec.encode(new Message.End(message));
        joined.forEach(process -> host.send(process, frame));
        host.finished(tally.outcome(kind, message));
    }

    private void note(String text) {
        host.event(new JobEvent.Note(text.length() > MAX_NOTE ? text.substring(0, MAX_NOTE) + "..." : text));
    }

    private void send(int process, Message.ToMember message) {
        host.send(process, MessageCodec.encode(message));
    }

    private void sendToAll(Message.ToMember message) {
        send(members.all(), message);
    }

    private void send(List<Member> list, Message.ToMember message) {
        byte[] frame = MessageCodec.encode(message);
        list.stream().filter(member -> member.process >= 0).forEach(member -> host.send(member.process, frame));
    }

    /** Part of what the arbiters ask for. */
    private class MemberMessages {
        public void toComputing(Message.ToMember message) {
            send(members.computing(), message);
        }

        public void toMember(int member, Message.ToMember message) {
            send(List.of(members.get(member)), message);
        }
    }

    private final class CutActions extends MemberMessages implements CutArbiter.Actions {
        @Override
        public void toChecksums(Message.ToMember message) {
            send(members.checksums(), message);
        }

        @Override
        public void committed(long generation, long step, long parityNanos, long takenNanos) {
            committed = generation;
            committedStep = step;
            tally.committed();
            demands.generationCommitted();
            sendToAll(new Message.Committed(view, generation, takenNanos));
            host.event(new JobEvent.Committed(generation, step, tally.blockedNanos(generation), parityNanos));
            flushes.committed(view, timeline, generation, step);
        }

        @Override
        public void abandoned(long generation, String reason) {
            host.event(new JobEvent.Abandoned(generation, reason));
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
        public boolean mustWait() {
            return demands.isEncoding() && !faults.contains(Fault.DEMAND_BESIDE_CUT);
        }
    }

    private final class DemandActions extends MemberMessages implements DemandArbiter.Actions {
        @Override
        public int groupOf(int member) {
            return members.groupOf(member);
        }

        @Override
        public List<Integer> checksumsOf(int group) {
            return members.checksums().stream().map(member -> member.number).filter(member -> members.groupOf(member) == group).toList();
        }

        @Override
        public boolean canTake(int member) {
            return options.hasDemandCheckpoints() && running && local == null && deferred == null && committed > 0
                && (cuts.isQuiet() || faults.contains(Fault.DEMAND_BESIDE_CUT)) && !members.get(member).finished
                && members.lostOf(members.groupOf(member)).isEmpty();
        }

        @Override
        public long stepNanos(int member) {
            return members.get(member).stepNanos;
        }

        @Override
        public void committed(Message.DemandCommitted message, long bytes) {
            tally.demandCommitted(bytes);
            sendToAll(message);
            host.event(DemandArbiter.event(message, bytes));
        }

        @Override
        public void abandoned(int member, String reason) {
            tally.demandAbandoned();
            host.event(new JobEvent.DemandAbandoned(member, reason));
        }

        @Override
        public void late(int checksumMember, String reason) {
            patience.parityMissed();
            late.late(members.get(checksumMember), reason);
        }
    }
}
