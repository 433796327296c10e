package org.ftrma.launch.inject;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.ftrma.options.JobOptions;

/**
 * Spreads random kills over a run: one in each of as many stretches of steps as there are kills, each of a random
 * member.
 */
final class Chaos {
    private final int kills;
    private final JobOptions options;

    Chaos(int kills, JobOptions options) {
        this.kills = kills;
        this.options = options;
    }

    /** The kills of a run that has begun {@code step} of {@code iterations}: only later steps are chosen. */
    List<InjectedFailure> plan(long step, long iterations, Random random) {
        long first = step + 1;
        long steps = Math.max(0, iterations - first + 1);
        List<InjectedFailure> plan = new ArrayList<>(kills);
        for (int kill = 0; kill < kills; kill++) {
            long from = first + kill * steps / kills;
            long to = Math.max(from + 1, first + (kill + 1) * steps / kills);
            long chosen = from + (long) (random.nextDouble() * (to - from));
            int member = random.nextInt(options.ranks() + options.checksums());
            int watched = member < options.ranks() ? member : 0;
            plan.add(new InjectedFailure(InjectedFailure.Action.KILL, List.of(member), watched, chosen));
        }
        return plan;
    }
}
