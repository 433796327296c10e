package org.ftrma.spi;

/**
 * Memory that all processes of a host together can still expose. Immutable; any thread.
 *
 * @param bytes        of all regions; {@link Long#MAX_VALUE} if unknown
 * @param limit        what sets this limit, and how to raise it: a part of a sentence
 * @param regionBytes  of each region; {@link Long#MAX_VALUE} if there is no such limit
 * @param regionLimit  what sets that limit
 */
public record MemoryLimits(long bytes, String limit, long regionBytes, String regionLimit) {
    /** Nothing is known. */
    public static final MemoryLimits UNKNOWN = new MemoryLimits(Long.MAX_VALUE, "", Long.MAX_VALUE, "");
}
