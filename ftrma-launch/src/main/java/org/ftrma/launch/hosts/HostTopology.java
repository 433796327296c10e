package org.ftrma.launch.hosts;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.ftrma.MisuseException;
import org.ftrma.xor.domains.Domain;
import org.ftrma.xor.domains.Topology;
import org.ftrma.xor.domains.TopologyText;

/**
 * The hosts of a job as failure domains: each host is a node, and racks are a level above them where all hosts name
 * one. Pure functions; any thread.
 */
public final class HostTopology {
    /** The level of hosts. */
    public static final String HOST = "host";
    /** The level of racks. */
    public static final String RACK = "rack";

    private HostTopology() {
    }

    /**
     * The hosts that are to run members, in the order in which the topology has them: those that share a rack follow
     * each other. Spare ones are not among them.
     */
    public static List<HostSpec> inOrder(List<HostSpec> hosts) {
        Map<String, List<HostSpec>> racks = new LinkedHashMap<>();
        for (HostSpec host : hosts) {
            if (!host.isSpare()) {
                racks.computeIfAbsent(host.rack(), rack -> new ArrayList<>()).add(host);
            }
        }
        return racks.values().stream().flatMap(List::stream).toList();
    }

    /** The topology as one line of text, by which it is handed to the processes of a job. */
    public static String text(List<HostSpec> hosts) {
        List<HostSpec> members = inOrder(hosts);
        long named = members.stream().filter(host -> !host.rack().isEmpty()).count();
        if (named > 0 && named < members.size()) {
            HostSpec without = members.stream().filter(host -> host.rack().isEmpty()).findFirst().orElseThrow();
            throw new MisuseException("host " + without.name() + " names no rack, and other hosts do: give each host"
                + " a rack=NAME, or none");
        }
        Map<String, List<Domain>> racks = new LinkedHashMap<>();
        for (HostSpec host : members) {
            racks.computeIfAbsent(host.rack(), rack -> new ArrayList<>()).add(Domain.node(host.name(), host.slots()));
        }
        List<Domain> nodes = racks.values().stream().flatMap(List::stream).toList();
        List<Domain> inRacks = racks.entrySet().stream().map(rack -> Domain.of(rack.getKey(), rack.getValue()))
            .toList();
        return TopologyText.of(named == 0 ? Topology.of("hosts", List.of(HOST), nodes)
            : Topology.of("hosts", List.of(HOST, RACK), inRacks));
    }
}
