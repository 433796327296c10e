package org.ftrma.core.parity;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.ftrma.core.image.ImageLayout;
import org.ftrma.spi.RemoteMemory;
import org.ftrma.xor.GaloisProduct;
import org.ftrma.xor.XorCode;

/**
 * Adds the difference of two images of one member to a parity, piece by piece. Blocks that are equal in both are not
 * touched. Data thread only.
 */
final class ImageDifference {
    private final GroupImages.Members access;
    private final int pieceBytes;
    /** Where memory is not mapped: a piece of an older and of a newer image. */
    private final MemorySegment pair;
    private final MemorySegment[] output = new MemorySegment[1];
    private final long[] outputOffset = new long[1];

    /** Pieces have at most so many bytes. */
    ImageDifference(GroupImages.Members access, int pieceBytes, Arena arena) {
        this.access = access;
        this.pieceBytes = pieceBytes;
        this.pair = arena.allocate(2L * pieceBytes, 64);
    }

    /**
     * Adds the difference of one piece.
     *
     * @param product multiplies the difference by the member's coefficient; null: XOR
     * @param source the parity that includes the older image; null: the destination itself
     * @return bytes that changed
     */
    long exchange(GaloisProduct product, int member, RemoteMemory memory, long older, long newer, long bytes,
        MemorySegment source, long sourceOffset, MemorySegment destination, long offset) {
        MemorySegment mapped = memory.mapped();
        MemorySegment images = mapped != null ? mapped : pair;
        long oldAt = mapped != null ? older : 0;
        long newAt = mapped != null ? newer : pieceBytes;
        if (mapped == null) {
            memory.get(pair, 0, older, bytes);
            memory.get(pair, pieceBytes, newer, bytes);
            access.flush(member);
        } else {
            memory.prefault(older, bytes);
            memory.prefault(newer, bytes);
        }
        access.goOn();
        if (source != null) {
            MemorySegment.copy(source, sourceOffset, destination, offset, bytes);
        }
        long changed = 0;
        for (long at = 0; at < bytes; at += ImageLayout.BLOCK) {
            long length = Math.min(ImageLayout.BLOCK, bytes - at);
            if (MemorySegment.mismatch(images, oldAt + at, oldAt + at + length, images, newAt + at, newAt + at + length)
                >= 0) {
                add(product, images, oldAt + at, destination, offset + at, length);
                add(product, images, newAt + at, destination, offset + at, length);
                changed += length;
            }
        }
        return changed;
    }

    private void add(GaloisProduct product, MemorySegment image, long at, MemorySegment destination, long offset,
        long length) {
        if (product == null) {
            XorCode.xorInto(image, at, destination, offset, length);
        } else {
            output[0] = destination;
            outputOffset[0] = offset;
            product.add(new MemorySegment[] {image}, new long[] {at}, output, outputOffset, length);
        }
    }
}
