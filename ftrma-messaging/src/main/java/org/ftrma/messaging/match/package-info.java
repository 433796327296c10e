/**
 * Matching: requests, messages that have come, and the queues in which they wait for each other. Begin with
 * {@link org.ftrma.messaging.match.Matching}. It knows frames, and neither session nor lanes.
 */
package org.ftrma.messaging.match;
