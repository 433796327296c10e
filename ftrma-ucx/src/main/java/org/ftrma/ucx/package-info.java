/**
 * The fabric over UCX. First class to read: {@link org.ftrma.ucx.UcxFabric}.
 *
 * <p>Two domains do the work: {@code MappedDomain} gives out shared memory that every process of the host maps, so that
 * accesses are plain copies and CPU atomics; {@code NetworkDomain} reaches everybody else by UCX operations.
 */
package org.ftrma.ucx;
