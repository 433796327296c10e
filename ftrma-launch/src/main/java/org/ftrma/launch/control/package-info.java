/**
 * The launcher's end of the control connections. It carries the coordinator's frames, and those of agents, and
 * knows nothing of their contents. It must not depend on the coordinator, on a fabric or on how processes are started.
 */
package org.ftrma.launch.control;
