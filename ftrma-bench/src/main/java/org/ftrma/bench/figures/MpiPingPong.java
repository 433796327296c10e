package org.ftrma.bench.figures;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The loop of the ping-pong sample in C, with the MPI that is installed. One thread. */
final class MpiPingPong extends MpiProgram {
    private static final String SOURCE = "mpi-pingpong.c";
    private static final String PROGRAM = "mpi-pingpong";

    MpiPingPong(JobRuns runs) throws IOException {
        super(runs);
    }

    /** How it is run. */
    static Variant variant(int steps, int repetitions) {
        return Variant.other("MPI", MPIRUN + " -np 2 ./" + PROGRAM + " " + steps + " " + repetitions);
    }

    @Override
    List<String> needed() {
        return List.of("mpicc", MPIRUN);
    }

    @Override
    void make(Path place, JobRuns compilers) throws IOException, InterruptedException {
        try (InputStream source = MpiPingPong.class.getResourceAsStream(SOURCE)) {
            Files.copy(source, place.resolve(SOURCE));
        }
        compilers.other(place, List.of("mpicc", "-O3", "-o", PROGRAM, SOURCE));
    }

    /** Its lines are like the sample's reports. */
    @Override
    Map<String, Object> result(List<String> lines) {
        Map<String, Object> reports = new LinkedHashMap<>();
        for (String line : lines) {
            String[] words = line.split(": ", 2);
            if (words.length == 2) {
                reports.put(words[0], words[1]);
            }
        }
        return Map.of("reports", reports);
    }
}
