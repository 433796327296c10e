package org.ftrma.core.coordinator;

import java.util.ArrayList;
import java.util.List;
import org.ftrma.core.control.ControlMessage;
import org.ftrma.core.control.FallbackReason;
import org.ftrma.core.control.MessageCodec;
import org.ftrma.options.JobOptions;

/**
 * Coordinator of one job: hands events to the parts that decide on them ({@link MemberAssignment},
 * {@link CheckpointArbiters}, {@link FailureHandler}, {@link ExchangeHandler}), begins views, and ends the job. A pure
 * state machine: it acts only through its host and only when called. One thread.
 *
 * <p>A view is a session of all members. In a new one all stop and start from the committed generation.
 */
public final class Coordinator {
    private final JobOptions options;
    private final CoordinatorHost host;
    private final JobState job = new JobState();
    private final Outbox out;
    private final MemberTable members;
    private final ExchangeHandler exchanges;
    private final Contacts contacts;
    private final ProgramTable programs;
    private final JobTally tally;
    private final CheckpointDeadlines patience;
    private final LateChecksumRanks late;
    private final ViewStart viewStart;
    private final AddressExchange introductions;
    private final LocalRecoveries recoveries;
    private final CheckpointArbiters checkpoints;
    private final MemberAssignment roles;
    private final FailureHandler losses;
    private final WatchedSteps watched;
    private final Standstill standstill;
    private boolean over;

    /**
     * A coordinator of a job whose host starts ranks + checksums + spares processes, numbered from 0: the first ones
     * become the members 0, 1, ...
     */
    public Coordinator(JobOptions options, CoordinatorHost host) {
        this.options = options;
        this.host = host;
        out = new Outbox(host);
        members = new MemberTable(options, (member, from, to) ->
            out.event(new JobEvent.MemberChanged(job.view(), member.number, member.incarnation(), from, to)));
        tally = new JobTally(options.ranks());
        programs = new ProgramTable(members);
        patience = new CheckpointDeadlines(options.cutDeadlineNanos(), options.recoveryDeadlineNanos(),
            options.checksums());
        late = new LateChecksumRanks(members, patience, host, options.ranks());
        viewStart = new ViewStart(members, patience, options.deadlineNanos(),
            ask -> out.send(members.computing(), ask));
        introductions = new AddressExchange(members, job, out);
        contacts = new Contacts(options);
        recoveries = new LocalRecoveries(members, job, out, tally, contacts);
        exchanges = new ExchangeHandler(options.ranks(), members, job, viewStart, contacts, recoveries, out);
        checkpoints = new CheckpointArbiters(options, host, members, job, recoveries, out, tally, patience, late);
        roles = new MemberAssignment(options, host, members, job, recoveries, checkpoints, out);
        watched = new WatchedSteps(members, out);
        standstill = new Standstill(options, host, members, job, out, recoveries, this::end);
        losses = new FailureHandler(options, members, job, recoveries, checkpoints, roles, out, new LossActions(),
            standstill);
    }

    /** The job starts from a generation on disk, as after a rollback to it. Before the first process joins. */
    public void restartFrom(RestartPoint point) {
        job.startFrom(point);
        out.event(new JobEvent.Restarted(point.generation(), point.step(), point.place()));
    }

    /** A process (numbered by the host, never reused) is connected and has shown the job's token. */
    public void onJoin(int process, long nowNanos) {
        if (over) {
            out.send(process, new ControlMessage.End("the job is over"));
            return;
        }
        viewStart.progress(nowNanos);
        roles.join(process);
    }

    /** A frame came from a joined process. Malformed frames are dropped with a Note event. */
    public void onFrame(int process, byte[] frame, long nowNanos) {
        if (over) {
            return;
        }
        ControlMessage message;
        try {
            message = MessageCodec.decode(frame);
        } catch (MessageCodec.MalformedException e) { // M3
            out.note("dropped a malformed frame of process " + process + ": " + e.getMessage());
            return;
        }
        Member member = members.byProcess(process);
        String what = "dropped a " + message.getClass().getSimpleName() + " of process " + process;
        if (!(message instanceof ControlMessage.ToCoordinator)) {
            out.note(what + ": wrong direction");
        } else if (member == null) {
            out.note(what + ": it plays no member");
        } else {
            ControlMessage.Misuse misuse = programs.misuse(member, message, job.view(), nowNanos);
            if (misuse == null) {
                handle(member, (ControlMessage.ToCoordinator) message, nowNanos);
                checkpoints.askForCuts();
            } else {
                out.send(process, misuse);
            }
        }
    }

