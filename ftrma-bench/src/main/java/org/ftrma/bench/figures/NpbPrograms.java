package org.ftrma.bench.figures;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * NPB's own programs on two ranks, compiled with mpif90 from a copy of the sources that the user has (NPB3.3-MPI,
 * NPB3.4-MPI). Where there is a {@code config/make.def} that is what they are compiled by. One thread.
 */
final class NpbPrograms extends MpiProgram {
    /** For sources without settings of their own. But for the last two gfortran 10 and later refuses some files. */
    private static final List<String> SETTINGS = List.of("MPIF77=mpif90", "MPIFC=mpif90", "MPICC=mpicc", "FMPI_LIB=",
        "FMPI_INC=", "CMPI_LIB=", "CMPI_INC=", "RAND=randdp", "FFLAGS=-O3 -std=legacy");
    private static final Pattern FIGURE = Pattern.compile("^ *(Time in seconds|Mop/s total) *= *([0-9.E+]+)");
    private static final Pattern VERIFIED = Pattern.compile("^ *Verification *= *SUCCESSFUL");

    private final Path sources;
    private final String problem;
    private final List<String> programs;

    /**
     * Nothing is made yet.
     *
     * @param problem the class
     */
    NpbPrograms(JobRuns runs, String problem, List<String> programs) throws IOException {
        super(runs);
        this.sources = runs.npb();
        this.problem = problem;
        this.programs = programs;
    }

    /** How one is run. */
    Variant variant(String program) {
        return Variant.other(program + " of NPB", MPIRUN + " -np 2 " + binary(program, ".2"));
    }

    /** NPB3.4 does not say in the name for how many ranks it is. */
    private String binary(String program, String ranks) {
        return "bin/" + program + "." + problem + (isMoldable() ? ".x" : ranks);
    }

    private boolean isMoldable() {
        return Files.exists(sources.resolve("CG/cg.f90"));
    }

    @Override
    List<String> needed() {
        return sources == null ? List.of() : List.of("make", "mpif90", MPIRUN);
    }

    @Override
    void make(Path place, JobRuns compilers) throws IOException, InterruptedException {
        if (sources == null) {
            throw new IOException("--npb DIR was not given");
        }
        copy(sources, place);
        Files.createDirectories(place.resolve("bin"));
        boolean hasSettings = Files.exists(place.resolve("config/make.def"));
        if (!hasSettings) {
            Files.copy(place.resolve("config/make.def.template"), place.resolve("config/make.def"));
        }
        for (String program : programs) {
            List<String> words = Stream.concat(Stream.of("make", program, "CLASS=" + problem, "NPROCS=2"),
                hasSettings ? Stream.of() : SETTINGS.stream()).toList();
            compilers.other(place, words);
        }
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.toList()) {
                Path copy = to.resolve(from.relativize(file).toString());
                if (!Files.isDirectory(file)) {
                    Files.copy(file, copy);
                } else if (!Files.exists(copy)) {
                    Files.createDirectory(copy);
                }
            }
        }
    }

    @Override
    Map<String, Object> result(List<String> lines) throws IOException {
        Map<String, Object> figures = new HashMap<>();
        for (String line : lines) {
            Matcher figure = FIGURE.matcher(line);
            if (figure.find()) {
                figures.put(figure.group(1).startsWith("Time") ? "seconds" : "mops",
                    Double.parseDouble(figure.group(2)));
            }
        }
        if (figures.size() < 2 || lines.stream().noneMatch(line -> VERIFIED.matcher(line).find())) {
            throw new IOException(String.format(Locale.ROOT, "NPB's program of class %s did not verify:%n%s", problem,
                String.join("\n", lines)));
        }
        return figures;
    }
}
