package org.ftrma.launch.inject;

import java.util.List;

/**
 * The failures to inject into a job.
 *
 * @param faults those asked for one by one
 * @param chaosKills how many more at random steps, to random ranks
 * @param seed of every random choice
 */
public record FaultPlan(List<InjectedFailure> faults, int chaosKills, long seed) {
    /** No failures. */
    public static FaultPlan none() {
        return new FaultPlan(List.of(), 0, 0);
    }
}
