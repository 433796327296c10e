/**
 * One member in the present view: what the coordinator has told it, whom it is connected to, how it waits, and its
 * control region. Begin with {@link org.ftrma.core.session.Session}. It knows control messages and the fabric, and
 * nothing of images, windows or logs.
 */
package org.ftrma.core.session;
