/**
 * The launcher's side of a running job: processes, the private directory, the loop that owns the coordinator, injected
 * failures, the record of what happened. It must not depend on the command line.
 */
package org.ftrma.launch.host;
