package org.ftrma.testkit;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BinaryOperator;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.ftrma.MisuseException;
import org.ftrma.Program;
import org.ftrma.core.control.FallbackReason;
import org.ftrma.core.coordinator.JobEvent;
import org.ftrma.options.JobOption;
import org.ftrma.options.JobOptions;

/**
 * A program's job in one virtual machine, for tests: the protocol of a real job on a simulated network and clock, run
 * once without a failure, and then with a kill at each point of each process, or at a sample of them. A job survives
 * where it ends with the same bytes in all protected windows and segments; else an {@link AssertionError} names the
 * program, the seed, the point, and how to repeat that one run. All follows from the options and the seed.
 *
 * <pre>{@code
 * new SimJob().set(JobOption.PROTOCOL, "full").run(Heat.class, "--cells", "8");
 * }</pre>
 *
 * <p>A process makes its program anew. Given a class with a main method, it loads the classes of its place anew, too,
 * so that static variables are its own. What the program prints it prints in each run; it must not end the virtual
 * machine. One thread, which the runs share with further ones.
 */
public final class SimJob {
    /** Crashes that are tried where nothing else is said. */
    public static final int SAMPLE = 200;
    private static final long BASE_STEPS = 20_000_000;
    /** A rank that polls makes very many steps in the moment that a replacement takes to start. */
    private static final long LEAST_STEPS = 3_000_000;
    /** So much longer than the run without a failure may one with a kill be. */
    private static final long TIMES = 8;
    private static final int OTHER_SEEDS = 2;
    /** Of a result that is wrong after a kill. */
    private static final String HINT = ". Most often a later step needs what is in a Java variable: keep it in a "
        + "window, in job.protect or job.protectLong";
    private static final String WRONG = "it reports verified=false";

    private final JobOptions.Builder options = JobOptions.builder().set(JobOption.RANKS, 3)
        .set(JobOption.CHECKSUMS, 1).set(JobOption.SPARES, 0).set(JobOption.PROTOCOL, "full")
        .set(JobOption.INTERVAL, 2).set(JobOption.DEADLINE, "40s").set(JobOption.LOG_BUDGET, "1MiB");
    private final Set<String> compared = new LinkedHashSet<>();
    private long seed = 1;
    private int sample = SAMPLE;
    private String crashes = "";
    private boolean ran;
    private Survival survival;
    private BinaryOperator<String> hint = (ofSeed, ofCrashes) -> "new SimJob()….seed(" + ofSeed + ").repeat(\""
        + ofCrashes + "\")";

    /** A job of three ranks and a checksum rank, with {@code --protocol full} and a checkpoint every second step. */
    public SimJob() {
    }

    /**
     * Sets an option of the job.
     *
     * @throws MisuseException with the option, the value and what is allowed
     */
    public SimJob set(JobOption option, Object value) {
        option.number(value.toString());
        options.set(option, value);
        return this;
    }

    /** What decides about the order of all that happens. */
    public SimJob seed(long number) {
        seed = number;
        return this;
    }

    /**
     * How many kills are tried, spread over all points.
     *
     * @param count 1 and more; {@link Integer#MAX_VALUE}: all that there are
     */
    public SimJob sample(int count) {
        if (count < 1) {
            throw new MisuseException("sample=" + count + ": must be 1 at least");
        }
        sample = count;
        return this;
    }

    /** Compares these windows and segments alone: others may depend on the order in which ranks get on. */
    public SimJob comparing(String... names) {
        compared.addAll(List.of(names));
        return this;
    }

    /** Runs nothing but the job with these crashes, as a message has named them; empty: all of the sample. */
    public SimJob repeat(String ofCrashes) {
        Crash.parse(ofCrashes);
        crashes = ofCrashes;
        return this;
    }

    /** What a message says about how one run is repeated, given seed and crashes. */
    public SimJob repeatedBy(BinaryOperator<String> text) {
        hint = text;
        return this;
    }

    /** Whether a program was run. */
    public boolean hasRun() {
        return ran;
    }

    /** What was survived last, or null. */
    public Survival survival() {
        return survival;
    }

    /**
     * Runs the program of a class.
     *
     * @param main has a main method, which calls {@link org.ftrma.Ftrma#run}
     * @throws AssertionError if it does not survive, or fails without a failure
     * @throws MisuseException if the job tries nothing: no protection, no checkpoint, no loop
     */
    public Survival run(Class<?> main, String... arguments) {
        return run(UserProgram.of(main, List.of(arguments), compared));
    }

    /**
     * Runs a program.
     *
     * @param name for messages
     * @param maker makes the program that a process runs: one that no other process knows
     * @throws AssertionError if it does not survive, or fails without a failure
     * @throws MisuseException if the job tries nothing: no protection, no checkpoint, no loop
     */
    public Survival run(String name, Supplier<? extends Program> maker) {
        return run(UserProgram.of(name, maker, compared));
    }

