/**
 * Messages that nobody logs: images have what is in transit. Begin with
 * {@link org.ftrma.messaging.unlogged.UnloggedProtocol}. It knows no channel and no other protocol.
 */
package org.ftrma.messaging.unlogged;
