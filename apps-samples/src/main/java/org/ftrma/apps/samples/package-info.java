/**
 * Small resilient programs, one for each way to synchronize: gsync (stencil), locks, atomics with flush, messages
 * (pingpong); and three whole ones: conjugate gradients, work stealing, a search in a graph. Each verifies its own
 * result.
 */
package org.ftrma.apps.samples;
