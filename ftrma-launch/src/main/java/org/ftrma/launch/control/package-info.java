/**
 * The control protocol between the launcher and the processes of a job: frames over loopback TCP. It carries the coordinator's frames and
 * knows nothing of their contents. It must not depend on the coordinator, on a fabric or on how processes are started.
 */
package org.ftrma.launch.control;
