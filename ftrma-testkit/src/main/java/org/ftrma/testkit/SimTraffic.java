package org.ftrma.testkit;

/**
 * Data and messages that a simulated run moved.
 *
 * @param accesses calls of the fabric's data path that went to other members: what is stored into mapped memory
 *     directly is not seen
 * @param accessBytes the bytes of these
 * @param framesUp control frames from members to the coordinator
 * @param framesDown control frames from the coordinator to members
 * @param frameBytes the bytes of both
 * @param mostExposedBytes memory that the member with the most of it has exposed in its life, but for what may never be
 *     used
 * @param prefaults regions whose pages were to come ahead, of all processes
 */
public record SimTraffic(long accesses, long accessBytes, long framesUp, long framesDown, long frameBytes,
    long mostExposedBytes,
    int prefaults) {
}
