package org.ftrma.apps.npb;

import java.util.List;
import java.util.function.BiConsumer;
import org.ftrma.options.CommandOption;
import org.ftrma.options.OptionTable;

/** The benchmarks by name, for commands that offer them. Any thread. */
public final class Npb {
    private static final List<Benchmark> ALL = List.of(
        new Benchmark("cg", "NAS CG: the smallest eigenvalue of a sparse matrix; messages along the rows of a grid.",
            Cg.class.getName(), NpbOption.TABLE, NpbOption.ITERATIONS, (args, ranks) ->
            CgGrid.of(CgClass.of(NpbOptions.parse(args).problem()), ranks, 0)),
        new Benchmark("is", "NAS IS: the ranks of small whole numbers; collectives that move nearly all of them.",
            Is.class.getName(), NpbOption.TABLE, NpbOption.ITERATIONS, (args, ranks) ->
            IsClass.of(NpbOptions.parse(args).problem()).on(ranks)),
        new Benchmark("mg", "NAS MG: a Poisson equation by V-cycles; halos of many sizes between neighbours.",
            Mg.class.getName(), MgOption.TABLE, MgOption.ITERATIONS, (args, ranks) ->
            MgOptions.parse(args).grid(ranks, 0)));

    private Npb() {
    }

    /**
     * One benchmark.
     *
     * @param name short name
     * @param meaning one sentence
     * @param mainClass the class to run
     * @param options its own options
     * @param length of these, the one that says how long it runs
     * @param check refuses wrong arguments, given the number of ranks, before any process is started: a {@link
     * org.ftrma.MisuseException} with the argument, its value and what is allowed
     */
    public record Benchmark(String name, String meaning, String mainClass, OptionTable<?> options, CommandOption length,
        BiConsumer<String[], Integer> check) {
    }

    /** All benchmarks. */
    public static List<Benchmark> all() {
        return ALL;
    }
}
