/**
 * What runs in a rank's process: joining the job, playing a role, and leaving with the launcher. It must not depend on
 * the launcher's side.
 */
package org.ftrma.rank;
