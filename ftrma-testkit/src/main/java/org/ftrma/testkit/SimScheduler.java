package org.ftrma.testkit;

import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.ftrma.testkit.programs.SimRandom;

/**
 * Runs simulated processes one at a time, hand over hand, in an order that only the seed decides. Whoever holds the
 * baton (a process's thread, or the thread that called {@link #run}) also runs the scheduler's own code, so that a
 * hand-over costs one switch between virtual threads, and a process that is chosen again costs none.
 */
final class SimScheduler {
    /** Something that can happen besides a process's step. */
    interface Source {
        /** How much could happen now; 0 for nothing. */
        int pending();

        /** How eagerly. */
        int weight();

        /** Lets one thing happen. */
        void fire();
    }

    private static final long TICK_NANOS = 10_000_000;
    private static final long LONGEST_JUMP_NANOS = 500_000_000;
    /** Longer than any deadline and the first turns of a wait, which do not look at the clock and may jump each. */
    private static final long STUCK_NANOS = 60_000_000_000L;
    private static final long REAL_DEADLINE_SECONDS = 60;
    /** From so many processes on they are not counted before each choice. */
    private static final int MANY = 128;
    private static final int WEIGHT_AMONG_MANY = 4;

    private record Timed(long at, long order, Runnable action) {
    }

    private final SimRandom random;
    private final int burst;
    private final long stepLimit;
    private final List<SimProcess> processes = new ArrayList<>();
    private final List<Source> sources = new ArrayList<>();
    private final PriorityQueue<Timed> timed = new PriorityQueue<>((a, b) -> a.at != b.at ? Long.compare(a.at, b.at)
        : Long.compare(a.order, b.order));
    private final List<String> violations = new ArrayList<>();
    private Runnable tick = () -> { };
    private BooleanSupplier over;
    private BiConsumer<SimProcess, String> deathListener = (process, cause) -> { };
    private Consumer<SimProcess> endListener = process -> { };
    private long now = 1_000_000_000L;
    private long nextTick = now + TICK_NANOS;
    private long lastActivity = now;
    private long jump = TICK_NANOS;
    private long timeJumps;
    private long landings;
    private long steps;
    private long order;
    private long trace = 1;
    private String hang;
    private boolean closing;
    private Thread controller;
    private volatile boolean controllerTurn;

    SimScheduler(SimRandom random, int burst, long stepLimit) {
        this.random = random;
        this.burst = burst;
        this.stepLimit = stepLimit;
        this.over = this::allEnded;
    }

    void add(SimProcess process) {
        processes.add(process);
    }

    void add(Source source) {
        sources.add(source);
    }

    /** Calls {@code action} about every 10 ms of simulated time. */
    void onTick(Runnable action) {
        tick = action;
    }

    /** The run ends when this holds (the default: all processes have ended). */
    void until(BooleanSupplier condition) {
        over = condition;
    }

    void onDeath(BiConsumer<SimProcess, String> listener) {
        deathListener = listener;
    }

    void onEnd(Consumer<SimProcess> listener) {
        endListener = listener;
    }

    long now() {
        return now;
    }

    long steps() {
        return steps;
    }

    /** A number that two runs share only if they took the same course. */
    long trace() {
        return trace;
    }

    /** What a hang looked like, or null. */
    String hang() {
        return hang;
    }

    List<String> violations() {
        return violations;
    }

    /** A broken rule of the service interfaces: the run fails, whatever its result. */
    void violation(String text) {
        if (violations.size() < 20) {
            violations.add(text);
        }
    }

    void after(long delayNanos, Runnable action) {
        timed.add(new Timed(now + delayNanos, order++, action));
    }

    /** Something other than time changed. */
    void activity() {
        lastActivity = now;
        jump = TICK_NANOS;
    }

    /** Memory of a process was changed by another. */
    void landed() {
        landings++;
    }

    boolean allEnded() {
        for (SimProcess process : processes) {
            if (!process.isOver()) {
                return false;
            }
        }
        return true;
    }

    /** Runs the simulation to its end, on the calling thread and those of the processes. */
    void run() {
        controller = Thread.currentThread();
        pass();
        awaitController();
        close();
    }

    private void awaitController() {
        long seenSteps = -1;
        long since = System.nanoTime();
        while (!controllerTurn) {
            LockSupport.parkNanos(this, TimeUnit.SECONDS.toNanos(1));
            long seen = steps;
            if (seen != seenSteps) {
                seenSteps = seen;
                since = System.nanoTime();
            } else if (System.nanoTime() - since > TimeUnit.SECONDS.toNanos(REAL_DEADLINE_SECONDS)) {
                throw new IllegalStateException("a simulated process ran for " + REAL_DEADLINE_SECONDS
                    + " s of real time without any call (an endless loop, or a machine that is too busy): "
                    + describe());
            }
        }
        controllerTurn = false;
    }

    /** Unwinds the threads that are left. */
    private void close() {
        closing = true;
        for (SimProcess process : processes) {
            if (process.threadLives()) {
                if (process.state != SimProcess.State.ENDED) {
                    process.state = SimProcess.State.DEAD;
                }
                process.resume(landings, timeJumps);
                awaitController();
            }
        }
    }

