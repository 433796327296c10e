package org.ftrma.testkit;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.ftrma.MisuseException;
import org.ftrma.core.coordinator.JobEvent;
import org.ftrma.core.membership.JobGroups;
import org.ftrma.testkit.bugs.ProtocolBugs;
import org.ftrma.testkit.programs.Flavour;
import org.ftrma.testkit.programs.MessageFlavour;
import org.ftrma.testkit.programs.RandomMessages;
import org.ftrma.testkit.programs.SimRandom;
import org.ftrma.xor.Groups;

/**
 * Random programs (design 8.2), each run without failures and with them: one crash on the same schedule, one on
 * another, sometimes a second one after the first. The final contents of all runs of a program must be equal.
 * Everything follows from the program's number; set what differs from the defaults, then call {@link #run}. One thread;
 * the runs themselves use all processors.
 */
public final class RandomRuns {
    private static final int KEPT_FAILURES = 5;
    private static final int SECOND_PER_MILLE = 300;
    private static final int HANG_PER_MILLE = 50;
    private static final int COMPUTING_PER_MILLE = 850;
    private static final int STORE_PER_MILLE = 650;
    private static final int OF_HOST_PER_MILLE = 350;
    private static final int SOON_POINTS = 40;
    private static final int SOON_STEPS = 300;
    /** So that the numbers of programs, of schedules and of choices here do not go together. */
    private static final long OTHER_SCHEDULE = 1L << 40;
    private static final long CHOICES = 0x51ED270B;

    private long from = 1;
    private int count;
    private int losses = 1;
    private RandomPrograms programs = new RandomWindowPrograms(null, Set.of());
    private Set<String> faults = Set.of();
    private long failuresWanted = Long.MAX_VALUE;
    private UnaryOperator<Simulation> shape = simulation -> simulation;

    private final AtomicLong runs = new AtomicLong();
    private final AtomicLong steps = new AtomicLong();
    private final AtomicLong failed = new AtomicLong();
    private final Map<RandomReport.End, AtomicLong> ends = new ConcurrentHashMap<>();
    private final Map<String, AtomicLong> recoveries = new ConcurrentHashMap<>();
    private final Map<String, AtomicLong> fallbacks = new ConcurrentHashMap<>();
    private final Map<String, AtomicLong> faultCounts = new ConcurrentHashMap<>();
    private final Map<String, SingleLosses> singles = new ConcurrentHashMap<>();
    private final ConcurrentLinkedQueue<SimReport.Failure> failures = new ConcurrentLinkedQueue<>();

    /** The programs with the numbers from {@code first} on, so many of them. */
    public RandomRuns seeds(long first, int howMany) {
        if (first < 0 || howMany < 1 || first > 1_000_000_000_000_000L) {
            throw new MisuseException("seeds from " + first + ", " + howMany
                + " of them: must be 0 to 10^15, and at least one");
        }
        from = first;
        count = howMany;
        return this;
    }

    /** What the programs are. */
    RandomRuns of(RandomPrograms chosen) {
        programs = chosen;
        return this;
    }

    /** Programs on windows, only of this flavour. */
    public RandomRuns flavour(Flavour only) {
        return of(new RandomWindowPrograms(only, Set.of()));
    }

    /** Programs whose ranks send messages, of this flavour, or of all in turn: null. Losses are drawn, too. */
    public RandomRuns messages(MessageFlavour only) {
        losses = 0;
        return of(new RandomMessagePrograms(only));
    }

    /** Bugs to inject into the runs with crashes, of {@link ProtocolBugs}. */
    public RandomRuns faults(Set<String> injected) {
        faults = injected;
        return this;
    }

    /**
     * So many losses of each group at once, of which as many checksum ranks are drawn; crashes then come together, too.
     * 0: that is drawn, where the programs' jobs are of several kinds.
     */
    public RandomRuns losses(int perGroup) {
        losses = perGroup;
        return this;
    }

    /** Sets what shall not be drawn: applied to each simulation after its numbers of ranks and so on were drawn. */
    public RandomRuns shaped(UnaryOperator<Simulation> change) {
        shape = change;
        return this;
    }

    /** Runs no more programs when so many runs have failed. */
    RandomRuns until(long failures) {
        failuresWanted = failures;
        return this;
    }

