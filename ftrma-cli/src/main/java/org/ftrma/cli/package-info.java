/**
 * The {@code ftrma} command with all its parts: those of the launcher, and demonstrations, comparisons and simulations,
 * which no job needs. Begin with {@link org.ftrma.cli.TrialCommands}.
 */
package org.ftrma.cli;
