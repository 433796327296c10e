/**
 * Events: what messages decide that a program cannot determine again, and where it is kept when the rank is gone. Begin
 * with {@link org.ftrma.messaging.event.EventDescriptor}. It knows the session, and neither matching nor lanes.
 */
package org.ftrma.messaging.event;
