package org.ftrma.launch.inject;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.ftrma.options.JobOptions;

/**
 * Spreads random failures over a run: one in each of as many stretches of steps as there are failures. Each is the kill
 * of a random member, or the loss of the host that it is on, in random order.
 */
final class Chaos {
    /** A loop that finds out its own end says so many steps at least, or none: nobody knows how many there will be. */
    private static final long UNKNOWN_STEPS = Integer.MAX_VALUE - 1L;
    /** The stretch of each failure then. */
    private static final long STEPS_OF_EACH = 10;
    private final int kills;
    private final int hosts;
    private final JobOptions options;

    Chaos(int kills, int hosts, JobOptions options) {
        this.kills = kills;
        this.hosts = hosts;
        this.options = options;
    }

    /**
     * The failures of a run that has begun {@code step} of {@code iterations}, 0 where it does not know: only later
     * steps are chosen.
     */
    List<InjectedFailure> plan(long step, long iterations, Random random) {
        long first = step + 1;
        int failures = kills + hosts;
        boolean isUnknown = iterations == 0 || iterations >= UNKNOWN_STEPS;
        long steps = isUnknown ? STEPS_OF_EACH * failures : Math.max(0, iterations - first + 1);
        List<InjectedFailure.Action> actions = new ArrayList<>(Collections.nCopies(kills, InjectedFailure.Action.KILL));
        if (hosts > 0) { // without hosts a seed means what it meant before
            actions.addAll(Collections.nCopies(hosts, InjectedFailure.Action.HOST));
            Collections.shuffle(actions, random);
        }
        List<InjectedFailure> plan = new ArrayList<>(failures);
        for (int failure = 0; failure < failures; failure++) {
            long from = first + failure * steps / failures;
            long to = Math.max(from + 1, first + (failure + 1) * steps / failures);
            long chosen = from + (long) (random.nextDouble() * (to - from));
            int member = random.nextInt(options.ranks() + options.checksums());
            int watched = member < options.ranks() ? member : 0;
            plan.add(new InjectedFailure(actions.get(failure), List.of(member), watched, chosen));
        }
        return plan;
    }
}
