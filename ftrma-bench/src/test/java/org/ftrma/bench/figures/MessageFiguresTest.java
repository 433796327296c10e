package org.ftrma.bench.figures;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.jr.ob.JSON;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The experiments on message logging: with real jobs, made as short as can be, and with programs of MPI made up. */
@Tag("long")
class MessageFiguresTest {
    private static final long TIMEOUT_SECONDS = 120;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @TempDir
    private Path place;

    /** Shortens jobs, and runs each once, however many rounds there are. */
    private final class Short implements JobRuns {
        private final JobRuns real = new ProcessRuns(TIMEOUT_SECONDS, place, null);
        private final Map<List<String>, Map<String, Object>> known = new HashMap<>();

        @Override
        public Map<String, Object> run(List<String> arguments) throws IOException, InterruptedException {
            List<String> few = new ArrayList<>();
            for (String word : arguments) {
                String before = few.isEmpty() ? "" : few.getLast();
                few.add(switch (before) {
                    case "--repetitions", "--ranks" -> "2";
                    case "--class" -> "S";
                    case "--warm-up" -> "0";
                    default -> word;
                });
            }
            if (!known.containsKey(few)) {
                known.put(few, real.run(few));
            }
            return known.get(few);
        }
    }

    /** Jobs and other programs that tell what they are told to tell; all programs are installed. */
    private record MadeUp(Path npb, List<String> lines, List<List<String>> commands) implements JobRuns {
        @Override
        public Map<String, Object> run(List<String> arguments) {
            Map<String, Object> reports = new HashMap<>();
            for (int size = 0; size < 24; size++) {
                reports.put((1 << size) + " B", "2.000 us, 1.0 MB/s");
            }
            return Map.of("seconds", 2.0, "mops", 100.0, "checkpoints", 1, "ranks", 2, "reports", reports);
        }

        @Override
        public boolean has(String program) {
            return true;
        }

        @Override
        public List<String> other(Path directory, List<String> command) {
            commands.add(command);
            return lines;
        }
    }

