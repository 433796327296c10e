/** JMH benchmarks. {@link org.ftrma.bench.BenchMain} runs them. */
package org.ftrma.bench;
