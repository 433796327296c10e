package org.ftrma.testkit;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.ftrma.core.membership.JobGroups;
import org.ftrma.testkit.programs.SimRandom;
import org.ftrma.xor.Groups;

/**
 * Runs a simulation with crashes at every point, or at a sample of them, and judges every run by the one without
 * failures.
 */
final class CrashEnumerator {
    private static final int KEPT_FAILURES = 5;
    private static final int SECONDS_PER_FIRST = 4;
    private static final int SEEDS = 64;
    private static final long SAY_NANOS = 10_000_000_000L;

    private final Simulation simulation;
    private final Consumer<String> progress;
    private final Map<Integer, Map<String, byte[]>> expected;
    private final AtomicLong runs = new AtomicLong();
    private final AtomicLong deaths = new AtomicLong();
    private final AtomicLong gaveUp = new AtomicLong();
    private final AtomicLong rollbacks = new AtomicLong();
    private final AtomicLong replays = new AtomicLong();
    private final AtomicLong steps = new AtomicLong();
    private final AtomicLong failed = new AtomicLong();
    private final ConcurrentLinkedQueue<SimReport.Failure> failures = new ConcurrentLinkedQueue<>();

    CrashEnumerator(Simulation simulation, Consumer<String> progress) {
        this.progress = progress;
        this.simulation = simulation;
        this.expected = simulation.expected();
    }