    /** Lets others run; returns when it is the process's turn again, or it is dead. */
    void yield(SimProcess self) {
        if (closing) {
            self.state = SimProcess.State.DEAD;
            return;
        }
        if (self.state == SimProcess.State.READY && random.chance(burst) && steps < stepLimit) {
            steps++;
            now += 100;
            return;
        }
        pass();
        self.awaitTurn();
    }

    /** A process's thread is at its end: hands on. */
    void ended(SimProcess process) {
        boolean died = process.state == SimProcess.State.DEAD;
        process.state = SimProcess.State.ENDED;
        if (closing) {
            toController();
            return;
        }
        activity();
        if (!died) {
            endListener.accept(process);
        }
        pass();
    }

    /** The process dies here and now; its thread is unwound at its next call. */
    void kill(SimProcess process, String cause) {
        if (!process.isOver()) {
            process.state = SimProcess.State.DEAD;
            activity();
            deathListener.accept(process, cause);
        }
    }

    private void pass() {
        SimProcess next = pick();
        if (next == null) {
            toController();
        } else {
            trace = trace * 31 + next.id + 1;
            next.resume(landings, timeJumps);
        }
    }

    private void toController() {
        controllerTurn = true;
        LockSupport.unpark(controller);
    }

    private SimProcess pick() {
        while (hang == null && !over.getAsBoolean()) {
            steps++;
            now += 100 + random.below(900);
            if (steps > stepLimit) {
                hang = "more than " + stepLimit + " steps:\n" + describe();
                break;
            }
            if (runDue()) {
                continue;
            }
            if (processes.size() > MANY) {
                SimProcess one = chooseAmongMany();
                if (one != null) {
                    return one;
                }
                continue;
            }
            int total = 0;
            for (SimProcess process : processes) {
                if (process.runnable(landings, timeJumps, now)) {
                    total += process.weight;
                }
            }
            for (Source source : sources) {
                total += Math.min(4, source.pending()) * source.weight();
            }
            if (total == 0) {
                jumpAhead();
                continue;
            }
            SimProcess chosen = choose(random.below(total));
            if (chosen != null) {
                return chosen;
            }
        }
        return null;
    }

    /** The first process that can run, from a random one on; or null after something else happened. */
    private SimProcess chooseAmongMany() {
        int start = random.below(processes.size());
        SimProcess next = null;
        for (int i = 0; i < processes.size() && next == null; i++) {
            SimProcess process = processes.get((start + i) % processes.size());
            next = process.runnable(landings, timeJumps, now) ? process : null;
        }
        int others = 0;
        for (Source source : sources) {
            others += source.pending() * source.weight();
        }
        if (next == null && others == 0) {
            jumpAhead();
            return null;
        }
        if (next != null && random.below(others + WEIGHT_AMONG_MANY * processes.size()) >= others) {
            return next;
        }
        int left = others == 0 ? 0 : random.below(others);
        for (Source source : sources) {
            left -= source.pending() * source.weight();
            if (left < 0) {
                activity();
                source.fire();
                trace = trace * 31 + 3;
                break;
            }
        }
        return null;
    }

    private boolean runDue() {
        if (!timed.isEmpty() && timed.peek().at <= now) {
            activity();
            timed.poll().action.run();
            trace = trace * 31 + 7;
            return true;
        }
        if (now >= nextTick) {
            nextTick = now + TICK_NANOS;
            tick.run();
            return true;
        }
        return false;
    }

    private SimProcess choose(int ticket) {
        int left = ticket;
        for (SimProcess process : processes) {
            if (process.runnable(landings, timeJumps, now)) {
                left -= process.weight;
                if (left < 0) {
                    return process;
                }
            }
        }
        for (Source source : sources) {
            left -= Math.min(4, source.pending()) * source.weight();
            if (left < 0) {
                activity();
                source.fire();
                trace = trace * 31 + 3;
                return null;
            }
        }
        throw new IllegalStateException("no choice for ticket " + ticket);
    }

    /** Nothing can happen but time: all waits look at it. */
    private void jumpAhead() {
        long next = timed.isEmpty() ? Long.MAX_VALUE : timed.peek().at;
        if (next == Long.MAX_VALUE && now - lastActivity > STUCK_NANOS) {
            hang = "nothing happened for " + STUCK_NANOS / 1_000_000_000L + " s of simulated time:\n" + describe();
            return;
        }
        now = Math.max(now, Math.min(next, Math.max(nextTick, now + jump)));
        jump = Math.min(LONGEST_JUMP_NANOS, jump * 2);
        timeJumps++;
    }

    /** All processes with what they wait for. */
    String describe() {
        StringBuilder text = new StringBuilder();
        text.append("simulated time ").append(now / 1000).append(" us, step ").append(steps).append('\n');
        for (SimProcess process : processes) {
            process.describe(text);
        }
        for (Source source : sources) {
            text.append(source).append('\n');
        }
        return text.toString();
    }
}
