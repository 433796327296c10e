package org.ftrma.xor.domains;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;

/**
 * A machine: what fails together, and how often. A value class; any thread.
 *
 * @param topology its failure domains
 * @param failures of each level, smallest first: how often its elements fail; null where it is not known
 */
public record Machine(Topology topology, List<FailureDistribution> failures) {
    private static final String TSUBAME2 = "tsubame2";

    /** Checks the number of distributions and copies the list. */
    public Machine {
        if (failures.size() != topology.levels()) {
            throw new IllegalArgumentException(failures.size() + " failure distributions for " + topology.levels()
                + " levels");
        }
        failures = Collections.unmodifiableList(new ArrayList<>(failures));
    }

    /** A machine of which only the structure is known. */
    public static Machine of(Topology topology) {
        return new Machine(topology, Collections.nCopies(topology.levels(), null));
    }

    /** Names of the machines that {@link #named} knows. */
    public static Set<String> known() {
        return Set.of(TSUBAME2);
    }

    /** A machine that is built in. */
    public static Machine named(String name) {
        if (!name.equals(TSUBAME2)) {
            throw new IllegalArgumentException("machine '" + name + "' is not known: there is "
                + String.join(", ", known()));
        }
        return tsubame2();
    }

    /**
     * TSUBAME2.0 as in ftRMA, section 7.1: 1408 nodes, 352 power supplies, 88 edge switches, 44 racks, and their four
     * distributions.
     */
    public static Machine tsubame2() {
        Topology topology = Topology.regular(TSUBAME2, List.of("node", "psu", "switch", "rack"),
            new int[] {1408, 352, 88, 44},
            Topology.UNLIMITED);
        return new Machine(topology, List.of(
            FailureDistribution.exponential(0.30142e-2, 1.3567),
            FailureDistribution.exponential(1.1836e-4, 1.4831),
            FailureDistribution.exponential(3.9249e-5, 1.5902),
            FailureDistribution.exponential(3.2257e-5, 1.5488)));
    }
}
