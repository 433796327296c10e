package org.ftrma.bench.figures;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import org.ftrma.FtrmaException;
import org.ftrma.bench.command.CommandEnd;
import org.ftrma.launch.figures.Figure;
import org.ftrma.launch.figures.FigureFiles;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * {@code ./ftrma bench NAME...}, with names of experiments or {@code all}: repeats experiments of the papers, prints
 * their tables, and writes each as CSV, table, PDF, SVG and PNG.
 */
@Command(name = "figure", description =
    "Reproduces experiments of the papers at this machine's scale: prints a table, and writes CSV, table, PDF, SVG "
    + "and PNG, with machine, versions and commands.")
public final class FigureBench implements Callable<Integer> {
    /** All experiments. */
    public static final String ALL = "all";
    private static final long TIMEOUT_SECONDS = 900;
    private static final List<String> SIMULATED = List.of("scaling-kv", "scaling-stencil");

    @Parameters(paramLabel = "NAME", arity = "1..*", description =
        "fig10c, fig10d, fig11a, fig11b, fig11c, fig12, groups; v-pingpong, v-events, v-nas; or all; with --redraw "
        + "also scaling-kv and scaling-stencil, of ./ftrma simulate --scale")
    private List<String> names = List.of();

    @Option(names = "--quick", description = "smaller problems and fewer rounds: a minute or two each")
    private boolean quick;

    @Option(names = "--out", paramLabel = "DIR", description = "write the files to this directory (default: "
        + "${DEFAULT-VALUE})",
        defaultValue = "figures")
    private Path directory;

    @Option(names = "--redraw", description = "do not measure: redraw the pictures in --out from their CSV, with "
        + "their date, machine and commands")
    private boolean redraw;

    @Option(names = "--npb", paramLabel = "DIR", description =
        "for v-nas: sources of NPB (NPB3.3-MPI or NPB3.4-MPI), to compile with mpif90 and run beside ours (default: "
        + "omitted)")
    private Path npb;

    @Option(names = CommandEnd.ASKED, description = "print one JSON object with all tables as the last line")
    private boolean json;

    @Option(names = {"-h", "--help"}, usageHelp = true, description = "show this help and exit")
    private boolean help;

    private JobRuns runs;
    private final PrintStream out;
    private final PrintStream err;

    /** The command. */
    public FigureBench() {
        this(null, System.out, System.err);
    }

    FigureBench(JobRuns runs, PrintStream out, PrintStream err) {
        this.runs = runs;
        this.out = out;
        this.err = err;
    }

    /** The names of all experiments, of simulated figures, and of all together. */
    public static List<String> labels() {
        List<String> labels = new ArrayList<>();
        for (Experiment one : Experiment.values()) {
            labels.add(one.label());
        }
        labels.addAll(SIMULATED);
        labels.add(ALL);
        return labels;
    }

    /** Exit code 0 whatever the figures are, 1 if a job failed, 2 for a wrong name. */
    @Override
    public Integer call() throws InterruptedException {
        List<Experiment> chosen = new ArrayList<>();
        for (String name : names) {
            Experiment one = Experiment.byLabel(name);
            if (!labels().contains(name)) {
                return failed(CommandLine.ExitCode.USAGE, "'" + name + "' is none of " + String.join(", ", labels()));
            }
            if (SIMULATED.contains(name) && !redraw) {
                return failed(CommandLine.ExitCode.USAGE, name + ": is computed by ./ftrma simulate --scale --out DIR; "
                    + "then --redraw --out DIR draws it");
            }
            chosen.addAll(name.equals(ALL) ? List.of(Experiment.values()) : one == null ? List.of() : List.of(one));
        }
        if (redraw) {
            return redraw();
        }
        if (npb != null && !Files.isDirectory(npb.resolve("CG"))) {
            return failed(CommandLine.ExitCode.USAGE, "--npb=" + npb + ": has no CG in it; give the directory of "
                + "NPB3.3-MPI or NPB3.4-MPI itself");
        }
        if (npb != null && !chosen.contains(Experiment.V_NAS)) {
            return failed(CommandLine.ExitCode.USAGE, "--npb=" + npb + ": is for v-nas alone; add v-nas, or leave it "
                + "out");
        }
        if (runs == null) {
            runs = new ProcessRuns(TIMEOUT_SECONDS, directory, npb);
        }
        FigureFiles files = new FigureFiles(directory, origin());
        List<Map<String, Object>> tables = new ArrayList<>();
        try (RunProgress progress = new RunProgress(chosen.stream().mapToInt(one -> one.runs(quick)).sum(), err)) {
            for (Experiment one : chosen) {
                progress.figure(one.label());
                Figure figure = one.measure(quick, runs, progress);
                List<Path> written = write(figure, files);
                out.println(FigureFiles.table(figure));
                err.println("written: " + String.join(", ", written.stream().map(Path::toString).toList()));
                tables.add(figure.json());
            }
        } catch (IOException | FtrmaException e) {
            return failed(CommandLine.ExitCode.SOFTWARE, e.getMessage());
        }
        if (json) {
            print(tables);
        }
        return CommandLine.ExitCode.OK;
    }

    /** All experiments include those that the simulator computes ({@code ./ftrma simulate --scale}). */
    private int redraw() {
        Set<String> figures = new LinkedHashSet<>(names.contains(ALL) ? labels() : names);
        figures.remove(ALL);
        List<Map<String, Object>> tables = new ArrayList<>();
        try {
            for (String figure : figures) {
                Path csv = directory.resolve(figure + ".csv");
                if (names.contains(ALL) && !Files.exists(csv)) {
                    err.println("not there: " + csv);
                    continue;
                }
                StoredFigure stored = StoredFigure.read(csv);
                write(stored.figure(), new FigureFiles(directory, stored.origin()));
                err.println("drawn anew: " + csv);
                tables.add(stored.figure().json());
            }
        } catch (NoSuchFileException e) {
            return failed(CommandLine.ExitCode.SOFTWARE, e.getMessage() + ": there is no such file to draw from");
        } catch (IOException | FtrmaException e) {
            return failed(CommandLine.ExitCode.SOFTWARE, e.getMessage());
        }
        if (json) {
            print(tables);
        }
        return CommandLine.ExitCode.OK;
    }

    private List<Path> write(Figure figure, FigureFiles files) throws IOException {
        List<Path> written = new ArrayList<>(files.write(figure));
        written.addAll(PictureFiles.write(figure, files.remarks(figure, ""), directory));
        return written;
    }

    private int failed(int status, String why) {
        err.println("ftrma: bench: " + why);
        if (json) {
            out.println(CommandEnd.failed(status, why));
        }
        return status;
    }

    private void print(List<Map<String, Object>> tables) {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("quick", quick);
        all.put("origin", origin());
        all.put("figures", tables);
        out.println(CommandEnd.success(all));
    }

    private List<String> origin() {
        return FigureFiles.origin("./ftrma bench " + String.join(" ", names) + (quick ? " --quick" : "")
            + (npb != null ? " --npb " + npb : ""));
    }
}
