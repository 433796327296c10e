/**
 * Small resilient programs, one for each way to synchronize: gsync (stencil), locks, atomics with flush. Each verifies
 * its own result.
 */
package org.ftrma.apps.samples;
