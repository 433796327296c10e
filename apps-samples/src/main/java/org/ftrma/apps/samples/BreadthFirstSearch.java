package org.ftrma.apps.samples;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Arrays;
import org.ftrma.AtomicOp;
import org.ftrma.DataType;
import org.ftrma.Ftrma;
import org.ftrma.Job;
import org.ftrma.Program;
import org.ftrma.Window;
import org.ftrma.options.CommandOption;
import org.ftrma.options.OptionForm;
import org.ftrma.options.OptionTable;
import org.ftrma.options.OptionText;
import org.ftrma.options.OptionValues;

/**
 * Distances of all vertices of a graph from vertex 0, a step for each distance: {@code ./ftrma sample bfs --ranks 4}.
 * Vertex v belongs to rank v mod N, which keeps its distance. In a step each rank looks which of its vertices have the
 * distance before, meets the others in a barrier, follows the edges from these vertices, and lowers what their ends
 * have (accumulate with MIN), wherever they are; a gsync ends it. The loop ends when no vertex was reached. Every rank
 * compares its part with a search of its own. Data thread only.
 */
public final class BreadthFirstSearch implements Program {
    private static final long CELL = 4;
    private static final int UNREACHED = Integer.MAX_VALUE;

    private final int steps;
    private final int vertices;
    private final int degree;
    private final Clock clock = new Clock();

    /** The arguments: name, form, default and meaning in one place. */
    enum Option implements CommandOption {
        STEPS("steps", OptionForm.count(1, 1_000_000), "1000000", "maximum number of steps, 1 to 1000000"),
        VERTICES("vertices", OptionForm.count(1, 100_000_000), "100000", "vertices of the graph, 1 to 100000000"),
        DEGREE("degree", OptionForm.count(1, 1000), "4",
            "directed edges that start at each vertex, 1 to 1000");

        static final OptionTable<Option> TABLE = OptionTable.of(Option.class);

        private final OptionText text;

        Option(String key, OptionForm form, String defaultText, String meaning) {
            text = new OptionText(key, form, defaultText, meaning);
        }

        @Override
        public OptionText text() {
            return text;
        }
    }

    BreadthFirstSearch(String... args) {
        OptionValues<Option> values = Option.TABLE.parse(args);
        steps = values.count(Option.STEPS);
        vertices = values.count(Option.VERTICES);
        degree = values.count(Option.DEGREE);
    }

    /** Runs this process's rank; returns when the job is done. */
    public static void main(String[] args) {
        Ftrma.run(args, new BreadthFirstSearch(args));
    }

    private int end(int vertex, int edge) {
        return Bits.below(Bits.mix(vertex, edge, 23), vertices);
    }

    @Override
    public void run(Job job) {
        job.parameter("vertices", Integer.toString(vertices));
        job.parameter("degree", Integer.toString(degree));
        int own = (vertices - job.rank() + job.ranks() - 1) / job.ranks();
        Window distances = job.allocateWindow("distances",
            CELL * ((vertices + job.ranks() - 1) / job.ranks()));
        MemorySegment memory = distances.memory();
        job.initialize(() -> {
            for (int i = 0; i < own; i++) {
                memory.setAtIndex(JAVA_INT, i, i == 0 && job.rank() == 0 ? 0 : UNREACHED);
            }
            job.gsync();
        });
        int[] frontier = new int[own]; // does not survive: each step fills it anew
        clock.start();
        boolean isOver = false;
        while (!isOver && job.nextStep()) {
            int distance = Math.toIntExact(job.step());
            int count = 0;
            for (int i = 0; i < own; i++) {
                if (memory.getAtIndex(JAVA_INT, i) == distance - 1) {
                    frontier[count++] = i;
                }
            }
            job.barrier(); // all have read their part; now it is changed
            for (int i = 0; i < count; i++) {
                follow(job, distances, frontier[i] * job.ranks() + job.rank(), distance);
            }
            job.gsync();
            isOver = job.allReduce(AtomicOp.SUM, count(memory, own, distance)) == 0 || distance == steps;
        }
        report(job, memory, own);
    }

    /** Own vertices are lowered by accumulate, too: others do so at the same time. */
    private void follow(Job job, Window distances, int vertex, int distance) {
        for (int edge = 0; edge < degree; edge++) {
            int end = end(vertex, edge);
            distances.accumulate(AtomicOp.MIN, DataType.INT32, distance, end % job.ranks(),
                (long) (end / job.ranks()) * CELL);
        }
    }

    private static long count(MemorySegment memory, int own, int distance) {
        long count = 0;
        for (int i = 0; i < own; i++) {
            count += memory.getAtIndex(JAVA_INT, i) == distance ? 1 : 0;
        }
        return count;
    }

    private void report(Job job, MemorySegment memory, int own) {
        double seconds = clock.seconds(job);
        int[] expected = search();
        long wrong = 0;
        long reached = 0;
        long digest = 0;
        for (int i = 0; i < own; i++) {
            int found = memory.getAtIndex(JAVA_INT, i);
            int vertex = i * job.ranks() + job.rank();
            wrong += found == expected[vertex] ? 0 : 1;
            reached += found == UNREACHED ? 0 : 1;
            digest += Bits.mix(vertex, found);
        }
        wrong = job.allReduce(AtomicOp.SUM, wrong);
        reached = job.allReduce(AtomicOp.SUM, reached);
        digest = job.allReduce(AtomicOp.SUM, digest);
        if (job.rank() == 0) {
            job.report("class", vertices + "x" + degree);
            job.report("iterations", job.step());
            job.report("seconds", seconds);
            job.report("reached", reached);
            job.report("wrongDistances", wrong);
            job.report("checksumDigest", String.format("%016x", digest));
            job.report("verified", wrong == 0);
        }
    }

    /** All distances, alone. */
    private int[] search() {
        int[] distances = new int[vertices];
        Arrays.fill(distances, UNREACHED);
        distances[0] = 0;
        ArrayDeque<Integer> waiting = new ArrayDeque<>();
        waiting.add(0);
        while (!waiting.isEmpty()) {
            int vertex = waiting.remove();
            for (int edge = 0; edge < degree; edge++) {
                int end = end(vertex, edge);
                if (distances[end] == UNREACHED) {
                    distances[end] = distances[vertex] + 1;
                    waiting.add(end);
                }
            }
        }
        return distances;
    }
}
