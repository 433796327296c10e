/**
 * When a rank takes checkpoints, coordinated or on demand, goes back to one, and writes one to disk. Begin with {@link
 * org.ftrma.core.checkpoint.CoordinatedCheckpoints}. It knows images and parity; of logs it knows the gate that
 * they give it.
 */
package org.ftrma.core.checkpoint;
