package org.ftrma.launch.inject;

import java.util.List;

/**
 * The failures to inject into a job.
 *
 * @param faults those asked for one by one
 * @param chaosKills how many more at random steps, to random ranks
 * @param chaosHosts how many losses of random hosts, at random steps
 * @param seed of every random choice
 */
public record FaultPlan(List<InjectedFailure> faults, int chaosKills, int chaosHosts, long seed) {
    /** Failures of processes. */
    public FaultPlan(List<InjectedFailure> faults, int chaosKills, long seed) {
        this(faults, chaosKills, 0, seed);
    }

    /** How many there are at random steps. */
    public int chaos() {
        return chaosKills + chaosHosts;
    }

    /** No failures. */
    public static FaultPlan none() {
        return new FaultPlan(List.of(), 0, 0);
    }
}