    /** Runs all of them. Once. */
    public RandomReport run() {
        long began = System.nanoTime();
        List<Consumer<SimMemory>> cases = new ArrayList<>();
        for (long seed = from; seed < from + count; seed++) {
            long number = seed;
            cases.add(memory -> one(number, memory));
        }
        SimWorkers.run(cases, () -> failed.get() >= failuresWanted);
        Map<RandomReport.End, Long> endCounts = new TreeMap<>();
        ends.forEach((end, number) -> endCounts.put(end, number.get()));
        Map<String, SingleLosses.Counts> singleCounts = new LinkedHashMap<>();
        for (String of : programs.flavours()) {
            if (singles.containsKey(of)) {
                singleCounts.put(of, singles.get(of).counts());
            }
        }
        return new RandomReport(programs.what() + " from " + from, count, runs.get(), endCounts, sorted(recoveries),
            sorted(fallbacks), singleCounts, steps.get(), System.nanoTime() - began, List.copyOf(failures),
            failed.get(), sorted(faultCounts));
    }

    private static Map<String, Long> sorted(Map<String, AtomicLong> counts) {
        Map<String, Long> sorted = new TreeMap<>();
        counts.forEach((of, number) -> sorted.put(of, number.get()));
        return sorted;
    }

    /** Where there are hosts, groups are as small as they must be to be kept apart. */
    private static Simulation onHosts(Simulation simulation) {
        if (simulation.hosts() > 0) {
            int losses = simulation.losses();
            int most = losses * simulation.hosts();
            int groups = 1;
            while ((simulation.ranks() + groups - 1) / groups + losses > most && groups < simulation.ranks()) {
                groups++;
            }
            simulation.checksums(Math.max(groups * losses, simulation.options().checksums()));
        }
        return simulation;
    }

    private void one(long number, SimMemory memory) {
        SimRandom random = new SimRandom(number * CHOICES);
        Simulation simulation = onHosts(shape.apply(programs.draw(number, losses, random)));
        SimResult base = simulation.run(number, List.of(), memory);
        runs.incrementAndGet();
        steps.addAndGet(base.steps());
        if (!base.succeeded()) {
            fail("the run without failures failed: " + base.fault(base.contents()), simulation, number, base);
            return;
        }
        simulation.faults(faults);
        if (base.memberPoints().length == simulation.ranks()) {
            // Nobody can rebuild what is lost: the schedule alone is another one.
            judged(simulation, base, number + OTHER_SCHEDULE, List.of(), memory);
            return;
        }
        Crash first = crash(simulation, base, random);
        SimResult once = judged(simulation, base, number, List.of(first), memory);
        SimResult other = judged(simulation, base, number + OTHER_SCHEDULE, List.of(crash(simulation, base, random)),
            memory);
        for (SimResult single : List.of(once, other)) {
            singles.computeIfAbsent(programs.flavour(number), of -> new SingleLosses())
                .add(single, simulation.ranks(), simulation.command(single.seed(), single.crashes()));
        }
        if (once.pointsAtFirstDeath() != null && random.chance(SECOND_PER_MILLE)) {
            judged(simulation, base, number, List.of(first, second(once, random)), memory);
        }
        int together = simulation.losses();
        if (together > 1 && first.ofMember()) {
            judged(simulation, base, number, together(simulation, first, once, together, random), memory);
            if (random.chance(SECOND_PER_MILLE)) {
                judged(simulation, base, number, together(simulation, first, once, together + 1, random), memory);
            }
        }
    }

    /** So many members of the group of the first one, all at its moment or soon after it. */
    private static List<Crash> together(Simulation simulation, Crash first, SimResult once, int count,
        SimRandom random) {
        List<Crash> crashes = new ArrayList<>(List.of(first));
        Groups groups = JobGroups.of(simulation.options());
        List<Integer> others = new ArrayList<>();
        Arrays.stream(groups.membersOf(groups.groupOf(first.number()))).filter(member -> member != first.number())
            .forEach(others::add);
        for (int i = 1; i < count && !others.isEmpty(); i++) {
            int member = others.remove(random.below(others.size()));
            long[] passed = once.pointsAtFirstDeath();
            if (passed == null || random.chance(400)) {
                long at = once.stepsAtFirstDeath() + 1 + (random.chance(500) ? 0 : random.between(0, SOON_STEPS));
                crashes.add(new Crash(true, member, at, Crash.How.AT_STEP));
            } else {
                crashes.add(new Crash(true, member, passed[member] + random.between(1, SOON_POINTS),
                    random.chance(500) ? Crash.How.BEFORE
                    : Crash.How.AFTER));
            }
        }
        return crashes;
    }

