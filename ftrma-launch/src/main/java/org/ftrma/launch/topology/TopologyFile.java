package org.ftrma.launch.topology;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.ftrma.MisuseException;
import org.ftrma.xor.domains.Domain;
import org.ftrma.xor.domains.FailureDistribution;
import org.ftrma.xor.domains.Machine;
import org.ftrma.xor.domains.Topology;
import org.ftrma.xor.domains.TopologyText;

/**
 * Reads a machine from a {@code topology.json}, whose format is in docs/failure-domains.md. Whatever is wrong is told
 * with file, line and field. One thread.
 */
public final class TopologyFile {
    private static final int MAX_SLOTS = 1 << 16;
    /** What each process of a job is told. */
    private static final int MAX_TEXT = 1 << 16;
    private static final Set<String> FIELDS = Set.of("name", "levels", "slots", "domains");
    private static final Set<String> LEVEL_FIELDS = Set.of("name", "count", "failures");
    private static final Set<String> DOMAIN_FIELDS = Set.of("name", "domains");
    private static final Set<String> NODE_FIELDS = Set.of("name", "slots", "count");
    private static final Set<String> FAILURE_FIELDS = Set.of("scale", "decay", "perDay");

    private int nodes;
    private int slots = Topology.UNLIMITED;

    private TopologyFile() {
    }

    /** Reads the file. */
    public static Machine read(Path file) {
        byte[] contents;
        // Not by its size: a pipe has none.
        try (InputStream in = Files.newInputStream(file)) {
            contents = in.readNBytes(LocatedJson.MAX_BYTES + 1);
        } catch (IOException e) {
            throw LocatedJson.caused(new MisuseException("--topology=" + file + ": cannot be read: "
                + MachineArguments.why(e)), e);
        }
        if (contents.length > LocatedJson.MAX_BYTES) {
            throw new MisuseException("--topology=" + file + ": more than " + LocatedJson.MAX_BYTES + " bytes");
        }
        return parse(file.toString(), contents);
    }

    /** The machine of a file as the value of a job's option; none stays as it is. */
    public static String asText(String file) {
        if (file.equals("none")) {
            return file;
        }
        String text = TopologyText.of(read(Path.of(file)).topology());
        if (text.length() > MAX_TEXT) {
            throw new MisuseException("--topology=" + file + ": takes " + text.length()
                + " characters as text, at most " + MAX_TEXT
                + " in a job that runs; leave out what it does not use, or the names of nodes");
        }
        return text;
    }

    /** Reads the contents of a file of that name. */
    static Machine parse(String file, byte[] contents) {
        return new TopologyFile().machine(file, LocatedJson.parse(file, contents));
    }

    private Machine machine(String file, LocatedJson root) {
        Map<String, LocatedJson> fields = root.object(FIELDS);
        LocatedJson levelList = root.required(fields, "levels");
        List<LocatedJson> levels = levelList.array(1, Topology.MAX_LEVELS);
        List<String> names = new ArrayList<>();
        List<FailureDistribution> failures = new ArrayList<>();
        int[] counts = new int[levels.size()];
        for (LocatedJson level : levels) {
            counts[names.size()] = level(level, names, failures);
        }
        String name = fields.containsKey("name") ? fields.get("name").text() : Path.of(file).getFileName().toString();
        if (fields.containsKey("slots")) {
            slots = fields.get("slots").whole(1, MAX_SLOTS);
        }
        LocatedJson domains = fields.get("domains");
        Topology topology;
        try {
            if (domains == null) {
                for (int j = 0; j < counts.length; j++) {
                    if (counts[j] == 0) {
                        throw levels.get(j)
                            .wrong("lacks the field 'count', which is needed where the file has no 'domains'");
                    }
                }
                topology = Topology.regular(name, names, counts, slots);
            } else {
                topology = Topology.of(name, names, domains(domains, names, names.size()));
                for (int j = 0; j < counts.length; j++) {
                    if (counts[j] != 0 && counts[j] != topology.count(j + 1)) {
                        throw levels.get(j).wrong("has count " + counts[j] + ", but 'domains' tells "
                            + topology.count(j + 1));
                    }
                }
            }
        } catch (IllegalArgumentException e) {
            throw (domains == null ? levelList : domains).wrong("is not a hierarchy: " + e.getMessage());
        }
        return new Machine(topology, failures);
    }

    /** Its count, 0 where none is given. */
    private static int level(LocatedJson level, List<String> names, List<FailureDistribution> failures) {
        if (level.isText()) {
            names.add(level.text());
            failures.add(null);
            return 0;
        }
        Map<String, LocatedJson> fields = level.object(LEVEL_FIELDS);
        names.add(level.required(fields, "name").text());
        failures.add(fields.containsKey("failures") ? failures(fields.get("failures")) : null);
        return fields.containsKey("count") ? fields.get("count").whole(1, Topology.MAX_NODES) : 0;
    }

    private static FailureDistribution failures(LocatedJson failures) {
        Map<String, LocatedJson> fields = failures.object(FAILURE_FIELDS);
        try {
            if (fields.containsKey("perDay")) {
                if (fields.size() > 1) {
                    throw failures.wrong("has both 'perDay' and 'scale' or 'decay'");
                }
                List<LocatedJson> table = fields.get("perDay").array(1, FailureDistribution.MAX_TABLE);
                return FailureDistribution.tabulated(table.stream().mapToDouble(LocatedJson::number).toArray());
            }
            return FailureDistribution.exponential(failures.required(fields, "scale").number(),
                failures.required(fields, "decay").number());
        } catch (IllegalArgumentException e) {
            throw failures.wrong("is not a distribution: " + e.getMessage());
        }
    }

    private List<Domain> domains(LocatedJson list, List<String> levels, int level) {
        List<Domain> domains = new ArrayList<>();
        for (LocatedJson one : list.array(1, Topology.MAX_NODES)) {
            if (level > 1) {
                Map<String, LocatedJson> fields = one.object(DOMAIN_FIELDS);
                LocatedJson inside = fields.get("domains");
                if (inside == null) {
                    throw one.wrong("is a " + levels.get(level - 1) + " and lacks the field 'domains'");
                }
                domains.add(Domain.of(name(fields), domains(inside, levels, level - 1)));
            } else {
                addNodes(one, domains);
            }
        }
        return domains;
    }

    private void addNodes(LocatedJson node, List<Domain> domains) {
        Map<String, LocatedJson> fields = node.isText() ? Map.of("name", node) : node.object(NODE_FIELDS);
        int count = fields.containsKey("count") ? fields.get("count").whole(1, Topology.MAX_NODES) : 1;
        if (count > 1 && fields.containsKey("name")) {
            throw fields.get("count").wrong("is " + count + ", but only one node can have the name that is given");
        }
        nodes += count;
        if (nodes > Topology.MAX_NODES) {
            throw node.wrong("is beyond the limit of " + Topology.MAX_NODES + " nodes");
        }
        int own = fields.containsKey("slots") ? fields.get("slots").whole(1, MAX_SLOTS) : slots;
        for (int i = 0; i < count; i++) {
            domains.add(Domain.node(name(fields), own));
        }
    }

    private static String name(Map<String, LocatedJson> fields) {
        return fields.containsKey("name") ? fields.get("name").text() : "";
    }
}
