/**
 * The hosts of a job: how users name them, how their agents are started and join, and several of them as one. It must
 * not depend on the coordinator, or on what the processes do.
 */
package org.ftrma.launch.hosts;
