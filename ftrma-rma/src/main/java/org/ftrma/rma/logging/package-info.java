/**
 * How accesses are made recoverable over all views of a job: not at all, by logs at other ranks, or at checksum ranks.
 * Begin with {@link org.ftrma.rma.logging.AccessProtocol}.
 */
package org.ftrma.rma.logging;
