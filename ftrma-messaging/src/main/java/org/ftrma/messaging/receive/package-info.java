/**
 * The receiving half of a rank, waits, and calls on requests. Begin with {@link org.ftrma.messaging.receive.Receiver}.
 * What depends on the protocol it asks of interfaces: {@link org.ftrma.messaging.receive.MessageRecovery},
 * {@link org.ftrma.messaging.receive.ReceiveSequence}, {@link org.ftrma.messaging.receive.MessageDeterminants}.
 */
package org.ftrma.messaging.receive;