    private static int member(Simulation simulation, int members, SimRandom random) {
        int ranks = simulation.ranks();
        return random.chance(COMPUTING_PER_MILLE) ? random.below(ranks) : ranks + random.below(members - ranks);
    }

    private Crash crash(Simulation simulation, SimResult base, SimRandom random) {
        if (simulation.hosts() > 0 && random.chance(OF_HOST_PER_MILLE)) {
            List<Crash.How> kinds = Arrays.stream(Crash.How.values()).filter(Crash.How::isOfHost).toList();
            return new Crash(false, random.below(simulation.hosts()), random.between(1, base.steps() + 1),
                kinds.get(random.below(kinds.size())));
        }
        int member = member(simulation, base.memberPoints().length, random);
        if (random.chance(200)) {
            return new Crash(true, member, random.between(1, base.steps() + 1), Crash.How.AT_STEP);
        }
        if (base.memberStores()[member] > 0 && random.chance(STORE_PER_MILLE)) {
            return new Crash(true, member, random.between(1, base.memberStores()[member] + 1), Crash.How.STORE);
        }
        boolean hang = (programs.mayHangWherePolled() || !simulation.polls()) && random.chance(HANG_PER_MILLE);
        Crash.How how = hang ? Crash.How.HANG : random.chance(500) ? Crash.How.BEFORE : Crash.How.AFTER;
        return new Crash(true, member, random.between(1, base.memberPoints()[member] + 1), how);
    }

    /** Another crash after the first, of any member, often soon. */
    private static Crash second(SimResult once, SimRandom random) {
        int member = random.below(once.memberPoints().length);
        long room = once.memberPoints()[member] - once.pointsAtFirstDeath()[member];
        if (room <= 0 || random.chance(250)) {
            return new Crash(true, member, random.between(once.stepsAtFirstDeath() + 1, once.steps() + 2),
                Crash.How.AT_STEP);
        }
        long ahead = random.between(0, random.chance(500) ? Math.min(room, SOON_POINTS) : room);
        return new Crash(true, member, once.pointsAtFirstDeath()[member] + 1 + ahead,
            random.chance(500) ? Crash.How.BEFORE : Crash.How.AFTER);
    }

    private SimResult judged(Simulation simulation, SimResult base, long schedule, List<Crash> crashes,
        SimMemory memory) {
        SimResult result = simulation.run(schedule, crashes, memory);
        runs.incrementAndGet();
        steps.addAndGet(result.steps());
        String fault = result.fault(base.contents());
        if (fault != null) {
            fail(fault, simulation, schedule, result);
            return result;
        }
        if (crashes.isEmpty()) {
            return result;
        }
        ends.computeIfAbsent(end(result, crashes.size()), end -> new AtomicLong()).incrementAndGet();
        result.outcome().fallbacks().forEach((reason, number) ->
            fallbacks.computeIfAbsent(reason, r -> new AtomicLong()).addAndGet(number));
        for (SimResult.TimedEvent event : result.events()) {
            if (event.event() instanceof JobEvent.Recovered recovered) {
                recoveries.computeIfAbsent(recovered.how(), how -> new AtomicLong()).incrementAndGet();
            }
        }
        return result;
    }

    private static RandomReport.End end(SimResult result, int crashes) {
        if (result.fired() < crashes) {
            return RandomReport.End.NO_CRASH;
        }
        if (!result.succeeded()) {
            return RandomReport.End.CATASTROPHIC;
        }
        boolean back = result.outcome().rollbacks() > 0;
        boolean local = result.outcome().localRecoveries() > 0;
        return back && local ? RandomReport.End.BOTH : back ? RandomReport.End.ROLLBACK
            : local ? RandomReport.End.LOCAL : RandomReport.End.UNDISTURBED;
    }

    private static String kind(SimResult result) {
        if (result.hang() != null) {
            return RandomReport.HANGS;
        }
        boolean isOrphaned = result.contents().values().stream().map(of -> of.get(RandomMessages.ORPHANS))
            .anyMatch(orphans -> orphans != null && Arrays.mismatch(orphans, new byte[orphans.length]) >= 0);
        return isOrphaned ? RandomReport.ORPHANS : RandomReport.OTHERS;
    }

    private void fail(String reason, Simulation simulation, long schedule, SimResult result) {
        faultCounts.computeIfAbsent(kind(result), kind -> new AtomicLong()).incrementAndGet();
        if (failed.getAndIncrement() < KEPT_FAILURES) {
            failures.add(new SimReport.Failure(reason, simulation.command(schedule, result.crashes()), result.story()));
        }
    }
}
