/**
 * Protocol pessimistic-v: messages logged at their senders, events at event loggers. Begin with
 * {@link org.ftrma.messaging.pessimistic.PessimisticProtocol}. It knows no channel and no other protocol.
 */
package org.ftrma.messaging.pessimistic;
