package org.ftrma.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.io.Serializable;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.ftrma.AtomicOp;
import org.ftrma.DataType;
import org.ftrma.Job;
import org.ftrma.LockType;
import org.ftrma.Window;
import org.ftrma.core.coordinator.JobEvent;
import org.ftrma.testkit.programs.SimProgram;

/** The programs of the failure matrix, how they are run with many crashes, and what is read off their results. */
final class MatrixRuns {
    static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
    static final long STEPS = 4;

    /** Every kind of access, in epochs that stay open for a while; each step ends with a gsync. */
    static final SimProgram ALL_KINDS = allKinds(STEPS);

    /** Does nothing that others see: all points of its steps are those of checkpoints. */
    static final SimProgram STILL = program("still", STEPS, (job, window, memory, step) -> {
        memory.set(LONG, 0, memory.get(LONG, 0) * 31 + step + job.rank());
        window.memory().set(LONG, 4096 * (step & 1), memory.get(LONG, 0));
    });

    /**
     * Puts and gsync only, each step's put into the other half of a cell pair: nothing in it makes the loss of one rank
     * a fallback.
     */
    static final SimProgram AROUND = program("around", 2 * STEPS, (job, window, memory, step) -> {
        memory.set(LONG, 0, memory.get(LONG, 0) * 31 + window.memory().get(LONG, 4096 * ((step - 1) & 1)) + step
            + job.rank());
        window.put(memory, 0, (job.rank() + 1) % job.ranks(), 4096 * (step & 1), 8);
        job.gsync();
    });

    static SimProgram allKinds(long steps) {
        return program("all-kinds", steps, (job, window, memory, step) -> {
            int right = (job.rank() + 1) % job.ranks();
            memory.set(LONG, 0, memory.get(LONG, 0) * 31 + step);
            window.put(memory, 0, right, 8, 8);
            window.get(memory, 8, right, 0, 8);
            window.flush(right);
            memory.set(LONG, 16, memory.get(LONG, 16) + window.fetchAndOp(AtomicOp.SUM, DataType.INT64,
                step + job.rank(), job.rank(), 16));
            window.compareAndSwap(DataType.INT64, step - 1, step, right, 24);
            window.lock(LockType.EXCLUSIVE, 0);
            window.get(memory, 24, 0, 32, 8);
            window.flush(0);
            memory.set(LONG, 24, memory.get(LONG, 24) + step * (job.rank() + 1));
            window.put(memory, 24, 0, 32, 8);
            window.unlock(0);
            job.gsync();
            memory.set(LONG, 24, 0);
            window.memory().set(LONG, 0, window.memory().get(LONG, 8) + memory.get(LONG, 8));
            job.gsync();
        });
    }

    interface Body extends Serializable {
        void step(Job job, Window window, MemorySegment memory, long step);
    }

