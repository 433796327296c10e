package org.ftrma.launch.agent;

/**
 * The cores and the memory of a host. Immutable; any thread.
 *
 * @param cores processors that threads of a job can use at a time
 * @param availableBytes memory that its processes can take
 */
public record HostRoom(int cores, long availableBytes) {
}
