package org.ftrma.testkit;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.ftrma.core.coordinator.JobEvent;
import org.ftrma.core.coordinator.JobOutcome;

/**
 * Result of a simulated run.
 *
 * @param seed its seed
 * @param crashes the crashes asked for
 * @param fired how many of them took place
 * @param outcome how the job ended, or null if it did not
 * @param contents what the program handed in, by rank and name
 * @param events what the coordinator said, with the simulated time in ns
 * @param memberPoints crash points that each member passed
 * @param memberStores plain stores of the protocol by each member, where {@link StoreLoader} loaded it, else 0
 * @param pointsAtFirstDeath the same at the time of the first death, or null
 * @param steps steps of the scheduler
 * @param stepsAtFirstDeath of these, before the first death
 * @param trace a number that differs for runs that took different courses
 * @param lossBeyondRepair whether more members of a group were down at once than it survives
 * @param violations rules of the service interfaces that were broken
 * @param hang the state of all processes if nothing could happen any more, else null
 * @param traffic what was moved
 * @param counters what each process counted, as it left them
 */
public record SimResult(long seed, List<Crash> crashes, int fired, JobOutcome outcome,
    Map<Integer, Map<String, byte[]>> contents,
    List<TimedEvent> events, long[] memberPoints, long[] memberStores, long[] pointsAtFirstDeath, long steps,
    long stepsAtFirstDeath, long trace,
    boolean lossBeyondRepair, List<String> violations, String hang, SimTraffic traffic, SimCounters counters) {

    /**
     * An event and when it happened.
     *
     * @param nanos simulated time
     * @param event what happened
     */
    public record TimedEvent(long nanos, JobEvent event) {
    }

    /** Whether the job ended well and no rule was broken on the way. */
    public boolean succeeded() {
        return outcome != null && outcome.kind() == JobOutcome.Kind.SUCCESS && violations.isEmpty() && hang == null;
    }

    /** What is wrong with this run, given the contents of a run without failures; null if nothing is. */
    public String fault(Map<Integer, Map<String, byte[]>> expected) {
        if (hang != null) {
            return "hang: " + hang;
        }
        if (!violations.isEmpty()) {
            return "violations: " + String.join("\n", violations);
        }
        return switch (outcome.kind()) {
            case SUCCESS -> difference(expected);
            case FAILED, UNFIT -> "the job failed: " + outcome.message();
            case STOPPED -> null; // what is on disk counts
            case CATASTROPHIC -> lossBeyondRepair ? null
                : "the job gave up although no group had lost more members at a time than it survives: "
                + outcome.message();
        };
    }

    /** Deaths of other members at each of their demand checkpoints that counted since a member was recovered alone. */
    List<Crash> atImagesSinceRecoveryOf(int lost) {
        Map<Integer, Long> images = new TreeMap<>();
        List<Crash> deaths = new ArrayList<>();
        boolean isBack = false;
        for (TimedEvent timed : events) {
            isBack |= timed.event() instanceof JobEvent.Replayed back && back.member() == lost;
            if (timed.event() instanceof JobEvent.DemandCommitted taken) {
                long image = images.merge(taken.member(), 1L, Long::sum);
                if (isBack && taken.member() != lost) {
                    deaths.add(new Crash(true, taken.member(), image, Crash.How.IMAGE));
                }
            }
        }
        return deaths;
    }

    private String difference(Map<Integer, Map<String, byte[]>> expected) {
        if (!expected.keySet().equals(contents.keySet())) {
            return "results of ranks " + contents.keySet() + ", expected of " + expected.keySet();
        }
        for (Map.Entry<Integer, Map<String, byte[]>> rank : expected.entrySet()) {
            Map<String, byte[]> mine = contents.get(rank.getKey());
            for (Map.Entry<String, byte[]> item : rank.getValue().entrySet()) {
                byte[] got = mine.get(item.getKey());
                int at = got == null ? 0 : Arrays.mismatch(got, item.getValue());
                if (at >= 0) {
                    return "wrong result: rank " + rank.getKey() + " " + item.getKey() + " differs at byte " + at
                        + (got == null ? ": it is missing" : ": " + values(got, item.getValue(), at));
                }
            }
        }
        return null;
    }

    /** Both values there, as the numbers that they most probably are. */
    private static String values(byte[] got, byte[] expected, int at) {
        if (got.length != expected.length) {
            return got.length + " bytes in place of " + expected.length;
        }
        ByteBuffer mine = ByteBuffer.wrap(got).order(ByteOrder.nativeOrder());
        ByteBuffer right = ByteBuffer.wrap(expected).order(ByteOrder.nativeOrder());
        int place = at - at % Long.BYTES;
        if (got.length < place + Long.BYTES) {
            return mine.get(at) + " in place of " + right.get(at);
        }
        return isReal(mine.getDouble(place)) && isReal(right.getDouble(place))
            ? mine.getDouble(place) + " in place of " + right.getDouble(place)
            : mine.getLong(place) + " in place of " + right.getLong(place);
    }

    /** Whole numbers that are not very large are tiny ones as bits of a double. */
    private static boolean isReal(double value) {
        return value == 0 || Math.abs(value) > 1e-100 && Math.abs(value) < 1e100;
    }

    /** The course of the run for people: events, outcome, what was broken. */
    public String story() {
        StringBuilder text = new StringBuilder("seed " + seed + ", crashes " + Crash.format(crashes) + " (" + fired
            + " took place), " + steps
            + " steps\n");
        for (TimedEvent event : events) {
            text.append(String.format(Locale.ROOT, "%10.1f us  %s%n", event.nanos() / 1000.0, event.event()));
        }
        text.append("outcome: ").append(outcome).append('\n');
        violations.forEach(v -> text.append("violation: ").append(v).append('\n'));
        if (hang != null) {
            text.append("hang: ").append(hang).append('\n');
        }
        if (!succeeded()) {
            text.append(counters);
        }
        return text.toString();
    }

    /** The contents with sorted keys, for printing and comparing. */
    static Map<Integer, Map<String, byte[]>> sorted(Map<Integer, Map<String, byte[]>> contents) {
        Map<Integer, Map<String, byte[]>> copy = new TreeMap<>();
        contents.forEach((rank, items) -> copy.put(rank, new TreeMap<>(items)));
        return copy;
    }
}
