/**
 * How a process and its launcher talk: frames over loopback TCP, and the job's file, which a process reads before that.
 * Of the two ends the
 * process's is here, and what both have in common.
 */
package org.ftrma.rank.control;