    private List<Map<String, Object>> rows(JobRuns runs, String... arguments) throws IOException {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.addAll(List.of("--quick", "--json", "--out", place.toString()));
        int status = new CommandLine(new FigureBench(runs, new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8))).execute(all.toArray(String[]::new));
        assertEquals(0, status, err.toString(StandardCharsets.UTF_8));
        for (String end : List.of(".csv", ".txt", ".png", ".svg")) {
            assertTrue(Files.size(place.resolve(arguments[0] + end)) > 0, end);
        }
        String last = out.toString(StandardCharsets.UTF_8).lines().reduce("", (before, line) -> line);
        Map<?, ?> figure = (Map<?, ?>) ((List<?>) JSON.std.mapFrom(last).get("figures")).getFirst();
        List<Map<String, Object>> rows = new ArrayList<>();
        for (Object row : (List<?>) figure.get("rows")) {
            @SuppressWarnings("unchecked")
            Map<String, Object> one = (Map<String, Object>) row;
            rows.add(one);
        }
        return rows;
    }

    private static double number(Map<String, Object> row, String key) {
        return ((Number) row.get(key)).doubleValue();
    }

    private String text(String name) throws IOException {
        return Files.readString(place.resolve(name));
    }

    @Test
    void onlyReceivesOfAnySourceAreEvents() throws IOException {
        Map<String, Map<String, Object>> byProgram = new HashMap<>();
        List<Map<String, Object>> rows = rows(new Short(), "v-events");
        for (Map<String, Object> row : rows) {
            byProgram.putIfAbsent((String) row.get("program"), row);
        }
        for (String program : List.of("CG S", "IS S", "MG S")) {
            assertEquals(0, number(byProgram.get(program), "events"), rows::toString);
            assertTrue(number(byProgram.get(program), "messages") > 50, rows::toString);
        }
        Map<String, Object> any = byProgram.get("MG S --any-source");
        assertTrue(number(any, "events") > 100 && number(any, "percent") < 100, rows::toString);
        assertEquals(number(byProgram.get("MG S"), "messages"), number(any, "messages"), rows::toString);
        assertEquals(40.33, number(byProgram.get("MG B in the paper"), "percent"));
    }

    @Test
    void loggedMessagesAreComparedWithThoseThatAreNotBySize() throws IOException {
        List<Map<String, Object>> rows = rows(new Short(), "v-pingpong");
        assertEquals(24, rows.size());
        assertEquals(8 << 20, rows.getLast().get("bytes"));
        for (Map<String, Object> row : rows) {
            for (String ratio : List.of("named", "any", "acknowledged")) {
                assertTrue(number(row, ratio) > 0 && number(row, ratio + "Least") <= number(row, ratio)
                    && number(row, ratio) <= number(row, ratio + "Greatest"), row::toString);
            }
        }
        assertTrue(text("v-pingpong.txt").contains("no column of MPI: mpicc and mpirun are not installed"));
    }

    @Test
    void runTimesAreComparedByProgram() throws IOException {
        List<Map<String, Object>> rows = rows(new Short(), "v-nas");
        assertEquals(List.of("CG", "MG"), rows.stream().map(row -> row.get("program")).toList());
        for (Map<String, Object> row : rows) {
            assertTrue(number(row, "ratio") > 0 && number(row, "loggedMops") > 0 && number(row, "logMiB") > 0,
                row::toString);
        }
        assertTrue(text("v-nas.txt").contains("no column of NPB's own programs: --npb DIR was not given"));
    }

    @Test
    void mpiIsBesideOursWhereItIsInstalled() throws IOException {
        List<String> lines = new ArrayList<>(List.of("mpirun (Open MPI) 4.1.4"));
        for (int size = 0; size < 24; size++) {
            lines.add(String.format(Locale.ROOT, "%d B: %.3f us", 1 << size, 3.0));
        }
        MadeUp runs = new MadeUp(null, lines, new ArrayList<>());
        List<Map<String, Object>> rows = rows(runs, "v-pingpong");
        assertEquals(List.of("mpicc", "-O3", "-o", "mpi-pingpong", "mpi-pingpong.c"), runs.commands().getFirst());
        assertEquals(1.5, number(rows.getFirst(), "mpi"));
        assertEquals(3, number(rows.getLast(), "mpiMicros"));
        assertTrue(text("v-pingpong.csv").contains("job: mpirun -np 2 ./mpi-pingpong 48 50"));
        assertTrue(text("v-pingpong.csv").contains("with mpirun (Open MPI) 4.1.4"));
        assertTrue(err.toString(StandardCharsets.UTF_8).contains("run 10 of 10"), err.toString(StandardCharsets.UTF_8));
    }

    @Test
    void programsOfNpbAreBesideOursWhereTheirSourcesAre() throws IOException {
        Path npb = Files.createDirectories(place.resolve("npb"));
        Files.createDirectories(npb.resolve("CG"));
        Files.createDirectories(npb.resolve("config"));
        Files.writeString(npb.resolve("config/make.def.template"), "MPIF77 = f77\n");
        MadeUp runs = new MadeUp(npb, List.of(" Time in seconds =                     1.25",
            " Mop/s total     =                  1196.37", " Verification    =               SUCCESSFUL"),
            new ArrayList<>());
        List<Map<String, Object>> rows = rows(runs, "v-nas", "--npb", npb.toString());
        assertEquals(1196.37, number(rows.getFirst(), "npbMops"));
        assertEquals(List.of("make", "cg", "CLASS=W", "NPROCS=2"), runs.commands().getFirst().subList(0, 4));
        assertEquals(List.of("mpirun", "-np", "2", "bin/mg.W.2"), runs.commands().getLast());
        assertFalse(Files.exists(npb.resolve("config/make.def")), "the user's sources stay as they are");
    }

    @Test
    void sourcesOfNpbThatAreNoneAreRefused() {
        assertEquals(2, new CommandLine(new FigureBench(new MadeUp(null, List.of(), List.of()),
            new PrintStream(out, true, StandardCharsets.UTF_8), new PrintStream(err, true, StandardCharsets.UTF_8)))
            .execute("v-nas", "--npb", place.toString()));
        assertTrue(err.toString(StandardCharsets.UTF_8).contains("has no CG in it"),
            err.toString(StandardCharsets.UTF_8));
    }
}