    private Survival run(UserProgram program) {
        ran = true;
        JobOptions job = options.build();
        if (!job.isProtected()) {
            throw new MisuseException("--checksums=" + job.checksums() + " --protocol=" + job.protocol()
                + ": the job is not protected, so it survives no kill; ask for a checksum rank and a protocol");
        }
        Simulation simulation = new Simulation().program(program);
        for (JobOption option : JobOption.values()) {
            if (options.has(option)) {
                simulation.set(option, options.value(option));
            }
        }
        simulation.stepLimit(BASE_STEPS);
        List<StepStates> alike = new ArrayList<>();
        SimResult base = recorded(simulation, program, seed, List.of(), alike);
        String fault = fault(base, base);
        if (fault != null) {
            throw failure(program, List.of(), base, "fails without a kill: " + fault);
        }
        if (base.events().stream().noneMatch(timed -> timed.event() instanceof JobEvent.Committed committed
            && committed.step() > 0)) {
            throw new MisuseException(program.name() + ": no checkpoint was taken in " + base.outcome().steps()
                + " steps (--interval " + options.value(JobOption.INTERVAL) + "), so that a kill would only begin the "
                + "program anew; ask for shorter intervals, or more steps");
        }
        simulation.stepLimit(Math.max(LEAST_STEPS, TIMES * base.steps()));
        requireSameAgain(simulation, program, base, alike);
        requireSameInAnyOrder(simulation, program, base, alike);
        return tryAll(simulation, program, base, alike);
    }

    private static SimResult recorded(Simulation simulation, UserProgram program, long ofSeed, List<Crash> killed,
        List<StepStates> states) {
        StepStates ofRun = new StepStates();
        states.add(ofRun);
        program.record(ofRun);
        try {
            return simulation.run(ofSeed, killed, new SimMemory());
        } finally {
            program.record(null);
        }
    }

    private static String firstDifference(List<StepStates> states) {
        String first = states.getFirst().firstDifference(states.getLast(), states.subList(1, states.size() - 1));
        return first.isEmpty() ? "" : "\n  first:   " + first;
    }

    /** What is wrong with a run, without the stacks, which its course has; null if nothing is. */
    private static String fault(SimResult result, SimResult base) {
        String fault = result.fault(base.contents());
        if (fault != null) {
            return result.hang() == null ? fault : fault.lines().findFirst().orElseThrow();
        }
        return result.outcome() != null && Boolean.FALSE.equals(result.outcome().reports().get("verified")) ? WRONG
            : null;
    }

    private void requireSameAgain(Simulation simulation, UserProgram program, SimResult base,
        List<StepStates> alike) {
        SimResult result = recorded(simulation, program, seed, List.of(), alike);
        String fault = fault(result, base);
        if (fault != null) {
            throw failure(program, List.of(), result, "is not deterministic: the second run with the same seed, and "
                + "without any kill, ends otherwise: " + fault + ". It depends on a clock, on random numbers, on the "
                + "order of a hash table, or on what a run left behind: take such values by job.nondeterministic and "
                + "job.random, and keep nothing in static variables" + firstDifference(alike));
        }
    }

    /** Else a difference would say nothing about kills. */
    private void requireSameInAnyOrder(Simulation simulation, UserProgram program, SimResult base,
        List<StepStates> alike) {
        for (long other = seed + 1; other <= seed + OTHER_SEEDS; other++) {
            SimResult result = recorded(simulation, program, other, List.of(), alike);
            String fault = fault(result, base);
            if (fault != null) {
                throw failure(program, List.of(), result, "ends otherwise without any kill, in another order of what "
                    + "ranks do (seed " + other + " instead of " + seed + "): " + fault + ". Order its accesses, or "
                    + "compare only what does not depend on their order" + firstDifference(alike));
            }
        }
    }

    private Survival tryAll(Simulation simulation, UserProgram program, SimResult base, List<StepStates> alike) {
        List<Crash> all = points(base.memberPoints());
        List<List<Crash>> tried = crashes.isEmpty() ? chosen(all).stream().map(List::of).toList()
            : List.of(Crash.parse(crashes));
        AtomicLong replays = new AtomicLong();
        AtomicLong rollbacks = new AtomicLong();
        ConcurrentSkipListMap<String, Integer> reasons = new ConcurrentSkipListMap<>();
        AtomicLong first = new AtomicLong(Long.MAX_VALUE);
        ConcurrentSkipListMap<Long, SimResult> failed = new ConcurrentSkipListMap<>();
        List<Consumer<SimMemory>> cases = new ArrayList<>();
        for (int i = 0; i < tried.size(); i++) {
            long number = i;
            List<Crash> crash = tried.get(i);
            cases.add(memory -> {
                if (number > first.get()) {
                    return; // one that comes before it has failed
                }
                SimResult result = simulation.run(seed, crash, memory);
                if (fault(result, base) != null) {
                    first.accumulateAndGet(number, Math::min);
                    failed.put(number, result);
                } else {
                    replays.addAndGet(result.outcome().localRecoveries());
                    rollbacks.addAndGet(result.outcome().rollbacks());
                    result.outcome().fallbacks().forEach((reason, times) -> reasons.merge(reason, times, Integer::sum));
                }
            });
        }
        SimWorkers.run(cases);
        if (!failed.isEmpty()) {
            SimResult result = failed.firstEntry().getValue();
            recorded(simulation, program, seed, result.crashes(), alike);
            throw failure(program, result.crashes(), result, "does not survive every kill: " + fault(result, base)
                + (result.succeeded() ? HINT : "") + firstDifference(alike));
        }
        survival = new Survival(program.name(), seed, tried.size(), all.size(), base.outcome().checkpoints(),
            replays.get(), rollbacks.get(), Map.copyOf(reasons));
        return survival;
    }

