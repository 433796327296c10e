/**
 * Two-sided messages and collectives: matching, requests, channels. Begin with {@link org.ftrma.messaging.Messages}. It
 * knows a member's session and images, and no windows.
 */
package org.ftrma.messaging;
