/**
 * Puts the parts of the protocol together: one process of a job, from joining to the end, and the job as its program
 * sees it. Begin with {@link org.ftrma.runtime.RankProcess}.
 */
package org.ftrma.runtime;
