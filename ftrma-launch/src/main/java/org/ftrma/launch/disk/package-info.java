/**
 * Generations on disk: naming, listing, verifying and removing what ranks have written. It must not depend on the
 * launcher's host.
 */
package org.ftrma.launch.disk;
