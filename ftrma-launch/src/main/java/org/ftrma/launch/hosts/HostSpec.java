package org.ftrma.launch.hosts;

/**
 * A host as its user names it. Immutable; any thread.
 *
 * @param name how it is reached by whatever starts its agent; also its name in messages
 * @param slots processes that it is to run at a time; 0: as many as it has cores
 * @param isSpare whether it runs processes only when another host does not
 * @param rack what it shares with other hosts that fail together; empty: nothing
 */
public record HostSpec(String name, int slots, boolean isSpare, String rack) {
    /** The same host with another number of slots. */
    public HostSpec withSlots(int count) {
        return new HostSpec(name, count, isSpare, rack);
    }
}
