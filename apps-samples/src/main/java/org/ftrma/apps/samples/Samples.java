package org.ftrma.apps.samples;

import java.util.List;
import java.util.function.Function;
import org.ftrma.MisuseException;
import org.ftrma.Program;
import org.ftrma.options.CommandOption;
import org.ftrma.options.OptionTable;

/** The samples by name, for commands that offer them. Any thread. */
public final class Samples {
    private static final List<Sample> ALL = List.of(
        new Sample("stencil", "A 2-D Jacobi iteration with halo puts and gsync.", Stencil.class.getName(), Stencil::new,
            Stencil.Option.TABLE, Stencil.Option.STEPS),
        new Sample("locks", "Amounts moved between accounts at all ranks, under exclusive locks of one or two homes.",
            Locks.class.getName(), Locks::new, Locks.Option.TABLE, Locks.Option.STEPS),
        new Sample("atomics",
            "Tickets from shared counters and words counted in a distributed hash table, by atomics and flush.",
            Atomics.class.getName(), Atomics::new, Atomics.Option.TABLE, Atomics.Option.STEPS),
        new Sample("pingpong", "Messages of 1 byte to 8 MiB there and back between pairs of ranks, and their times.",
            PingPong.class.getName(), PingPong::new, PingPong.Option.TABLE, PingPong.Option.STEPS),
        new Sample("cg", "A linear system by conjugate gradients, with signalled puts, until it is solved.",
            ConjugateGradient.class.getName(), ConjugateGradient::new, ConjugateGradient.Option.TABLE, null),
        new Sample("tasks", "Tasks that make tasks, in queues that idle ranks take from, under locks.",
            Tasks.class.getName(), Tasks::new, Tasks.Option.TABLE, null),
        new Sample("bfs", "Distances in a graph, by accumulates to whoever has a vertex.",
            BreadthFirstSearch.class.getName(), BreadthFirstSearch::new, BreadthFirstSearch.Option.TABLE, null));

    private Samples() {
    }

    /**
     * One sample.
     *
     * @param name short name
     * @param meaning one sentence
     * @param mainClass the class to run
     * @param program makes what that class runs from its arguments
     * @param options its own options
     * @param length of these, the one that says how long it runs; null: it finds that out
     */
    public record Sample(String name, String meaning, String mainClass, Function<String[], Program> program,
        OptionTable<?> options, CommandOption length) {
    }

    /** All samples. */
    public static List<Sample> all() {
        return ALL;
    }

    /** The sample of that name. */
    public static Sample byName(String name) {
        for (Sample sample : ALL) {
            if (sample.name().equals(name)) {
                return sample;
            }
        }
        throw new MisuseException("sample=" + name + ": must be one of "
            + String.join(", ", ALL.stream().map(Sample::name).toList()));
    }

    /**
     * Checks a sample's arguments before any process is started.
     *
     * @param name the sample
     * @param args its own arguments
     * @param ranks the number of computing ranks
     * @throws MisuseException with the argument, its value and what is allowed
     */
    public static void check(String name, String[] args, int ranks) {
        switch (byName(name).program().apply(args)) {
            case Stencil stencil -> stencil.blocks(ranks);
            case ConjugateGradient cg -> cg.check(ranks);
            default -> {
                // any number of ranks
            }
        }
    }
}
