package org.ftrma.launch.inject;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.ftrma.core.control.ControlMessage;
import org.ftrma.core.coordinator.JobEvent;
import org.ftrma.launch.record.JobObserver;
import org.ftrma.launch.record.JobRecord;
import org.ftrma.options.JobOptions;

/**
 * Brings failures to a running job at a random moment of a given step. The rank whose step counts announces the step
 * and waits at its end, so that the moment is never missed: whoever gets there first is hit there. In a protected job a
 * failure waits until the earlier ones are recovered and every group has its redundancy back; the rank waits with it.
 * The job's thread only.
 */
public final class FaultInjector implements JobObserver {
    private static final long UNKNOWN_STEP_NANOS = 20_000_000L;
    /** A replacement that is to be hit is hit within this time, or when it has its state if that comes first. */
    private static final long RECOVERY_NANOS = 100_000_000L;

    private enum State { WAITING, BEGUN, ARMED, HELD, DONE }

    private static final class Pending {
        final InjectedFailure fault;
        State state = State.WAITING;
        long hitAtNanos;
        boolean toldToWait;

        Pending(InjectedFailure fault) {
            this.fault = fault;
        }
    }

    /** A member was hit, and its replacement will be. */
    private static final class Successor {
        final int member;
        final InjectedFailure.Action action;
        boolean there;
        long hitAtNanos;

        Successor(int member, InjectedFailure.Action action) {
            this.member = member;
            this.action = action;
        }
    }

    /** A rank that would go on. */
    private record HeldBack(int member, long step) {
    }

    private final JobOptions options;
    private final FaultTargets targets;
    private final Random random;
    private final List<Pending> faults = new ArrayList<>();
    private final Set<Integer> unrecovered = new HashSet<>();
    private final Map<Integer, JobRecord.Injection> injections = new HashMap<>();
    private final List<Successor> successors = new ArrayList<>();
    /** Hit with their hosts, and not lost yet. */
    private final Set<Integer> ofDyingHosts = new HashSet<>();
    /** What chaos has planned for a loop that finds out its own end. */
    private final List<InjectedFailure> ofOpenLoop = new ArrayList<>();
    private final List<HeldBack> heldBack = new ArrayList<>();
    private Chaos chaos;
    private int fired;
    private long iterations;
    /** Whether the program goes through steps whose number it does not say. */
    private boolean isOpen;

    /** Injects what is planned into a job that has not begun. */
    public FaultInjector(JobOptions options, FaultTargets targets, FaultPlan plan) {
        this.options = options;
        this.targets = targets;
        this.random = new Random(plan.seed());
        plan.faults().forEach(this::add);
        if (plan.chaos() > 0) {
            chaos = new Chaos(plan.chaosKills(), plan.chaosHosts(), options);
        }
    }

    private void add(InjectedFailure fault) {
        faults.add(new Pending(fault));
        targets.watch(fault.watched(), fault.step());
    }

    @Override
    public void event(JobEvent event, long nowNanos) {
        switch (event) {
            case JobEvent.StepBegun begun -> {
                iterations = Math.max(iterations, begun.iterations());
                isOpen |= begun.step() > 0 && begun.iterations() == 0;
                planChaos(begun);
                stepBegun(begun, nowNanos);
            }
            case JobEvent.StepHeld held -> stepHeld(held, nowNanos);
            case JobEvent.MemberLost lost -> {
                unrecovered.add(lost.member());
                disarm();
                if (ofDyingHosts.remove(lost.member()) && ofDyingHosts.isEmpty()) {
                    heldBack.forEach(watch -> targets.release(watch.member, watch.step));
                    heldBack.clear();
                }
            }
            case JobEvent.RecoveryBegun recovery -> {
                if (recovery.rolledBack()) {
                    // The step will be run again, and announced again.
                    faults.stream().filter(p -> p.state != State.DONE).forEach(p -> p.state = State.WAITING);
                }
            }
            case JobEvent.Assigned assigned -> arrived(assigned.member(), nowNanos);
            case JobEvent.Recovered recovered -> {
                unrecovered.remove(recovered.member());
                hitSuccessors(nowNanos, true);
                fireHeld(nowNanos);
            }
            case JobEvent.RedundancyChanged changed -> {
                hitSuccessors(nowNanos, changed.whole());
                fireHeld(nowNanos);
            }
            default -> {
            }
        }
    }

