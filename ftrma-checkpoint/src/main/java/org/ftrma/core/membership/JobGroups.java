package org.ftrma.core.membership;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.ftrma.MisuseException;
import org.ftrma.options.JobOption;
import org.ftrma.options.JobOptions;
import org.ftrma.xor.Groups;
import org.ftrma.xor.domains.GroupMapper;
import org.ftrma.xor.domains.NoPlacementException;
import org.ftrma.xor.domains.Placement;
import org.ftrma.xor.domains.Topology;
import org.ftrma.xor.domains.TopologyText;

/**
 * The groups of a job, and the nodes of its members, as its options say. Every process computes them for itself, with
 * the same result. Pure functions; any thread.
 */
public final class JobGroups {
    private JobGroups() {
    }

    /**
     * The groups of a protected job: dealt out in turn, or those of the placement on its nodes.
     *
     * @throws MisuseException where the options ask for groups or a placement that there are none of
     */
    public static Groups of(JobOptions options) {
        try {
            return options.hasNodes() ? Groups.of(placement(options))
                : new Groups(options.ranks(), options.groups(), options.losses(), Groups.Placement.ROUND_ROBIN);
        } catch (IllegalArgumentException e) {
            throw refused("--ranks=" + options.ranks() + " --checksums=" + options.checksums() + " --losses="
                + options.losses(), e);
        }
    }

    /** The machine on which the members of a protected job are placed. */
    public static Topology topology(JobOptions options) {
        if (!options.hasNodes() || !options.isProtected()) {
            throw new MisuseException("--nodes=" + options.nodes()
                + ": there are nodes only in a protected job with --nodes of 1 or more, or --topology");
        }
        try {
            return options.nodes() > 0 ? Topology.nodes(options.nodes()) : TopologyText.parse(options.topology());
        } catch (IllegalArgumentException e) {
            throw refused("--topology", e);
        }
    }

    /** The members in an element of a level of the machine, ascending; level 1 is that of nodes. */
    public static List<Integer> membersOn(int level, int element, JobOptions options) {
        Placement placement = placement(options);
        return IntStream.range(0, placement.members()).filter(member -> placement.domainOf(member, level) == element)
            .boxed().toList();
    }

    /** The node that a member is placed on. */
    public static int nodeOf(int member, JobOptions options) {
        return placement(options).domainOf(member, 1);
    }

    /**
     * What would have kept members of a group apart that were lost together, to follow a message; empty where nothing
     * is to be said.
     */
    public static String advice(JobOptions options, List<Integer> lost) {
        String placed = options.hasNodes() ? placementAdvice(options, lost) : "";
        if (!placed.isEmpty()) {
            return placed;
        }
        List<String> ways = new ArrayList<>();
        int groups = options.hasNodes() ? 0 : groupsThatKeepApart(options, lost);
        if (groups > 0) {
            ways.add(groups + " groups (--checksums " + groups * options.losses()
                + (options.losses() == 1 ? "" : " --losses " + options.losses())
                + ")");
        }
        if (lost.size() <= JobOption.LOSSES.form().max()) {
            ways.add("--losses " + lost.size() + " --checksums " + options.groups() * lost.size());
        }
        return ways.isEmpty() ? "" : "; it would have been survived with " + String.join(", or with ", ways);
    }

    /**
     * The fewest groups, more than there are, that would have had no more losses each than they survive; 0 if there are
     * none.
     */
    private static int groupsThatKeepApart(JobOptions options, List<Integer> lost) {
        if (lost.stream().anyMatch(member -> member >= options.ranks())) {
            return 0;
        }
        for (int groups = options.groups() + 1; groups <= options.ranks(); groups++) {
            int[] count = new int[groups];
            lost.forEach(member -> count[member % count.length]++);
            if (IntStream.of(count).max().orElse(0) <= options.losses()) {
                return groups;
            }
        }
        return 0;
    }

    /** Where all of them were on one element whose loss another level of awareness survives. */
    private static String placementAdvice(JobOptions options, List<Integer> lost) {
        Placement placement = placement(options);
        Topology topology = placement.topology();
        int level = 1;
        while (level <= topology.levels() && !share(placement, level, lost)) {
            level++;
        }
        if (level > topology.levels() || level <= topology.level(options.aware())) {
            return "";
        }
        String name = topology.levelName(level);
        String shared = "; they shared " + topology.domainName(level, placement.domainOf(lost.getFirst(), level));
        try {
            GroupMapper.map(topology, options.ranks(), options.checksums(), options.losses(), level);
            return shared + ": with --aware " + name + " the loss of a " + name + " is survived";
        } catch (NoPlacementException e) {
            return shared + ", and --aware " + name + " would not do: " + e.getMessage();
        }
    }

    private static boolean share(Placement placement, int level, List<Integer> members) {
        int element = placement.domainOf(members.getFirst(), level);
        return members.stream().allMatch(member -> placement.domainOf(member, level) == element);
    }

    private static Placement placement(JobOptions options) {
        Topology topology = topology(options);
        String given = (options.nodes() > 0 ? "--nodes=" + options.nodes() : "--topology") + " --aware="
            + options.aware();
        try {
            return GroupMapper.map(topology, options.ranks(), options.checksums(), options.losses(),
                topology.level(options.aware()));
        } catch (NoPlacementException e) {
            throw new MisuseException(given + ": " + e.getMessage());
        } catch (IllegalArgumentException e) {
            throw refused(given, e);
        }
    }

    private static MisuseException refused(String given, IllegalArgumentException why) {
        MisuseException refusal = new MisuseException(given + ": " + why.getMessage());
        refusal.initCause(why);
        return refusal;
    }
}
