/**
 * The interface of a protocol that makes messages recoverable. Begin with
 * {@link org.ftrma.messaging.protocol.MessageProtocol}. It knows both halves of a rank, and no protocol.
 */
package org.ftrma.messaging.protocol;