    private void planChaos(JobEvent.StepBegun begun) {
        if (chaos != null && (begun.iterations() > 0 || isOpen)) {
            List<InjectedFailure> plan = chaos.plan(begun.step(), begun.iterations(), random);
            chaos = null;
            plan.forEach(this::add);
            if (isOpen) {
                ofOpenLoop.addAll(plan);
            }
        }
    }

    private Pending next(int member, long step) {
        for (Pending pending : faults) {
            if (pending.state != State.DONE && pending.fault.watched() == member && pending.fault.step() == step) {
                return pending;
            }
        }
        return null;
    }

    private void stepBegun(JobEvent.StepBegun begun, long nowNanos) {
        Pending pending = next(begun.member(), begun.step());
        if (pending == null || pending.state == State.ARMED) {
            return;
        }
        pending.state = State.BEGUN;
        if (mayFire(pending)) {
            long stepNanos = begun.averageStepNanos() > 0 ? begun.averageStepNanos() : UNKNOWN_STEP_NANOS;
            pending.hitAtNanos = nowNanos + (long) (random.nextDouble() * stepNanos);
            pending.state = State.ARMED;
        }
    }

    private void stepHeld(JobEvent.StepHeld held, long nowNanos) {
        Pending pending = next(held.member(), held.step());
        if (pending == null) {
            release(held.member(), held.step());
            return;
        }
        pending.state = State.HELD;
        if (mayFire(pending)) {
            fire(pending, nowNanos);
        } else if (!pending.toldToWait) {
            pending.toldToWait = true;
            targets.say("fault: waiting " + pending.fault.when(true) + " until every group has its redundancy back");
        }
    }

    private void disarm() {
        faults.stream().filter(p -> p.state == State.ARMED).forEach(p -> p.state = State.BEGUN);
    }

    private void fireHeld(long nowNanos) {
        for (Pending pending : List.copyOf(faults)) {
            if (pending.state == State.HELD && mayFire(pending)) {
                fire(pending, nowNanos);
            }
        }
    }

    private boolean mayFire(Pending pending) {
        if (!pending.fault.members().stream().allMatch(targets::present)
            || pending.fault.action() == InjectedFailure.Action.HOST && !targets.areHostsBack()) {
            return false;
        }
        return !options.isProtected() || unrecovered.isEmpty() && targets.whole();
    }

    private void arrived(int member, long nowNanos) {
        for (Successor successor : successors) {
            if (successor.member == member && !successor.there) {
                successor.there = true;
                successor.hitAtNanos = nowNanos + (long) (random.nextDouble() * RECOVERY_NANOS);
            }
        }
    }

    /** Those that are due, or, when what they wait for is about to be over, all that are there. */
    private void hitSuccessors(long nowNanos, boolean all) {
        for (Successor successor : List.copyOf(successors)) {
            if (successor.there && (all || nowNanos - successor.hitAtNanos >= 0)) {
                successors.remove(successor);
                hit(successor.member, successor.action, -1, nowNanos);
                targets.say("fault: " + signal(successor.action) + " to the replacement of "
                    + InjectedFailure.memberName(successor.member, options)
                    + " in its recovery");
            }
        }
    }

    private FaultTargets.Hit hit(int member, InjectedFailure.Action action, long step, long nowNanos) {
        FaultTargets.Hit hit = targets.hit(member, action);
        if (hit.action() == InjectedFailure.Action.HOST) {
            ofDyingHosts.add(hit.member());
        }
        injections.put(hit.member(), new JobRecord.Injection(nowNanos, step));
        if (options.isProtected()) {
            unrecovered.add(hit.member());
        }
        return hit;
    }

    private static String signal(InjectedFailure.Action action) {
        return switch (action) {
            case KILL -> "SIGKILL";
            case STOP -> "SIGSTOP";
            case HOST -> "sudden death";
        };
    }

