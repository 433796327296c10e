/**
 * What a job asks of each kind of communication that it makes recoverable. Begin with {@link
 * org.ftrma.core.protocol.RecoveryProtocol}. It knows checkpoints, and no kind of communication.
 */
package org.ftrma.core.protocol;
