/**
 * What a host does for a job, behind {@link org.ftrma.launch.agent.HostAgent}: its processes, its private places, its
 * memory. All that asks this host's kernel about a job's processes is here. It must not depend on the coordinator, on
 * connections, nor on the job that it serves.
 */
package org.ftrma.launch.agent;
