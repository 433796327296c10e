/**
 * What happened in a job, in figures, and how it ended. It must not depend on anything else here.
 */
package org.ftrma.launch.record;