    SimReport schedules(int count) {
        List<Consumer<SimMemory>> cases = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            long seed = simulation.seed() + i;
            cases.add(memory -> runOne(seed, List.of(), memory));
        }
        return runAll("schedules without crashes of " + simulation.label(), cases);
    }

    SimReport singles(int stride) {
        List<Consumer<SimMemory>> cases = new ArrayList<>();
        List<Crash> all = points(null, simulation.run(simulation.seed(), List.of(), new SimMemory()).memberPoints());
        for (int i = stride / 2; i < all.size(); i += stride) {
            List<Crash> crash = List.of(all.get(i));
            cases.add(memory -> runOne(simulation.seed(), crash, memory));
        }
        return runAll("one crash at every " + (stride == 1 ? "point" : "so many points (" + stride + ")") + " of "
            + simulation.label(), cases);
    }

    SimReport kills(int stride) {
        List<Consumer<SimMemory>> cases = new ArrayList<>();
        SimResult base = simulation.run(simulation.seed(), List.of(), new SimMemory());
        for (int member = 0; member < simulation.members(); member++) {
            for (long step = 1 + member; step < base.steps(); step += stride) {
                Crash crash = new Crash(true, member, step, Crash.How.AT_STEP);
                cases.add(memory -> runOne(simulation.seed(), List.of(crash), memory));
            }
            for (long point = 1 + member; point < base.memberPoints()[member]; point += stride) {
                Crash crash = new Crash(true, member, point, Crash.How.HANG);
                cases.add(memory -> runOne(simulation.seed(), List.of(crash), memory));
            }
        }
        return runAll("one kill every " + stride + " steps, one hang every " + stride + " points of "
            + simulation.label(), cases);
    }

    SimReport stores(int stride) {
        List<Consumer<SimMemory>> cases = new ArrayList<>();
        long[] stores = simulation.run(simulation.seed(), List.of(), new SimMemory()).memberStores();
        for (int member = 0; member < stores.length; member++) {
            for (long store = 1 + member % stride; store <= stores[member]; store += stride) {
                Crash crash = new Crash(true, member, store, Crash.How.STORE);
                cases.add(memory -> runWithImages(crash, memory));
            }
        }
        return runAll("one crash before every " + stride + " stores of " + simulation.label(), cases);
    }

    /** A crash alone; and with it, the loss of another rank whenever a demand checkpoint of that counts afterwards. */
    private void runWithImages(Crash first, SimMemory memory) {
        SimResult once = runOne(simulation.seed(), List.of(first), memory);
        for (Crash second : once.atImagesSinceRecoveryOf(first.number())) {
            runOne(simulation.seed(), List.of(first, second), memory);
        }
    }

    SimReport nodeKills(int stride, int nodes) {
        List<Consumer<SimMemory>> cases = new ArrayList<>();
        long steps = simulation.run(simulation.seed(), List.of(), new SimMemory()).steps();
        for (int node = 0; node < nodes; node++) {
            List<Integer> members = JobGroups.membersOn(1, node, simulation.options());
            for (long step = 1 + node; step < steps && !members.isEmpty(); step += stride) {
                long at = step;
                List<Crash> crashes = members.stream().map(member -> new Crash(true, member, at, Crash.How.AT_STEP))
                    .toList();
                cases.add(memory -> runOne(simulation.seed(), crashes, memory));
            }
        }
        return runAll("all of a node killed every " + stride + " steps of " + simulation.label() + " on " + nodes
            + " nodes", cases);
    }

    SimReport hostFaults(int stride) {
        List<Consumer<SimMemory>> cases = new ArrayList<>();
        long steps = simulation.run(simulation.seed(), List.of(), new SimMemory()).steps();
        List<Crash.How> kinds = Arrays.stream(Crash.How.values()).filter(Crash.How::isOfHost).toList();
        for (int host = 0; host < simulation.hosts(); host++) {
            for (long step = 1 + host; step < steps; step += stride) {
                for (Crash.How how : kinds) {
                    List<Crash> crashes = List.of(new Crash(false, host, step, how));
                    cases.add(memory -> runOne(simulation.seed(), crashes, memory));
                }
            }
        }
        return runAll("a host down, still, cut off, deaf or mute every " + stride + " steps of " + simulation.label()
            + " on " + simulation.hosts() + " hosts", cases);
    }

    SimReport groupKills(int stride, int count) {
        List<Consumer<SimMemory>> cases = new ArrayList<>();
        long steps = simulation.run(simulation.seed(), List.of(), new SimMemory()).steps();
        Groups groups = JobGroups.of(simulation.options());
        long first = 1;
        for (int group = 0; group < groups.groups(); group++) {
            for (int[] members : choices(groups.membersOf(group), count)) {
                for (long step = first++; step < steps; step += stride) {
                    long at = step;
                    List<Crash> crashes = Arrays.stream(members)
                        .mapToObj(member -> new Crash(true, member, at, Crash.How.AT_STEP)).toList();
                    cases.add(memory -> runOne(simulation.seed(), crashes, memory));
                }
            }
        }
        return runAll(count + " of a group killed every " + stride + " steps of " + simulation.label(), cases);
    }

    /** All ways to choose so many of them. */
    static List<int[]> choices(int[] from, int count) {
        List<int[]> all = new ArrayList<>();
        for (int bits = 0; bits < 1 << from.length; bits++) {
            if (Integer.bitCount(bits) == count) {
                int chosen = bits;
                all.add(IntStream.range(0, from.length).filter(i -> (chosen >> i & 1) != 0).map(i -> from[i])
                    .toArray());
            }
        }
        return all;
    }

    private static List<Crash> points(long[] after, long[] upTo) {
        List<Crash> crashes = new ArrayList<>();
        for (int member = 0; member < upTo.length; member++) {
            for (long point = after == null ? 1 : after[member] + 1; point <= upTo[member]; point++) {
                crashes.add(new Crash(true, member, point, Crash.How.BEFORE));
                crashes.add(new Crash(true, member, point, Crash.How.AFTER));
            }
        }
        return crashes;
    }

    SimReport pairs(int count) {
        List<Consumer<SimMemory>> cases = new ArrayList<>();
        int firsts = (count + SECONDS_PER_FIRST - 1) / SECONDS_PER_FIRST;
        for (int i = 0; i < firsts; i++) {
            int number = i;
            int seconds = Math.min(SECONDS_PER_FIRST, count - i * SECONDS_PER_FIRST);
            cases.add(memory -> samplePairs(number, seconds, memory));
        }
        return runAll(count + " pairs of crashes of " + simulation.label(), cases);
    }

    private void samplePairs(int number, int seconds, SimMemory memory) {
        long seed = simulation.seed() + number % SEEDS;
        SimRandom random = new SimRandom(seed * 1_000_003 + number);
        long[] base = simulation.run(seed, List.of(), memory).memberPoints();
        Crash first = sample(null, base, random);
        SimResult once = runOne(seed, List.of(first), memory);
        if (once.pointsAtFirstDeath() == null) {
            return;
        }
        for (int i = 0; i < seconds; i++) {
            Crash second;
            if (random.chance(250)) {
                int member = random.below(base.length);
                second = new Crash(true, member, random.between(once.stepsAtFirstDeath() + 1, once.steps() + 1),
                    Crash.How.AT_STEP);
            } else {
                second = sample(once.pointsAtFirstDeath(), once.memberPoints(), random);
            }
            runOne(seed, List.of(first, second), memory);
        }
    }

    /** A point after {@code from} of some member; often soon after it. */
    private static Crash sample(long[] from, long[] upTo, SimRandom random) {
        for (int attempt = 0; attempt < 1000; attempt++) {
            int member = random.below(upTo.length);
            long first = from == null ? 0 : from[member];
            if (first < upTo[member]) {
                long room = upTo[member] - first;
                long point = first + 1 + random.between(0,
                    from != null && random.chance(500) ? Math.min(room, 40) : room);
                return new Crash(true, member, point, random.chance(500) ? Crash.How.BEFORE : Crash.How.AFTER);
            }
        }
        return new Crash(true, 0, upTo[0], Crash.How.BEFORE);
    }

    SimReport allPairs() {
        List<Consumer<SimMemory>> cases = new ArrayList<>();
        long seed = simulation.seed();
        List<Crash> firsts = points(null, simulation.run(seed, List.of(), new SimMemory()).memberPoints());
        // Early ones have most seconds: mixed, the time that is left can be estimated.
        Collections.shuffle(firsts, new Random(seed));
        Progress watched = new Progress(firsts.size());
        for (Crash first : firsts) {
            cases.add(memory -> {
                SimResult once = runOne(seed, List.of(first), memory);
                if (once.pointsAtFirstDeath() != null) {
                    for (Crash second : points(once.pointsAtFirstDeath(), once.memberPoints())) {
                        runOne(seed, List.of(first, second), memory);
                    }
                }
                watched.done();
            });
        }
        return runAll("all pairs of crashes of " + simulation.label(), cases);
    }

    /** Says from time to time how far it is. Any thread. */
    private final class Progress {
        private final long began = System.nanoTime();
        private final int total;
        private int done;
        private long saidNanos = began;

        Progress(int total) {
            this.total = total;
        }

        synchronized void done() {
            done++;
            long now = System.nanoTime();
            if (now - saidNanos >= SAY_NANOS) {
                saidNanos = now;
                double seconds = (now - began) / 1e9;
                progress.accept(String.format(Locale.ROOT,
                    "%d of %d first crashes with all second ones, %d runs, %d failed; %.0f s, about %.0f s left",
                    done, total, runs.get(), failed.get(), seconds, seconds / done * (total - done)));
            }
        }
    }

    private SimResult runOne(long seed, List<Crash> crashes, SimMemory memory) {
        SimResult result = simulation.run(seed, crashes, memory);
        runs.incrementAndGet();
        steps.addAndGet(result.steps());
        deaths.addAndGet(!crashes.isEmpty() && result.fired() == crashes.size() ? 1 : 0);
        String fault = result.fault(expected);
        if (fault != null) {
            if (failed.getAndIncrement() < KEPT_FAILURES) {
                failures.add(new SimReport.Failure(fault, simulation.command(seed, crashes), result.story()));
            }
        } else {
            rollbacks.addAndGet(result.outcome().rollbacks());
            replays.addAndGet(result.outcome().localRecoveries());
            gaveUp.addAndGet(result.lossBeyondRepair() && !result.succeeded() ? 1 : 0);
        }
        return result;
    }

    private SimReport runAll(String what, List<Consumer<SimMemory>> cases) {
        long began = System.nanoTime();
        if (simulation.failuresWanted() < Long.MAX_VALUE) {
            // Points that a bug shows at lie together.
            Collections.shuffle(cases, new Random(simulation.seed()));
        }
        SimWorkers.run(cases, () -> failed.get() >= simulation.failuresWanted());
        SimReport.Counts counts = new SimReport.Counts(runs.get(), deaths.get(), gaveUp.get(), rollbacks.get(),
            replays.get(), steps.get());
        return new SimReport(what, counts, System.nanoTime() - began, List.copyOf(failures), failed.get());
    }
}
