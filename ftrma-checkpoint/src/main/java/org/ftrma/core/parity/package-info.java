/**
 * The parities of a group's images: made by checksum ranks, read to rebuild what was lost. Begin with {@link
 * org.ftrma.core.parity.ChecksumRank}. It knows images, and nothing of windows or logs.
 */
package org.ftrma.core.parity;
