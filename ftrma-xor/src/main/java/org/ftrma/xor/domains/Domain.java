package org.ftrma.xor.domains;

import java.util.List;

/**
 * An element of a failure-domain hierarchy with all that is inside, as {@link Topology#of} takes it: a rack and its
 * switches, down to the nodes. A value class; any thread.
 *
 * @param name    how people call it; empty for a name made of its level and number, such as {@code node3}
 * @param slots   how many members (computing and checksum ranks) a node can hold, {@link Topology#UNLIMITED} for any
 *     number; only
 *                nodes have slots of their own, for what is above them the value is not used
 * @param domains what is inside, of the next lower level; empty for a node
 */
public record Domain(String name, int slots, List<Domain> domains) {
    /** Copies the list. */
    public Domain {
        domains = List.copyOf(domains);
    }

    /** A node. */
    public static Domain node(String name, int slots) {
        return new Domain(name, slots, List.of());
    }

    /** Something that holds others. */
    public static Domain of(String name, List<Domain> domains) {
        return new Domain(name, Topology.UNLIMITED, domains);
    }
}
