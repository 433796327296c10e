/**
 * Barriers, broadcasts, reductions and gathers over the control regions. Begin with {@link
 * org.ftrma.core.collective.Collectives}. Whoever replays hands in where results come from.
 */
package org.ftrma.core.collective;