    static SimProgram program(String name, long steps, Body body) {
        return new SimProgram() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public void run(Job job, Results results) {
                Window window = job.allocateWindow("w", 8192);
                MemorySegment memory = job.protect("m", 64);
                job.initialize(() -> window.memory().set(LONG, 0, job.rank()));
                for (long step : job.steps(steps)) {
                    body.step(job, window, memory, step);
                }
                results.store("w", window.memory());
                results.store("m", memory);
            }
        };
    }

    /** Runs with each of the crashes, on all processors; every one must end as it should. */
    static Collection<SimResult> all(Simulation simulation, List<List<Crash>> crashes) {
        Map<Integer, Map<String, byte[]>> expected = simulation.expected();
        ConcurrentLinkedQueue<SimResult> results = new ConcurrentLinkedQueue<>();
        List<Consumer<SimMemory>> cases = new ArrayList<>();
        for (List<Crash> each : crashes) {
            cases.add(memory -> results.add(simulation.run(simulation.seed(), each, memory)));
        }
        SimWorkers.run(cases);
        for (SimResult result : results) {
            assertNull(result.fault(expected), () -> simulation.command(simulation.seed(), result.crashes()) + "\n"
                + result.story());
        }
        return results;
    }

    /** How many of these runs are wrong with a bug injected; the third one ends it. */
    static long wrong(Simulation simulation, String fault, List<List<Crash>> crashes) {
        Map<Integer, Map<String, byte[]>> expected = simulation.expected();
        simulation.faults(Set.of(fault));
        LongAdder wrong = new LongAdder();
        List<Consumer<SimMemory>> cases = new ArrayList<>();
        for (List<Crash> each : crashes) {
            cases.add(memory -> wrong.add(simulation.run(simulation.seed(), each, memory).fault(expected) == null ? 0
                : 1));
        }
        SimWorkers.run(cases, () -> wrong.sum() > 2);
        simulation.faults(Set.of());
        return wrong.sum();
    }

    /** Before and after each of a member's points. */
    static List<List<Crash>> points(int member, long from, long to, long stride) {
        List<List<Crash>> crashes = new ArrayList<>();
        for (long point = from; point <= to; point += stride) {
            crashes.add(List.of(new Crash(true, member, point, Crash.How.BEFORE)));
            crashes.add(List.of(new Crash(true, member, point, Crash.How.AFTER)));
        }
        return crashes;
    }

    static SimResult base(Simulation simulation) {
        return simulation.run(simulation.seed(), List.of(), new SimMemory());
    }

    static long count(SimResult result, Class<? extends JobEvent> type) {
        return result.events().stream().filter(e -> type.isInstance(e.event())).count();
    }

    static Set<String> reasons(Collection<SimResult> results) {
        Set<String> reasons = new TreeSet<>();
        results.forEach(result -> reasons.addAll(result.outcome().fallbacks().keySet()));
        return reasons;
    }

    static long local(Collection<SimResult> results) {
        return results.stream().filter(result -> result.outcome().rollbacks() == 0
            && result.outcome().localRecoveries() > 0).count();
    }

    /** Where the first lost member was: the call it died in. */
    static String diedIn(SimResult result) {
        for (SimResult.TimedEvent event : result.events()) {
            if (event.event() instanceof JobEvent.MemberLost lost) {
                return lost.cause().replaceAll("crash at (.*), point.*", "$1");
            }
        }
        return "nowhere";
    }

    /** All ranks go back to what is committed at that moment, and to nothing else. */
    static void goBackToTheLastCommittedGeneration(Collection<SimResult> results) {
        for (SimResult result : results) {
            long committed = 0;
            for (SimResult.TimedEvent event : result.events()) {
                if (event.event() instanceof JobEvent.Committed done) {
                    assertEquals(committed + 1, done.generation(), result::story);
                    committed = done.generation();
                } else if (event.event() instanceof JobEvent.RecoveryBegun begun) {
                    assertEquals(committed, begun.generation(), result::story);
                }
            }
        }
    }

    /** The second crash at every point of the replacement until it is back, and a few more. */
    static List<List<Crash>> duringTheRecovery(Simulation simulation, Crash first, int member, long stride) {
        SimResult once = simulation.run(simulation.seed(), List.of(first), new SimMemory());
        List<List<Crash>> crashes = new ArrayList<>();
        long from = once.pointsAtFirstDeath()[member] + 1;
        for (List<Crash> second : points(member, from, once.memberPoints()[member], stride)) {
            crashes.add(List.of(first, second.getFirst()));
        }
        return crashes;
    }

    static boolean diedAgainBeforeItWasBack(SimResult result) {
        boolean away = false;
        for (SimResult.TimedEvent event : result.events()) {
            if (event.event() instanceof JobEvent.MemberLost) {
                if (away) {
                    return true;
                }
                away = true;
            } else if (event.event() instanceof JobEvent.Recovered) {
                away = false;
            }
        }
        return false;
    }

    /** Rank 0 holds the lock of rank 1's window when members die, while rank 2 waits for it. */
    static Script.Part lockHeldWhenTheyDie(int... victims) {
        return (job, script, window, memory) -> {
            if (job.rank() == 0) {
                window.lock(LockType.EXCLUSIVE, 1);
                long value = window.getLong(1, 0);
                script.die(job, 1, victims);
                window.putLong(value + 1, 1, 0);
                window.unlock(1);
            } else if (job.rank() == 2) {
                script.await(job, window, 1);
                window.lock(LockType.EXCLUSIVE, 1);
                window.putLong(window.getLong(1, 0) * 10, 1, 0);
                window.unlock(1);
            }
            job.gsync();
        };
    }

    private MatrixRuns() {
    }
}
