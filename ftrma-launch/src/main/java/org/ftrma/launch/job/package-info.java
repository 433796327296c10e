/**
 * A running job: the loop that owns the coordinator, the watch over processes, the end. It reaches processes only
 * through the agent of their host. It must not depend on the command line.
 */
package org.ftrma.launch.job;
