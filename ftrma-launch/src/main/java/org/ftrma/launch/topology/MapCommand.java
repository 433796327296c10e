package org.ftrma.launch.topology;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.ftrma.MisuseException;
import org.ftrma.xor.domains.GroupMapper;
import org.ftrma.xor.domains.NoPlacementException;
import org.ftrma.xor.domains.Placement;
import org.ftrma.xor.domains.Topology;
import picocli.CommandLine.ParseResult;

/** The command that places a job on a machine, or says why that cannot be. One thread. */
public final class MapCommand {
    /** Its options. */
    public static final List<MachineOption> OPTIONS = List.of(MachineOption.MACHINE, MachineOption.TOPOLOGY,
        MachineOption.NODES,
        MachineOption.RANKS, MachineOption.CHECKSUMS, MachineOption.LOSSES, MachineOption.AWARE, MachineOption.PICTURE,
        MachineOption.JSON);
    private static final int MAX_LINES = 100;
    private final PrintStream out;

    /** A command that prints to {@code out}. */
    public MapCommand(PrintStream out) {
        this.out = out;
    }

    /** Runs it; returns the exit code. */
    public int execute(ParseResult parsed) {
        MachineArguments arguments = new MachineArguments(parsed);
        Topology topology = arguments.machine().topology();
        int ranks = arguments.ranks(MachineOption.RANKS);
        int losses = arguments.losses();
        int aware = arguments.aware(topology);
        Placement placement = place(topology, ranks, arguments.checksums(ranks, losses), losses, aware);
        if (arguments.has(MachineOption.PICTURE)) {
            PlacementPicture.write(placement, arguments.path(MachineOption.PICTURE));
        }
        if (arguments.has(MachineOption.JSON)) {
            out.println(MachineArguments.json(json(placement, aware)));
        } else {
            print(placement, aware);
        }
        return 0;
    }

    /** The placement; what cannot be placed is wrong usage. */
    static Placement place(Topology topology, int ranks, int checksums, int losses, int aware) {
        try {
            return GroupMapper.map(topology, ranks, checksums, losses, aware);
        } catch (NoPlacementException | IllegalArgumentException e) {
            throw LocatedJson.caused(new MisuseException(e.getMessage()), e);
        }
    }

    private static Map<String, Object> json(Placement placement, int aware) {
        Topology topology = placement.topology();
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("machine", topology.name());
        json.put("ranks", placement.ranks());
        json.put("checksums", placement.members() - placement.ranks());
        json.put("losses", placement.losses());
        json.put("aware", aware == 0 ? "none" : topology.levelName(aware));
        json.put("groups", placement.groups());
        json.put("groupSize", placement.membersOf(0).length);
        List<Map<String, Object>> levels = new ArrayList<>();
        for (int level = 1; level <= topology.levels(); level++) {
            Map<String, Object> one = new LinkedHashMap<>();
            one.put("name", topology.levelName(level));
            one.put("count", topology.count(level));
            one.put("mostOfOneGroup", placement.sharing(level));
            levels.add(one);
        }
        json.put("levels", levels);
        int[] load = placement.load();
        json.put("minLoad", Arrays.stream(load).min().orElse(0));
        json.put("maxLoad", Arrays.stream(load).max().orElse(0));
        json.put("distance", placement.distance());
        json.put("nodeOfMember", IntStream.range(0, placement.members()).map(placement::nodeOf).toArray());
        json.put("groupOfMember", IntStream.range(0, placement.members()).map(placement::groupOf).toArray());
        return json;
    }

    private void print(Placement placement, int aware) {
        Topology topology = placement.topology();
        int[] load = placement.load();
        line("%s", topology);
        line("%d computing and %d checksum ranks: %d groups of %s; each survives %d at once", placement.ranks(),
            placement.members() - placement.ranks(), placement.groups(), sizes(placement), placement.losses());
        line("%-12s%10s%28s", "level", "elements", "most of one group on one");
        for (int level = 1; level <= topology.levels(); level++) {
            line("%-12s%10d%28d%s", topology.levelName(level), topology.count(level), placement.sharing(level),
                level <= aware ? "  t-aware" : "");
        }
        line("members on a node: %d to %d; distance in a group: %.2f levels on average",
            Arrays.stream(load).min().orElse(0),
            Arrays.stream(load).max().orElse(0), placement.distance());
        if (aware > 0) {
            line("checked: no more than %d of any group on one %s, nor on one element below it", placement.losses(),
                topology.levelName(aware));
        }
        line("%nrank.group on each node; c: a checksum rank");
        draw(placement);
    }

    private static String sizes(Placement placement) {
        int large = placement.membersOf(0).length;
        int small = placement.membersOf(placement.groups() - 1).length;
        return large == small ? Integer.toString(large) : small + " or " + large;
    }

    private void draw(Placement placement) {
        Topology topology = placement.topology();
        List<List<Integer>> members = new ArrayList<>();
        for (int node = 0; node < topology.nodes(); node++) {
            members.add(new ArrayList<>());
        }
        for (int member = 0; member < placement.members(); member++) {
            members.get(placement.nodeOf(member)).add(member);
        }
        int lines = 0;
        for (int node = 0; node < topology.nodes(); node++) {
            if (lines > MAX_LINES) {
                line("... and %d more nodes; all are in --json and --picture", topology.nodes() - node);
                return;
            }
            for (int level = topology.levels(); level > 1; level--) {
                int domain = topology.domainOf(node, level);
                if (topology.firstNode(level, domain) == node) {
                    line("%s%s", "  ".repeat(topology.levels() - level), topology.domainName(level, domain));
                    lines++;
                }
            }
            line("%s%-10s %s", "  ".repeat(topology.levels() - 1), topology.domainName(1, node),
                members.get(node).stream()
                .map(member -> (member < placement.ranks() ? "" : "c")
                + (member < placement.ranks() ? member : member - placement.ranks()) + "."
                    + placement.groupOf(member)).collect(Collectors.joining(" ")));
            lines++;
        }
    }

    private void line(String format, Object... arguments) {
        out.println(String.format(Locale.ROOT, format, arguments));
    }
}
