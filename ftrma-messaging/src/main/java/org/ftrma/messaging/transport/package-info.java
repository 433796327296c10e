/**
 * How messages get from one rank's memory into another one's: lanes with one writer each, and an outbox from which long
 * messages are pulled. Begin with {@link org.ftrma.messaging.transport.FrameDescriptor}. It knows the fabric, and
 * neither matching nor the job.
 */
package org.ftrma.messaging.transport;
