package org.ftrma.xor.domains;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A hierarchy of failure domains (ftRMA, section 5): elements of hardware that can fail, and what fails with them.
 * Levels are numbered as in the paper, from 1 for the smallest (nodes) to h; element i of level j (from 0) lies in one
 * element of each higher level. What the paper writes H_j is {@link #count}, and its mapping of equation (5), which
 * says on which element of level k a process runs, is {@link #domainOf} of the process's node
 * ({@link Placement#domainOf}).
 *
 * <p>Elements are numbered so that those inside one element of the next level follow each other: every element is a
 * range of nodes.
 *
 * <p>Immutable; any thread.
 */
public final class Topology {
    /** So many slots that they are no limit. */
    public static final int UNLIMITED = Integer.MAX_VALUE;
    /** The most levels. */
    public static final int MAX_LEVELS = 12;
    /** The most nodes. */
    public static final int MAX_NODES = 1 << 20;

    private final String name;
    private final List<String> levels;
    /** Of each level: the first node of each element, and the number of nodes behind the last. */
    private final int[][] firstNodes;
    /** Of each level: the element of each node. */
    private final int[][] domains;
    private final int[] slots;
    /** Of each level: given names, or null. */
    private final String[][] names;

    private Topology(String name, List<String> levels, int[][] firstNodes, int[] slots, String[][] names) {
        this.name = name;
        this.levels = List.copyOf(levels);
        this.firstNodes = firstNodes;
        this.slots = slots;
        this.names = names;
        domains = new int[firstNodes.length][slots.length];
        for (int j = 0; j < firstNodes.length; j++) {
            for (int i = 0; i + 1 < firstNodes[j].length; i++) {
                Arrays.fill(domains[j], firstNodes[j][i], firstNodes[j][i + 1], i);
            }
        }
    }

    /** So many nodes, with nothing above them that could fail, and without a limit of members. */
    public static Topology nodes(int nodes) {
        return regular(nodesName(nodes), List.of("node"), new int[] {nodes}, UNLIMITED);
    }

    private static String nodesName(int nodes) {
        return nodes + (nodes == 1 ? " node" : " nodes");
    }

    /**
     * A machine whose elements are spread evenly: element i of level j lies in element {@code i * H_(j+1) / H_j} of the
     * next.
     *
     * @param name   the machine's
     * @param levels names of the levels, smallest first
     * @param counts H_j, as many as levels, none larger than the one before
     * @param slots  members that a node can hold
     */
    public static Topology regular(String name, List<String> levels, int[] counts, int slots) {
        requireLevels(levels);
        if (counts.length != levels.size()) {
            throw new IllegalArgumentException(counts.length + " counts for " + levels.size() + " levels");
        }
        for (int j = 0; j < counts.length; j++) {
            int most = j == 0 ? MAX_NODES : counts[j - 1];
            if (counts[j] < 1 || counts[j] > most) {
                throw new IllegalArgumentException("count=" + counts[j] + " of level " + levels.get(j)
                    + ": must be 1 to " + most
                    + (j == 0 ? "" : ", since each holds at least one " + levels.get(j - 1)));
            }
        }
        requireSlots(slots, levels.getFirst());
        int[][] first = new int[counts.length][];
        for (int j = 0; j < counts.length; j++) {
            first[j] = new int[counts[j] + 1];
            for (int i = 0; i <= counts[j]; i++) {
                // The first element of the level below that is mapped to i, and through it the first node.
                first[j][i] = j == 0 ? i : first[j - 1][(int) (((long) i * counts[j - 1] + counts[j] - 1) / counts[j])];
            }
        }
        int[] nodeSlots = new int[counts[0]];
        Arrays.fill(nodeSlots, slots);
        return new Topology(name, levels, first, nodeSlots, new String[counts.length][]);
    }

    /**
     * A machine told element by element.
     *
     * @param name   the machine's
     * @param levels names of the levels, smallest first
     * @param roots  the elements of the highest level, at least one; all nodes are equally deep
     */
    public static Topology of(String name, List<String> levels, List<Domain> roots) {
        requireLevels(levels);
        int depth = levels.size();
        int[][] first = new int[depth][];
        String[][] names = new String[depth][];
        List<Domain> row = roots;
        List<List<Domain>> rows = new ArrayList<>();
        for (int j = depth; j-- > 0;) {
            rows.addFirst(row);
            List<Domain> next = new ArrayList<>();
            for (Domain domain : row) {
                if (domain.domains().isEmpty() != (j == 0)) {
                    throw new IllegalArgumentException(levels.get(j) + " " + domain.name()
                        + (j == 0 ? " has something inside, but "
                        + "is of the lowest level" : " is empty: it needs at least one " + levels.get(j - 1)));
                }
                // No level has more elements than there are nodes: what stands for many others is not spread out in
                // vain.
                if (next.size() + (long) domain.domains().size() > MAX_NODES) {
                    throw new IllegalArgumentException("more than " + MAX_NODES + " elements of level "
                        + levels.get(j - 1));
                }
                next.addAll(domain.domains());
            }
            row = next;
        }
        List<Domain> nodes = rows.getFirst();
        if (nodes.isEmpty() || nodes.size() > MAX_NODES) {
            throw new IllegalArgumentException(nodes.size() + " elements of level " + levels.getFirst()
                + ": must be 1 to " + MAX_NODES);
        }
        for (int j = 0; j < depth; j++) {
            List<Domain> elements = rows.get(j);
            first[j] = new int[elements.size() + 1];
            names[j] = elements.stream().map(Domain::name).toArray(String[]::new);
            requireDistinct(names[j], levels.get(j));
            int child = 0;
            for (int i = 0; i < elements.size(); i++) {
                child += elements.get(i).domains().size();
                first[j][i + 1] = j == 0 ? i + 1 : first[j - 1][child];
            }
        }
        int[] slots = nodes.stream().mapToInt(Domain::slots).toArray();
        for (int i = 0; i < slots.length; i++) {
            requireSlots(slots[i], nodes.get(i).name());
        }
        return new Topology(name, levels, first, slots, names);
    }

    private static void requireLevels(List<String> levels) {
        if (levels.isEmpty() || levels.size() > MAX_LEVELS) {
            throw new IllegalArgumentException(levels.size() + " levels: must be 1 to " + MAX_LEVELS);
        }
        Set<String> seen = new HashSet<>();
        for (String level : levels) {
            if (level.isBlank() || level.equals("none")) {
                throw new IllegalArgumentException("level name '" + level + "': must not be blank, nor 'none'");
            }
            if (!seen.add(level)) {
                throw new IllegalArgumentException("level name '" + level + "': there is a level of this name already");
            }
        }
    }

    private static void requireDistinct(String[] names, String level) {
        Set<String> seen = new HashSet<>();
        for (String name : names) {
            if (!name.isEmpty() && !seen.add(name)) {
                throw new IllegalArgumentException("name '" + name + "': there is another " + level + " of this name");
            }
        }
    }

    private static void requireSlots(int slots, String what) {
        if (slots < 1) {
            throw new IllegalArgumentException("slots=" + slots + " of " + what + ": must be at least 1");
        }
    }

    /** The machine's name. */
    public String name() {
        return name;
    }

    /** Levels, h. */
    public int levels() {
        return levels.size();
    }

    /** The name of a level, 1 to h. */
    public String levelName(int level) {
        requireLevel(level);
        return levels.get(level - 1);
    }

    /** The names of all levels, smallest first. */
    public List<String> levelNames() {
        return levels;
    }

    /** The number of the level of a name, 1 to h; 0 for {@code none}. Refused where there is none. */
    public int level(String levelName) {
        int index = levels.indexOf(levelName);
        if (index < 0 && !levelName.equals("none")) {
            throw new IllegalArgumentException("'" + levelName + "' is not a level of " + name + ": these are none, "
                + String.join(", ", levels));
        }
        return index + 1;
    }

    /** Elements at a level, H_j. */
    public int count(int level) {
        requireLevel(level);
        return firstNodes[level - 1].length - 1;
    }

    /** Nodes: elements of level 1. */
    public int nodes() {
        return slots.length;
    }

    /** The element of a level in which a node lies; the node itself at level 1. */
    public int domainOf(int node, int level) {
        requireLevel(level);
        return domains[level - 1][node];
    }

    /** The first node in an element. */
    public int firstNode(int level, int domain) {
        requireDomain(level, domain);
        return firstNodes[level - 1][domain];
    }

    /** The number after that of the last node in an element. */
    public int endNode(int level, int domain) {
        requireDomain(level, domain);
        return firstNodes[level - 1][domain + 1];
    }

    /** How many members a node can hold; {@link #UNLIMITED} where nothing was said. */
    public int slots(int node) {
        return slots[node];
    }

    /** How people call an element: its given name, or level and number. */
    public String domainName(int level, int domain) {
        requireDomain(level, domain);
        String[] given = names[level - 1];
        return given == null || given[domain].isEmpty() ? levels.get(level - 1) + domain : given[domain];
    }

    /** The name that an element was given; empty for none. */
    String givenName(int level, int domain) {
        requireDomain(level, domain);
        String[] given = names[level - 1];
        return given == null ? "" : given[domain];
    }

    private void requireLevel(int level) {
        if (level < 1 || level > levels.size()) {
            throw new IndexOutOfBoundsException("level=" + level + ": " + name + " has levels 1 to " + levels.size());
        }
    }

    private void requireDomain(int level, int domain) {
        if (domain < 0 || domain >= count(level)) {
            throw new IndexOutOfBoundsException(levelName(level) + " " + domain + ": " + name + " has " + count(level));
        }
    }

    @Override
    public String toString() {
        if (levels() == 1 && name.equals(nodesName(nodes()))) {
            return name;
        }
        StringBuilder text = new StringBuilder(name).append(':');
        for (int level = 1; level <= levels(); level++) {
            text.append(level == 1 ? " " : ", ").append(count(level)).append(' ').append(levelName(level));
        }
        return text.toString();
    }
}
