package org.ftrma.bench.figures;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/**
 * Runs variants in turn, round after round, every other round the other way round, so that whatever else the machine
 * does meets all alike. Each is compared with the first one of the same round; the median of these ratios counts, and
 * the least and the greatest one say what it is worth.
 */
final class InTurn {
    private final Variant variant;
    private final double[] values;
    private final double[] ratios;
    private final List<Map<String, Object>> results;

    private InTurn(Variant variant, int rounds) {
        this.variant = variant;
        values = new double[rounds];
        ratios = new double[rounds];
        results = new ArrayList<>();
    }

    /**
     * Runs them.
     *
     * @param variants the first one is what the others are compared with
     * @param rounds how often each is run
     * @param value what is compared, of a JSON result
     */
    static List<InTurn> run(List<Variant> variants, int rounds, ToDoubleFunction<Map<String, Object>> value,
        JobRuns runs, RunProgress progress)
        throws IOException, InterruptedException {
        List<InTurn> all = variants.stream().map(variant -> new InTurn(variant, rounds)).toList();
        for (int round = 0; round < rounds; round++) {
            for (InTurn one : round % 2 == 0 ? all : all.reversed()) {
                progress.begin(one.variant.label());
                Map<String, Object> result = runs.run(one.variant.arguments());
                one.results.add(result);
                one.values[round] = value.applyAsDouble(result);
                progress.end();
            }
            for (InTurn one : all) {
                one.ratios[round] = one.values[round] / all.getFirst().values[round];
            }
        }
        return all;
    }

    Variant variant() {
        return variant;
    }

    double median() {
        return median(values);
    }

    double medianRatio() {
        return median(ratios);
    }

    double leastRatio() {
        return Spread.of(ratios).least();
    }

    double greatestRatio() {
        return Spread.of(ratios).greatest();
    }

    /** The ratios of another number of the results to that of the first variant, each of the same round. */
    Spread ratios(InTurn first, ToDoubleFunction<Map<String, Object>> value) {
        return Spread.of(IntStream.range(0, results.size()).mapToDouble(round ->
            value.applyAsDouble(results.get(round)) / value.applyAsDouble(first.results.get(round))).toArray());
    }

    /** The median over the rounds of another number of the results. */
    double median(ToDoubleFunction<Map<String, Object>> value) {
        return median(results.stream().mapToDouble(value).toArray());
    }

    List<Map<String, Object>> results() {
        return results;
    }

    static double median(double... values) {
        return Spread.of(values).median();
    }
}