    private void handle(Member member, ControlMessage.ToCoordinator message, long now) {
        if (message instanceof ControlMessage.OfView ofView && ofView.view() != job.view()) { // M1
            return; // stale
        }
        switch (message) { // of all kinds: the compiler refuses one that nobody handles
            case ControlMessage.Exchange m -> exchanges.contribute(member, m, now);
            case ControlMessage.Ask m -> exchanges.answer(member, m);
            case ControlMessage.Renounced m -> contacts.renounces(member, m);
            case ControlMessage.Where m -> member.place = m.place();
            case ControlMessage.Restored m -> restored(member, now);
            case ControlMessage.LostSeen m -> recoveries.seen(member, m);
            case ControlMessage.AskAddress m -> introductions.ask(member, m);
            case ControlMessage.AddressGiven m -> introductions.give(member, m);
            case ControlMessage.AskAlone m -> recoveries.asksToBeAlone(member, m);
            case ControlMessage.Resumed m -> recoveries.resumed(member, m);
            case ControlMessage.WentLive m -> wentLive(member, m);
            case ControlMessage.Fallback m when !FallbackReason.isName(m.reason()) ->
                out.note("dropped a Fallback: " + m.reason() + " is no reason");
            case ControlMessage.Fallback m when job.isRunning() && options.protocol().recoversLocally() ->
                losses.fallBack(member, FallbackReason.valueOf(m.reason()), m.text(), now);
            case ControlMessage.EventsKept m -> wholeAgain(member, members.eventsKept(member, m.keeper()));
            case ControlMessage.StepBegun m -> stepBegun(member, m, now);
            case ControlMessage.Held m -> watched.held(member, m.step());
            case ControlMessage.Expired m -> standstill.expired(member, m.message(), now);
            case ControlMessage.Doing m -> doing(member, m);
            case ControlMessage.Finished m -> finished(member, m.step());
            case ControlMessage.CutArrived m -> checkpoints.arrived(member, m, now);
            case ControlMessage.ImageReady m -> checkpoints.cuts.onImageReady(member.number, m, now);
            case ControlMessage.ParityReady m when members.isChecksum(member) ->
                checkpoints.parityReady(member, m, now);
            case ControlMessage.CutCost m -> checkpoints.cuts.onGoneOn(member.number, tally.cost(m), now);
            case ControlMessage.DemandWanted m -> checkpoints.demands.wanted(m, member.number);
            case ControlMessage.DemandReady m -> checkpoints.demands.ready(member.number, m);
            case ControlMessage.DemandTooSlow m -> checkpoints.demands.tooSlow(member.number, m);
            case ControlMessage.DemandEncoded m when members.isChecksum(member) -> {
                checkpoints.encoded(member, m);
                losses.demandIsOver(now);
            }
            case ControlMessage.FlushWritten m -> checkpoints.flushes.written(member.number, m);
            case ControlMessage.FlushFailed m -> checkpoints.flushes.failed(members.name(member.number), m);
            case ControlMessage.Regions m -> provision(m);
            case ControlMessage.RegionKey m when m.member() == member.number ->
                out.send(members.checksumsOf(member), m);
            case ControlMessage.Failed m -> end(m.isSetup() ? JobOutcome.Kind.UNFIT : JobOutcome.Kind.FAILED,
                members.name(member.number) + " failed: " + m.message());
            case ControlMessage.Report m -> tally.report(m).ifPresent(out::note);
            case ControlMessage.MemoryTable m -> out.event(new JobEvent.MemoryPlanned(m.text()));
            case ControlMessage.Redistributed m -> out.event(new JobEvent.Redistributed(m.text()));
            case ControlMessage.Note m -> out.note(members.name(member.number) + ": " + m.text());
            case ControlMessage.Fallback _, ControlMessage.ParityReady _, ControlMessage.DemandEncoded _,
                ControlMessage.RegionKey _ -> out.note("dropped a " + message.getClass().getSimpleName() + " of "
                + members.name(member.number) + ": nobody handles it now");
        }
    }

    private void wentLive(Member member, ControlMessage.WentLive m) {
        if (recoveries.opened(member, m)) {
            back(member, "replay");
            roles.replenish();
        }
    }

    private void doing(Member member, ControlMessage.Doing m) {
        standstill.told(member, m);
        if (!members.isChecksum(member)) {
            checkpoints.cuts.onDoing(member.number, m);
        }
    }

    private void provision(ControlMessage.Regions m) {
        patience.sizes(m.parity(), members.largestGroup());
        roles.provision(m);
    }

    private void stepBegun(Member member, ControlMessage.StepBegun m, long now) {
        recoveries.stepBegun(member, m.step(), now);
        member.lastStep = m.step();
        member.stepNanos = m.averageNanos();
        viewStart.programTook(m.averageNanos());
        out.event(new JobEvent.StepBegun(member.number, m.step(), m.iterations(), m.averageNanos()));
    }

