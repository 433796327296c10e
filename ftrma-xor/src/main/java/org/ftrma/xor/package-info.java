/**
 * Redundancy as pure functions: parity, changed blocks, groups, the checkpoint interval, and what protection costs in
 * memory.
 */
package org.ftrma.xor;
