package org.ftrma.xor.domains;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A topology as one line of text, by which it is handed to other processes.
 *
 * <pre>
 *   machine   name '/' level {',' level} '/' elements           levels smallest first, elements of the highest level
 *   elements  element {',' element}
 *   element   name '(' elements ')' ['*' count]                 above the lowest level
 *             name [':' slots] ['*' count]                      at the lowest level
 * </pre>
 *
 * <p>Names are encoded as in a URL, and empty where none was given; count is how many equal elements follow each other.
 * Pure functions; any thread.
 */
public final class TopologyText {
    private final String text;
    private final int end;
    /** Of each level: elements so far. */
    private final int[] counts = new int[Topology.MAX_LEVELS + 1];
    private int at;

    private TopologyText(String text, int from) {
        this.text = text;
        this.end = text.length();
        this.at = from;
    }

    /** The text of a topology. */
    public static String of(Topology topology) {
        String levels = topology.levelNames().stream().map(TopologyText::encoded).collect(Collectors.joining(","));
        return encoded(topology.name()) + "/" + levels + "/"
            + elements(topology, topology.levels(), 0, topology.count(topology.levels()));
    }

    private static String encoded(String name) {
        return URLEncoder.encode(name, StandardCharsets.UTF_8).replace("*", "%2A");
    }

    private static String elements(Topology topology, int level, int from, int to) {
        StringBuilder line = new StringBuilder();
        String last = null;
        int count = 0;
        for (int domain = from; domain <= to; domain++) {
            String one = domain == to ? null : element(topology, level, domain);
            if (last != null && !last.equals(one)) {
                line.append(line.isEmpty() ? "" : ",").append(last).append(count > 1 ? "*" + count : "");
                count = 0;
            }
            last = one;
            count++;
        }
        return line.toString();
    }

    private static String element(Topology topology, int level, int domain) {
        String name = encoded(topology.givenName(level, domain));
        if (level == 1) {
            int slots = topology.slots(domain);
            return name + (slots == Topology.UNLIMITED ? "" : ":" + slots);
        }
        int first = topology.domainOf(topology.firstNode(level, domain), level - 1);
        int last = topology.domainOf(topology.endNode(level, domain) - 1, level - 1);
        return name + "(" + elements(topology, level - 1, first, last + 1) + ")";
    }

    /**
     * The topology of a text.
     *
     * @throws IllegalArgumentException if it is none
     */
    public static Topology parse(String text) {
        String[] parts = text.split("/", 3);
        if (parts.length < 3) {
            throw new IllegalArgumentException("not the text of a topology: it has " + parts.length + " of 3 parts");
        }
        List<String> levels = new ArrayList<>();
        for (String level : parts[1].split(",")) {
            levels.add(decoded(level));
        }
        if (levels.size() > Topology.MAX_LEVELS) {
            throw new IllegalArgumentException("not the text of a topology: " + levels.size() + " levels, at most "
                + Topology.MAX_LEVELS);
        }
        TopologyText reader = new TopologyText(text, parts[0].length() + parts[1].length() + 2);
        List<Domain> roots = reader.elements(levels.size());
        if (reader.at < reader.end) {
            throw reader.malformed("an element");
        }
        return Topology.of(decoded(parts[0]), levels, roots);
    }

    private static String decoded(String name) {
        return URLDecoder.decode(name, StandardCharsets.UTF_8);
    }

    private List<Domain> elements(int level) {
        List<Domain> list = new ArrayList<>();
        do {
            String name = name();
            Domain one;
            if (level > 1) {
                if (!skip('(')) {
                    throw malformed("'('");
                }
                one = Domain.of(name, elements(level - 1));
                if (!skip(')')) {
                    throw malformed("')'");
                }
            } else {
                one = Domain.node(name, skip(':') ? number() : Topology.UNLIMITED);
            }
            int count = skip('*') ? number() : 1;
            if (count > Topology.MAX_NODES - counts[level]) {
                throw malformed("at most " + Topology.MAX_NODES + " elements of a level");
            }
            counts[level] += count;
            for (int i = 0; i < count; i++) {
                list.add(one);
            }
        } while (skip(','));
        return list;
    }

    private String name() {
        int from = at;
        while (at < end && "(),:*".indexOf(text.charAt(at)) < 0) {
            at++;
        }
        return decoded(text.substring(from, at));
    }

    private boolean skip(char wanted) {
        boolean here = at < end && text.charAt(at) == wanted;
        at += here ? 1 : 0;
        return here;
    }

    private int number() {
        int from = at;
        while (at < end && Character.isDigit(text.charAt(at)) && at - from < 9) {
            at++;
        }
        if (from == at) {
            throw malformed("a number");
        }
        return Integer.parseInt(text, from, at, 10);
    }

    private IllegalArgumentException malformed(String expected) {
        return new IllegalArgumentException("not the text of a topology: expected " + expected + " at character " + at
            + " of " + end);
    }
}
