package org.ftrma;

/**
 * Position of the blocks of a two-level strided access, at one of its two sides: block i of group j begins at {@code
 * offset + i * stride + j * outerStride}. To be made once and used for many accesses. Immutable; any thread.
 *
 * @param offset of the first block, in bytes, as the two others
 * @param stride from one block of a group to the next; at least a block
 * @param outerStride from one group to the next; at least a group
 */
public record Strides(long offset, long stride, long outerStride) {
}
