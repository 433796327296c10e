/**
 * Two-sided messages and collectives: channels, and the engine that runs them. Begin with
 * {@link org.ftrma.messaging.MessageEngine}. It knows a member's session and images, and no windows.
 */
package org.ftrma.messaging;
