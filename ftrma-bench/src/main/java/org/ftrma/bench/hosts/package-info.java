/**
 * What a network between hosts costs: accesses beside UCX's own benchmark, protection, and the time after a host's
 * death; begin with {@code HostsBench}.
 */
package org.ftrma.bench.hosts;
