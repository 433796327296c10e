/**
 * The coordinator of a job: a pure state machine that numbers views and arbitrates exchanges, cuts, commits and
 * recovery.
 */
package org.ftrma.checkpoint.coordinator;
