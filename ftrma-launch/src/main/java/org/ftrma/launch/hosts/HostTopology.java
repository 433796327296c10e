package org.ftrma.launch.hosts;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.ftrma.MisuseException;
import org.ftrma.xor.domains.Domain;
import org.ftrma.xor.domains.Topology;
import org.ftrma.xor.domains.TopologyText;

/**
 * The hosts of a job as failure domains: each host is a node, and racks are levels above them where all hosts name
 * as many. Pure functions; any thread.
 */
public final class HostTopology {
    /** The level of hosts. */
    public static final String HOST = "host";
    /** The level of racks. */
    public static final String RACK = "rack";
    private static final int MOST_SWITCHES = 8;

    private HostTopology() {
    }

    /**
     * The hosts that are to run members, in the order in which the topology has them: those that share a rack follow
     * each other. Spare ones are not among them.
     */
    public static List<HostSpec> inOrder(List<HostSpec> hosts) {
        List<HostSpec> members = hosts.stream().filter(host -> !host.isSpare()).toList();
        List<HostSpec> ordered = new ArrayList<>();
        for (List<HostSpec> sameHeight : groups(members, host -> host.racks().size()).values()) {
            addInOrder(sameHeight, sameHeight.getFirst().racks().size(), ordered);
        }
        return ordered;
    }

    private static void addInOrder(List<HostSpec> hosts, int height, List<HostSpec> ordered) {
        if (height == 0) {
            ordered.addAll(hosts);
            return;
        }
        groups(hosts, host -> host.racks().get(height - 1)).values()
            .forEach(group -> addInOrder(group, height - 1, ordered));
    }

    private static <K> Map<K, List<HostSpec>> groups(List<HostSpec> hosts, Function<HostSpec, K> key) {
        return hosts.stream().collect(Collectors.groupingBy(key, LinkedHashMap::new, Collectors.toList()));
    }

    /** The topology as one line of text, by which it is handed to the processes of a job. */
    public static String text(List<HostSpec> hosts) {
        List<HostSpec> members = inOrder(hosts);
        int height = members.stream().mapToInt(host -> host.racks().size()).max().orElse(0);
        for (HostSpec host : members) {
            if (host.racks().size() < height) {
                throw new MisuseException("host " + host.name() + " names no rack, and other hosts do: give each host"
                    + " a rack=NAME, or none");
            }
        }
        List<String> levels = new ArrayList<>(List.of(HOST));
        for (int level = 1; level <= height; level++) {
            levels.add(RACK + (level == 1 ? "" : Integer.toString(level)));
        }
        return TopologyText.of(Topology.of("hosts", levels, domains(members, height)));
    }

    private static List<Domain> domains(List<HostSpec> hosts, int height) {
        if (height == 0) {
            return hosts.stream().map(host -> Domain.node(host.name(), host.slots())).toList();
        }
        return groups(hosts, host -> host.racks().get(height - 1)).entrySet().stream()
            .map(rack -> Domain.of(rack.getKey(), domains(rack.getValue(), height - 1))).toList();
    }

    /**
     * Hosts with what a network says they share, where their user has said nothing of that. What all of them share
     * tells them not apart, and is left out.
     *
     * @param switches of each host those above it, largest first; of all hosts as many, or else nothing is known
     */
    public static List<HostSpec> with(List<HostSpec> hosts, List<List<String>> switches) {
        int height = switches.getFirst().size();
        if (height > MOST_SWITCHES || switches.stream().anyMatch(above -> above.size() != height)
            || hosts.stream().anyMatch(host -> !host.racks().isEmpty())) {
            return hosts;
        }
        List<List<String>> racks = new ArrayList<>();
        hosts.forEach(host -> racks.add(new ArrayList<>()));
        for (int level = height - 1; level >= 0; level--) {
            int at = level;
            if (switches.stream().map(above -> above.get(at)).distinct().count() > 1) {
                for (int host = 0; host < hosts.size(); host++) {
                    racks.get(host).add(switches.get(host).get(level));
                }
            }
        }
        List<HostSpec> known = new ArrayList<>();
        for (int host = 0; host < hosts.size(); host++) {
            known.add(hosts.get(host).withRacks(List.copyOf(racks.get(host))));
        }
        return known;
    }
}
