/**
 * Generations on disk: the format of their files, writing and reading them at the ranks, naming, listing, verifying and removing them at the launcher.
 * It must not depend on the launcher's host or the ranks' processes.
 */
package org.ftrma.launch.disk;
