/**
 * The NAS benchmarks CG, MG and IS on messages. {@link org.ftrma.apps.npb.Npb} lists them. Of each there is a program,
 * which knows the job, and a numerical part, which knows a channel at most.
 */
package org.ftrma.apps.npb;
