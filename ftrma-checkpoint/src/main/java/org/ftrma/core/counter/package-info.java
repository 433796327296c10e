/**
 * What a process counts where others can read it, also after its death: the states of its member, and the numbers that
 * go with them. Begin with {@link org.ftrma.core.counter.StateCounters}, which writes them;
 * {@link org.ftrma.core.counter.CounterReader} reads them.
 */
package org.ftrma.core.counter;
