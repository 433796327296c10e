package org.ftrma.testkit;

import java.lang.foreign.MemorySegment;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.zip.CRC32C;

/**
 * Digests of the protected state of all ranks in one run, at the beginning of each step and at the end; of a step that
 * is done again, the last time counts. One simulated process at a time.
 */
final class StepStates {
    /** Of what was said for the step after the last one. */
    private static final long END = Long.MAX_VALUE;

    private final Map<Long, Map<String, Long>> bySteps = new TreeMap<>();

    void begins(long step, int rank, Map<String, Supplier<MemorySegment>> state) {
        Map<String, Long> digests = bySteps.computeIfAbsent(step, first -> new TreeMap<>());
        state.forEach((name, memory) -> {
            CRC32C digest = new CRC32C();
            digest.update(memory.get().asByteBuffer());
            digests.put(name + " of rank " + rank, digest.getValue());
        });
    }

    void ends(int rank, Map<String, Supplier<MemorySegment>> state) {
        begins(END, rank, state);
    }

    /**
     * Where another run's state is first another one, in words; empty if it nowhere is.
     *
     * @param alike runs whose results are the same: where they differ from this one, a difference says nothing
     */
    String firstDifference(StepStates other, List<StepStates> alike) {
        for (Map.Entry<Long, Map<String, Long>> step : bySteps.entrySet()) {
            Map<String, Long> found = other.bySteps.getOrDefault(step.getKey(), Map.of());
            Set<String> differs = new HashSet<>();
            step.getValue().forEach((name, digest) -> {
                if (found.containsKey(name) && !found.get(name).equals(digest) && alike.stream().allMatch(run ->
                    digest.equals(run.bySteps.getOrDefault(step.getKey(), Map.of()).get(name)))) {
                    differs.add(name);
                }
            });
            if (!differs.isEmpty()) {
                String first = differs.stream().sorted().findFirst().orElseThrow();
                return first + (step.getKey() == END ? " after the last step"
                    : step.getKey() == 1 ? " before step 1" : " at the end of step " + (step.getKey() - 1));
            }
        }
        return "";
    }
}
