/**
 * How processes and agents talk with the launcher: frames over TCP, how each end shows that it knows the job's token,
 * and the job's file, which a process reads before that. Of the two ends the one that connects is here, and what both
 * have in common.
 */
package org.ftrma.rank.control;
