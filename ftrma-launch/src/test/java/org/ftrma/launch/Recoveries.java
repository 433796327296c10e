package org.ftrma.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/** What a job's result and messages tell of its failures, and what must hold of that whenever ranks were recovered. */
final class Recoveries {
    /** Where the time of a recovery by replay goes; see docs/results.md. */
    private static final List<String> PHASES = List.of("joinMillis", "rebuildMillis", "agreeMillis", "replayMillis");
    private static final List<String> COUNTS = List.of("stepsRepeated", "putsApplied", "putsSuppressed",
        "resultsReplayed");
    /** Each figure is rounded to the microsecond. */
    private static final double ROUNDING_MILLIS = 0.01;
    private static final Pattern BEGUN = Pattern.compile("rank (\\d+) begins step (\\d+)");

    private Recoveries() {
    }

    static List<Map<?, ?>> failures(Map<String, Object> json) {
        List<Map<?, ?>> failures = new ArrayList<>();
        ((List<?>) json.get("failures")).forEach(failure -> failures.add((Map<?, ?>) failure));
        return failures;
    }

    static long count(Map<?, ?> figures, String key) {
        return ((Number) figures.get(key)).longValue();
    }

    private static double millis(Map<?, ?> failure, String key) {
        return ((Number) failure.get(key)).doubleValue();
    }

    /** So many computing ranks were lost one after the other, and each of them alone went back. */
    static void assertAllLocal(Map<String, Object> json, int lost) {
        assertEquals(Map.of(), json.get("fallbacks"));
        assertEquals(0, json.get("rollbacks"));
        assertEquals(lost, json.get("localRecoveries"));
        assertEquals(lost, failures(json).size(), json::toString);
        failures(json).forEach(Recoveries::assertReplayed);
    }

    /** A lost rank alone went back; where the time went is told, and its parts do not come to more than all of it. */
    static void assertReplayed(Map<?, ?> failure) {
        assertEquals("replay", failure.get("how"), failure::toString);
        assertTrue(count(failure, "stepsRepeated") > 0, failure::toString);
        for (String key : COUNTS) {
            assertTrue(count(failure, key) >= 0, () -> key + " of " + failure);
        }
        for (String key : PHASES) {
            assertTrue(millis(failure, key) >= 0, () -> key + " of " + failure);
        }
        assertTrue(millis(failure, "detectMillis") >= 0, failure::toString);
        // From the signal on: the new process may have been told before the launcher looked at its clock.
        double all = millis(failure, "detectMillis") + millis(failure, "recoverMillis") + ROUNDING_MILLIS;
        double state = millis(failure, "joinMillis") + millis(failure, "rebuildMillis");
        assertTrue(state > 0 && state + millis(failure, "agreeMillis") + millis(failure, "replayMillis") <= all,
            failure::toString);
    }

    /**
     * Every lost computing rank was recovered, alone or by a fallback whose reason is one of those.
     *
     * @return how many of them alone
     */
    static long assertLocalOrFor(Set<String> reasons, Map<String, Object> json) {
        Map<?, ?> fallbacks = (Map<?, ?>) json.get("fallbacks");
        assertTrue(reasons.containsAll(fallbacks.keySet()), () -> "all went back for " + fallbacks);
        List<Map<?, ?>> computing = failures(json).stream().filter(failure -> failure.get("role").equals("computing"))
            .toList();
        List<Map<?, ?>> alone = computing.stream().filter(failure -> failure.get("how").equals("replay")).toList();
        alone.forEach(Recoveries::assertReplayed);
        long together = fallbacks.values().stream().mapToLong(times -> ((Number) times).longValue()).sum();
        assertEquals(together, count(json, "rollbacks"), json::toString);
        assertEquals(alone.size(), count(json, "localRecoveries"), json::toString);
        assertEquals(computing.size(), alone.size() + together, json::toString);
        failures(json).stream().filter(failure -> failure.get("role").equals("checksum"))
            .forEach(failure -> assertEquals("parity rebuilt", failure.get("how"), failure::toString));
        return alone.size();
    }

    /**
     * The steps that each rank is told to have begun, in order: all, or what --verbose tells (all watched ones, of
     * others one in 50 ms).
     */
    static Map<Integer, List<Long>> stepsBegun(String text) {
        Map<Integer, List<Long>> begun = new HashMap<>();
        for (Matcher matcher = BEGUN.matcher(text); matcher.find(); ) {
            begun.computeIfAbsent(Integer.valueOf(matcher.group(1)), rank -> new ArrayList<>())
                .add(Long.valueOf(matcher.group(2)));
        }
        return begun;
    }

    /** No rank but one began a step again. */
    static void assertNobodyElseRepeats(int lost, int ranks, Map<Integer, List<Long>> begun) {
        assertEquals(ranks, begun.size(), begun::toString);
        begun.forEach((rank, steps) -> {
            for (int i = 1; i < steps.size() && rank != lost; i++) {
                assertTrue(steps.get(i) > steps.get(i - 1), () -> "rank " + rank + " began the steps " + steps);
            }
        });
    }

    /**
     * After the step that it was killed in, and only then, the rank began one again. Of quick steps the killed and the
     * first one are told for sure.
     */
    static void assertGoesBackOnce(long killed, List<Long> begun) {
        List<Integer> back = IntStream.range(1, begun.size()).filter(i -> begun.get(i) <= begun.get(i - 1)).boxed()
            .toList();
        assertEquals(1, back.size(), begun::toString);
        assertEquals(killed, begun.get(back.getFirst() - 1), begun::toString);
    }

    /** Depends on every bit of the result. */
    static Object digest(Map<String, Object> json) {
        Object digest = ((Map<?, ?>) json.get("reports")).get("checksumDigest");
        assertEquals(16, digest.toString().length());
        return digest;
    }
}