    private void restored(Member member, long now) {
        if (member.state().hasRestored()) {
            drop("Restored", member);
            return;
        }
        boolean wasRebuilt = !member.holdsPart();
        member.restored();
        viewStart.progress(now);
        if (job.isRunning()) {
            restoredBesideTheRun(member, wasRebuilt, now);
            return;
        }
        wholeAgain(member, wasRebuilt);
        // Before all have restored their state one that runs could write into what another one restores.
        if (members.all().stream().allMatch(m -> m.state().hasRestored())) { // M14, M15
            allRun(now);
        }
    }

    private void restoredBesideTheRun(Member member, boolean wasRebuilt, long now) {
        if (wasRebuilt) {
            if (members.isChecksum(member)) {
                member.become(MemberState.RUNNING);
                back(member, "parity rebuilt");
                if (options.protocol().logsMessages()) {
                    members.lacksEvents(member);
                    out.send(members.computing(), new ControlMessage.PeerLive(job.view(), member.number));
                }
                roles.replenish(); // a rank has to replay yet, and a process that starts would slow it down
            }
            wholeAgain(member, true);
        }
        recoveries.restored(member, now);
    }

    private void allRun(long now) {
        job.allRun();
        viewStart.running(now);
        out.send(members.all(), new ControlMessage.Go(job.view()));
        members.all().stream().filter(m -> m.is(MemberState.READY)).forEach(m -> m.become(MemberState.RUNNING));
        out.event(new JobEvent.Running(job.view(), job.committedStep() + 1));
        members.all().stream().filter(Member::isMissed).toList().forEach(m -> back(m, "rollback"));
        List<Integer> moved = checkpoints.moves().takeMoved();
        if (!moved.isEmpty()) {
            out.event(new JobEvent.MembersMoved(job.view(), moved));
        }
        roles.replenish();
    }

    private void back(Member member, String how) {
        member.isBack();
        out.event(new JobEvent.Recovered(member.number, member.incarnation(), how));
    }

    private void wholeAgain(Member member, boolean isChanged) {
        int group = members.groupOf(member.number);
        if (isChanged && group >= 0 && members.isWhole(group)) {
            out.event(new JobEvent.RedundancyChanged(group, true));
        }
    }

    private void finished(Member member, long step) {
        if (!member.mayBecome(MemberState.FINISHED)) {
            drop("Finished", member);
            return;
        }
        member.become(MemberState.FINISHED);
        checkpoints.demands.finished(member.number, job.view());
        wholeAgain(member, members.needsNoEvents(member));
        if (members.computing().stream().allMatch(m -> m.is(MemberState.FINISHED))) { // M27
            tally.returned(step);
            boolean wrong = tally.reportedWrong();
            end(wrong ? JobOutcome.Kind.FAILED : JobOutcome.Kind.SUCCESS,
                wrong ? "the program reported that its result did not verify" : "");
        }
    }

    private void drop(String message, Member member) {
        out.note("dropped a " + message + " of " + members.name(member.number) + ": it is " + member.state()); // M2
    }

    /** A process is dead, or could not be started. Its frames must have been handed in before. */
    public void onExit(int process, String cause, long nowNanos) {
        onExits(List.of(new Exit(process, cause, 0)), nowNanos);
    }

    /**
     * The end of a process.
     *
     * @param process its number
     * @param cause what it died of, for people
     * @param step the last that it is known to have begun, which it may not have told; 0: nothing is known
     */
    public record Exit(int process, String cause, long step) {
    }

    /** The same of processes that died together, as all of a host do: one loss, after which all go back once. */
    public void onExits(List<Exit> exits, long nowNanos) {
        if (over) {
            return;
        }
        List<FailureHandler.Lost> lost = new ArrayList<>();
        for (Exit exit : exits) {
            boolean hadJoined = roles.left(exit.process());
            if (checkpoints.moves().died(exit.process())) {
                continue;
            }
            Member member = members.byProcess(exit.process());
            if (member == null) {
                roles.leftWithoutRole(exit.process(), hadJoined, exit.cause());
            } else {
                programs.lost(member);
                member.lastStep = Math.max(member.lastStep, exit.step());
                lost.add(new FailureHandler.Lost(member, exit.cause()));
            }
        }
        if (!lost.isEmpty()) {
            checkpoints.moves().disturbed();
            losses.lose(lost, nowNanos);
        } else if (checkpoints.moves().areAllDead()) {
            move(nowNanos);
        }
    }