    private static List<Crash> points(long[] ofMembers) {
        List<Crash> all = new ArrayList<>();
        for (int member = 0; member < ofMembers.length; member++) {
            for (long point = 1; point <= ofMembers[member]; point++) {
                all.add(new Crash(true, member, point, Crash.How.BEFORE));
                all.add(new Crash(true, member, point, Crash.How.AFTER));
            }
        }
        return all;
    }

    /** One of each of as many stretches as are tried. */
    private List<Crash> chosen(List<Crash> all) {
        if (sample >= all.size()) {
            return all;
        }
        Random random = new Random(seed);
        List<Crash> some = new ArrayList<>();
        for (int i = 0; i < sample; i++) {
            int from = (int) ((long) i * all.size() / sample);
            int to = (int) ((i + 1L) * all.size() / sample);
            some.add(all.get(from + random.nextInt(to - from)));
        }
        return some;
    }

    private AssertionError failure(UserProgram program, List<Crash> killed, SimResult result, String what) {
        String named = Crash.format(killed);
        StringBuilder text = new StringBuilder(program.name()).append(' ').append(what).append(reasons(result))
            .append("\n  job:    ");
        for (JobOption option : List.of(JobOption.RANKS, JobOption.CHECKSUMS, JobOption.SPARES, JobOption.PROTOCOL,
            JobOption.INTERVAL)) {
            text.append(" --").append(option.key()).append(' ').append(options.value(option));
        }
        text.append("\n  seed:    ").append(result.seed());
        if (!killed.isEmpty()) {
            text.append("\n  kill:    ").append(named).append(" (").append(inWords(killed.getFirst())).append(')');
            result.events().stream().map(SimResult.TimedEvent::event).filter(JobEvent.MemberLost.class::isInstance)
                .map(JobEvent.MemberLost.class::cast).findFirst()
                .ifPresent(lost -> text.append(", in step ").append(lost.step()));
            text.append("\n  repeat:  ").append(hint.apply(Long.toString(result.seed()), named));
        }
        text.append("\n  course:\n").append(result.story().indent(4));
        return new AssertionError(text.toString());
    }

    /** Why all ranks went back, where they had logs. */
    private static String reasons(SimResult result) {
        StringBuilder text = new StringBuilder();
        result.events().stream().map(SimResult.TimedEvent::event).filter(JobEvent.FellBack.class::isInstance)
            .map(JobEvent.FellBack.class::cast).forEach(fell -> text.append("\n  went back: ").append(fell.reason())
                .append(" (").append(fell.reason().meaning()).append(')'));
        return text.toString();
    }

    private String inWords(Crash crash) {
        int ranks = options.build().ranks();
        if (!crash.ofMember() || crash.how() != Crash.How.BEFORE && crash.how() != Crash.How.AFTER) {
            return "see ./ftrma simulate --help";
        }
        return (crash.number() < ranks ? "rank " + crash.number() : "checksum rank " + (crash.number() - ranks))
            + " dies " + (crash.how() == Crash.How.BEFORE ? "before" : "after") + " its call " + crash.index()
            + " to the network or the launcher";
    }

    /**
     * What a program has survived.
     *
     * @param program its name
     * @param seed of all runs
     * @param kills runs with a kill
     * @param of so many there are, at each point of each process, before and after its effect
     * @param checkpoints of the run without a kill
     * @param replays recoveries in which only the lost rank went back
     * @param rollbacks recoveries in which all ranks went back
     * @param reasons with logs, why they did and how often, by the names of {@link FallbackReason}
     */
    public record Survival(String program, long seed, int kills, int of, int checkpoints, long replays,
        long rollbacks, Map<String, Integer> reasons) {
        @Override
        public String toString() {
            return program + ": survived " + kills + " of " + of + " kills (seed " + seed + "), " + checkpoints
                + " checkpoints without one; " + replays + " replays, " + rollbacks + " rollbacks"
                + reasons.entrySet().stream().sorted(Map.Entry.comparingByKey()).map(entry -> entry.getValue() + " by "
                    + entry.getKey() + ": " + FallbackReason.valueOf(entry.getKey()).meaning())
                    .collect(Collectors.joining("; ", reasons.isEmpty() ? "" : " (", reasons.isEmpty() ? "" : ")"))
                + (kills < of ? "; -Dftrma.everyPoint=true tries all" : "");
        }
    }

    @Override
    public String toString() {
        return "SimJob " + Arrays.toString(options.build().asMap().entrySet().toArray());
    }
}
