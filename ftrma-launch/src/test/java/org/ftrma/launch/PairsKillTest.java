package org.ftrma.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Row 7 with collectives of all: each rank accesses its partner only, and ranks of two pairs are lost at once. */
class PairsKillTest {
    private static final String PAIRS = """
        import static java.lang.foreign.ValueLayout.JAVA_LONG;

        import java.lang.foreign.MemorySegment;
        import org.ftrma.*;

        public class Pairs {
            public static void main(String[] args) {
                Ftrma.run(args, job -> {
                    Window window = job.allocateWindow("w", 512);
                    MemorySegment own = window.memory();
                    int partner = job.rank() ^ 1;
                    int home = Math.min(job.rank(), partner);
                    for (long step : job.steps(200)) {
                        window.putLong(own.getAtIndex(JAVA_LONG, 0) * 31 + step, partner, 8 + 8 * (step & 1));
                        window.fetchAndOp(AtomicOp.SUM, DataType.INT64, step + job.rank(), partner, 32);
                        job.gsync();
                        window.lock(LockType.EXCLUSIVE, home);
                        window.putLong(window.getLong(home, 40) + step * (job.rank() + 1), home, 40);
                        window.unlock(home);
                        long all = args[0].equals("reduce") ? job.allReduce(AtomicOp.SUM, step * job.rank()) : 0;
                        if (args[0].equals("gather")) {
                            job.allGather(own.asSlice(0, 8), own.asSlice(256, 8L * job.ranks()));
                            all = own.getAtIndex(JAVA_LONG, 32 + (int) (step % job.ranks()));
                        }
                        own.setAtIndex(JAVA_LONG, 0, own.getAtIndex(JAVA_LONG, 0) * 7
                            + own.getAtIndex(JAVA_LONG, 1 + (int) (step & 1)) + all);
                        job.gsync();
                    }
                    long sum = 0;
                    for (int i = 0; i < 6; i++) {
                        sum = sum * 17 + own.getAtIndex(JAVA_LONG, i);
                    }
                    job.report("sum", job.allReduce(AtomicOp.SUM, sum));
                });
            }
        }
        """;

    /** Without failures, by collective: the path does not matter. */
    private static final Map<String, Object> SUMS = new ConcurrentHashMap<>();

    @ParameterizedTest
    @CsvSource({"gsync,1+5@97,auto", "reduce,1+5@97,auto", "reduce,1+3@150,auto", "gather,3+5@177,auto",
        "reduce,1+5@97,network"})
    void ranksOfTwoPairsGoBackAloneBesideCollectivesOfAll(String collective, String kill, String path,
        @TempDir Path folder) throws IOException {
        Path classes = folder.resolve("classes");
        ProgramSource.compile(classes, "Pairs.java", PAIRS);
        String job = "run --class-path " + classes + " --ranks 6 --checksums 3 --spares 2 --protocol full"
            + " --interval 20 --timeout 120s --json --path " + path;
        Object sum = SUMS.computeIfAbsent(collective, which -> sum(Command.line(job + " -- Pairs " + which).exits(0)
            .json()));
        Map<String, Object> json = Command.line(job + " --kill " + kill + " -- Pairs " + collective).exits(0).json();
        assertEquals(sum, sum(json), json::toString);
        assertEquals(2, ((List<?>) json.get("failures")).size(), json::toString);
        assertEquals(2, json.get("localRecoveries"), json::toString);
        assertEquals(Map.of(), json.get("fallbacks"), json::toString);
    }

    private static Object sum(Map<String, Object> json) {
        return ((Map<?, ?>) json.get("reports")).get("sum");
    }
}
