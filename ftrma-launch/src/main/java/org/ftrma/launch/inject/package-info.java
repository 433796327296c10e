/**
 * Failures that are injected on purpose: what they are, and when they happen. It must not depend on processes.
 */
package org.ftrma.launch.inject;
