/** The counters of a process, as a file of its job that outlives it. Begin with {@code CounterFile}. */
package org.ftrma.rank.counter;
