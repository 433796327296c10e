/**
 * Collectives of channels, blocking and not, and their order. Begin with
 * {@link org.ftrma.messaging.collective.BlockingCollectives}. It knows sends and receives, and no protocol.
 */
package org.ftrma.messaging.collective;