    /** The processes of members that move are dead: all begin again from the cut at which they stay. */
    private void move(long now) {
        List<Member> moved = beginView("members move to other processes", now);
        out.event(new JobEvent.MembersMoving(job.view(), moved.stream().map(member -> member.number).toList(),
            job.committed(), job.committedStep()));
        goBack(moved);
    }

    /** Returns those that have no process any more, and are to be replaced. */
    private List<Member> beginView(String why, long now) {
        recoveries.end();
        job.newView();
        viewStart.begin(now);
        checkpoints.reset(why);
        exchanges.clear();
        contacts.clear();
        programs.clear();
        standstill.reset();
        List<Member> moved = checkpoints.moves().take();
        moved.forEach(member -> {
            checkpoints.lost(member);
            out.event(new JobEvent.RedundancyChanged(members.groupOf(member.number), false));
        });
        members.leaveView();
        return moved;
    }

    private void goBack(List<Member> moved) {
        out.send(members.all(),
            new ControlMessage.Rollback(job.view(), job.timeline(), job.committed(), job.committedStep()));
        moved.forEach(roles::replace);
    }

    /** What a loss may lead to for all. */
    private final class LossActions implements FailureHandler.Actions {
        @Override
        public void rollBack(Member lost, FallbackReason reason, String why, long now) {
            if (options.protocol().logsPuts() || options.protocol().logsMessages()) {
                tally.fellBack(reason);
                out.event(new JobEvent.FellBack(lost.number, reason, why));
            }
            Member waited = recoveries.takeWaiting();
            List<Member> moved = beginView(members.name(lost.number) + " was lost", now);
            tally.rolledBack();
            out.event(new JobEvent.RecoveryBegun(job.view(), true, job.committed(), job.committedStep()));
            goBack(moved);
            if (waited != null) {
                roles.replace(waited);
            }
        }

        @Override
        public void end(JobOutcome.Kind kind, String message) {
            Coordinator.this.end(kind, message);
        }
    }

    /** The host has given a flush its name, or could not ({@code failure} says why). */
    public void onFlushNamed(long number, String name, String failure, long bytes, long nanos) {
        if (!over) {
            checkpoints.flushes.named(number, name, failure, bytes, nanos);
            if (checkpoints.stop().isDone()) {
                end(JobOutcome.Kind.STOPPED, checkpoints.stop().text());
            }
            checkpoints.askForCuts();
        }
    }

    /** What people ask of the job while it runs. */
    public OperatorRequests operator() {
        return new OperatorRequests(checkpoints);
    }

    /** To be called every 10 to 50 ms: deadlines. */
    public void onTick(long nowNanos) {
        if (over) {
            return;
        }
        checkpoints.onTick(nowNanos);
        losses.onTick(viewStart.recoveryNanos(), nowNanos);
        standstill.onTick(nowNanos);
        programs.tell(job.view(), nowNanos, message -> out.send(members.computing(), message));
        late.onTick(job.isRunning() && recoveries.isQuiet(), nowNanos);
        if (!job.isRunning()) {
            ViewStart.GivenUp stuck = viewStart.givenUp(job.view(), job.committed() == 0, exchanges.missing(),
                nowNanos);
            if (stuck != null) {
                end(stuck.kind(), stuck.message());
            }
        }
    }

    /**
     * Asks a member's current and later processes to announce the step and to hold at its end until {@link #release}.
     */
    public void watch(int member, long step) {
        watched.watch(member, step);
    }

    /** Ends a watch, and lets the member go on if it holds there. */
    public void release(int member, long step) {
        watched.release(member, step);
    }

    /** The process that plays a member now, or -1. */
    public int processOf(int member) {
        return members.get(member).process();
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

    /**
     * Whether every member of the group (computing and checksum ranks) holds its part of the committed generation, and
     * the events that it is to keep.
     */
    public boolean groupWhole(int group) {
        return members.isWhole(group);
    }

    /** What the ranks do, for a message; null as long as they are being asked: then this is to be called again. */
    public String whatRanksDo(long nowNanos) {
        return job.isRunning() ? standstill.text(nowNanos) : viewStart.places();
    }

    /** Ends the job from outside (interrupt). */
    public void abort(String why) {
        end(JobOutcome.Kind.FAILED, why);
    }

    /** Ends the job because more is lost than can be replaced. */
    public void giveUp(String why) {
        end(JobOutcome.Kind.CATASTROPHIC, why);
    }

    private void end(JobOutcome.Kind kind, String message) {
        if (over) {
            return;
        }
        checkpoints.jobEnds();
        over = true;
        byte[] frame = MessageCodec.encode(new ControlMessage.End(message));
        roles.joined().forEach(process -> host.send(process, frame));
        host.finished(tally.outcome(kind, message));
    }
}
