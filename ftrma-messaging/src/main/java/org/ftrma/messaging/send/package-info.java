/**
 * The sending half of a rank, with a log of what it sends, or without. Begin with
 * {@link org.ftrma.messaging.send.Sender}. It knows lanes and requests, and not what is received.
 */
package org.ftrma.messaging.send;
