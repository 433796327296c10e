package org.ftrma.launch.agent;

/**
 * What a host has to offer. Immutable; any thread.
 *
 * @param cores processors that threads of a job can use at a time
 * @param availableBytes memory that its processes can take
 */
public record HostRoom(int cores, long availableBytes) {
}