    /** Hits what is due. To be called every 50 ms at least, and at {@link #nextNanos}. */
    public void onTime(long nowNanos) {
        hitSuccessors(nowNanos, false);
        for (Pending pending : List.copyOf(faults)) {
            if (pending.state == State.ARMED && nowNanos - pending.hitAtNanos >= 0) {
                if (mayFire(pending)) {
                    fire(pending, nowNanos);
                } else {
                    pending.state = State.BEGUN;
                }
            } else if (pending.state == State.HELD && mayFire(pending)) {
                fire(pending, nowNanos);
            }
        }
    }

    /** Nanoseconds until the next hit, or Long.MAX_VALUE. */
    public long nextNanos(long nowNanos) {
        long next = Long.MAX_VALUE;
        for (Successor successor : successors) {
            next = successor.there ? Math.min(next, Math.max(0, successor.hitAtNanos - nowNanos)) : next;
        }
        for (Pending pending : faults) {
            if (pending.state == State.ARMED) {
                next = Math.min(next, Math.max(0, pending.hitAtNanos - nowNanos));
            }
        }
        return next;
    }

    private void fire(Pending pending, long nowNanos) {
        boolean held = pending.state == State.HELD;
        InjectedFailure fault = pending.fault;
        pending.state = State.DONE;
        fired++;
        List<Integer> victims = new ArrayList<>();
        InjectedFailure.Action action = fault.action();
        for (int member : fault.members()) {
            FaultTargets.Hit hit = hit(member, fault.action(), fault.step(), nowNanos);
            victims.add(hit.member());
            action = hit.action();
            if (fault.again()) {
                successors.add(new Successor(member, fault.action()));
            }
        }
        targets.say("fault " + fired + " of " + faults.size() + ": " + signal(action) + " to "
            + new InjectedFailure(action, victims, fault.watched(), fault.step()).victims(options) + " "
            + fault.when(held));
        if (held && !victims.contains(fault.watched())) {
            Pending another = next(fault.watched(), fault.step());
            if (another != null) {
                another.state = State.HELD;
            } else {
                release(fault.watched(), fault.step());
            }
        }
    }

    /** Who waits goes on, but not before the host that is to be lost is lost: the job might end first. */
    private void release(int member, long step) {
        if (ofDyingHosts.isEmpty()) {
            targets.release(member, step);
        } else {
            heldBack.add(new HeldBack(member, step));
        }
    }

    /** How the member was last hit, forgetting it; null: it was not. */
    public JobRecord.Injection takeInjection(int member) {
        return injections.remove(member);
    }

    /** How many faults took place. */
    public int fired() {
        return fired;
    }

    /** Of chaos, in a loop of which nobody knew how long it would be: it ended before. */
    private boolean isLate(Pending pending) {
        return pending.state != State.DONE && ofOpenLoop.contains(pending.fault);
    }

    /** What was asked for and did not happen. */
    public List<String> notInjected() {
        List<String> missing = new ArrayList<>();
        if (chaos != null) {
            missing.add("chaos: the program never began a step");
        }
        for (Successor successor : successors) {
            missing.add("--" + successor.action.option() + " of the replacement of "
                + InjectedFailure.memberName(successor.member, options)
                + ": the job ended before there was one");
        }
        long late = faults.stream().filter(this::isLate).count();
        if (late > 0 && late == ofOpenLoop.size()) {
            missing.add("chaos: the program's loop by nextStep() ended before the first of its kills, one in each ten "
                + "steps: choose steps by --kill");
        } else if (late > 0) {
            targets.say("chaos: the program's loop by nextStep() ended before " + late + " of " + ofOpenLoop.size()
                + " kills");
        }
        for (Pending pending : faults) {
            if (pending.state != State.DONE && !isLate(pending)) {
                missing.add("--" + pending.fault.action().option() + " of " + pending.fault.victims(options) + " "
                    + pending.fault.when(false)
                    + " was never reached: the job ended before" + (iterations > 0 && pending.fault.step() > iterations
                    && pending.fault.step() != ControlMessage.Watch.DEMAND ? "; it has " + iterations + " steps" : ""));
            }
        }
        return missing;
    }
}
