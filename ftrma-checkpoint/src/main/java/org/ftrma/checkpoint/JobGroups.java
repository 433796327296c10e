package org.ftrma.checkpoint;

import java.util.List;
import java.util.stream.IntStream;
import org.ftrma.MisuseException;
import org.ftrma.options.JobOptions;
import org.ftrma.xor.Groups;
import org.ftrma.xor.domains.GroupMapper;
import org.ftrma.xor.domains.NoPlacementException;
import org.ftrma.xor.domains.Placement;
import org.ftrma.xor.domains.Topology;

/**
 * The groups of a job, and the simulated nodes of its members, as its options say. Every process computes them for itself, with the same
 * result. Pure functions; any thread.
 */
public final class JobGroups {
    private JobGroups() {
    }

    /**
     * The groups of a protected job: dealt out in turn, or those of the placement on its nodes.
     *
     * @throws MisuseException where the options ask for a placement that there is none of
     */
    public static Groups of(JobOptions options) {
        return options.nodes() == 0 ? Groups.of(options.ranks(), options.checksums()) : Groups.of(placement(options));
    }

    /** The members on a simulated node, ascending. */
    public static List<Integer> membersOn(int node, JobOptions options) {
        Placement placement = placement(options);
        return IntStream.range(0, placement.members()).filter(member -> placement.nodeOf(member) == node).boxed().toList();
    }

    /** What would have kept members of a group apart that were lost together on one node, to follow a message; empty where nothing is to be said. */
    public static String advice(JobOptions options, List<Integer> lost) {
        if (options.nodes() == 0 || options.isNodeAware()) {
            return "";
        }
        Placement placement = placement(options);
        int node = placement.nodeOf(lost.getFirst());
        if (lost.stream().anyMatch(member -> placement.nodeOf(member) != node)) {
            return "";
        }
        String shared = "; they shared node" + node;
        try {
            GroupMapper.map(placement.topology(), options.ranks(), options.checksums(), 1, 1);
            return shared + ": with --aware node the loss of a node is survived";
        } catch (NoPlacementException e) {
            return shared + ", and --aware node would not do: " + e.getMessage();
        }
    }

    private static Placement placement(JobOptions options) {
        if (options.nodes() == 0 || !options.isProtected()) {
            throw new MisuseException("--nodes=" + options.nodes() + ": there are nodes only in a protected job with --nodes of 1 or more");
        }
        try {
            return GroupMapper.map(Topology.nodes(options.nodes()), options.ranks(), options.checksums(), 1, options.isNodeAware() ? 1 : 0);
        } catch (NoPlacementException e) {
            throw new MisuseException("--nodes=" + options.nodes() + " --aware=node: " + e.getMessage());
        }
    }
}
