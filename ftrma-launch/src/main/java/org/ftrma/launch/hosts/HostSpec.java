package org.ftrma.launch.hosts;

import java.util.List;

/**
 * A host as its user names it. Immutable; any thread.
 *
 * @param name how it is reached by whatever starts its agent; also its name in messages
 * @param slots processes that it is to run at a time; 0: as many as it has cores
 * @param isSpare whether it runs processes only when another host does not
 * @param racks what it shares with other hosts that fail together, smallest first: each is in the next one; empty:
 *     nothing
 */
public record HostSpec(String name, int slots, boolean isSpare, List<String> racks) {
    /** With one level of what fails together, or, if that has no name, none. */
    public HostSpec(String name, int slots, boolean isSpare, String rack) {
        this(name, slots, isSpare, rack.isEmpty() ? List.of() : List.of(rack));
    }

    /** The same host with another number of slots. */
    public HostSpec withSlots(int count) {
        return new HostSpec(name, count, isSpare, racks);
    }

    /** The same host where other things fail together. */
    HostSpec withRacks(List<String> others) {
        return new HostSpec(name, slots, isSpare, others);
    }
}
