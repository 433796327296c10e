package org.ftrma.core.image;

import java.util.Arrays;
import org.ftrma.FtrmaException;
import org.ftrma.core.control.Blob;
import org.ftrma.spi.Holes;
import org.ftrma.xor.DirtyMap;

/**
 * The shape of an image: the same for all computing ranks. Protected segments have the same size everywhere; a window
 * whose parts differ has room for the largest, and what a smaller one leaves of it is never touched, and zero.
 *
 * <pre>
 *   logical image   | copied part: header, protected windows, protected segments | rotating 0 | rotating 1 | ...
 *                   every piece begins at a multiple of BLOCK; parity covers the logical image, but for the part of
 *                   the header that no image uses
 *
 *   image region    | descriptor: 1 BLOCK | dirty map of slot 0 | of slot 1 | ... | copied part of slot 0 | ...
 *   rotating region | buffer 0 | buffer 1 | ...
 *                   one region per rotating segment, 2 buffers more than slots
 *   parity region   | descriptor: 1 BLOCK | parity of slot 0 | of slot 1 | ...   at checksum ranks
 *
 *   descriptor, at slot * 256:  0 tag of the image or parity (0: none)
 *              8 the tag that the dirty map counts from (-1: all is dirty)
 *              16 bytes of the header, whole blocks, that may be other than zero in this slot
 *              at 1024 + slot * 512 + 8 * j: the buffer of rotating segment j that belongs to the image
 * </pre>
 *
 * <p>The header, at the image's start ({@link ImageHeader}), has the library's own state: room for what it may be, of
 * which only the blocks are ever touched that are used, here and in parities.
 *
 * <p>The tag of a coordinated checkpoint is its generation; that of a demand checkpoint, and of the parity that
 * includes it, is above {@link #DEMAND}. There are two slots, for the committed generation and the next one, one more
 * where there are demand checkpoints, for the newest one of these, and, at computing ranks, one more where images are
 * written to disk, for the one that is being written. Each takes any slot that is free. Immutable; any thread.
 */
public final class ImageLayout {
    public static final int BLOCK = 4096;
    public static final int MAX_ROTATING = 64;
    /** Tags of demand checkpoints are above it. */
    public static final long DEMAND = 1L << 62;
    /** So much of a header has its pages from the beginning. */
    private static final long EAGER_HEADER = 16 << 10;

    private final long headerBytes;
    private final long copiedBytes;
    private final long[] rotatingBytes;
    private final int slots;

    ImageLayout(long headerBytes, long copiedBytes, long[] rotatingBytes, int slots) {
        this.slots = slots;
        this.headerBytes = headerBytes;
        this.copiedBytes = copiedBytes;
        this.rotatingBytes = rotatingBytes.clone();
    }

    /** How many slots a computing rank has. */
    public static int slots(org.ftrma.options.JobOptions options) {
        return paritySlots(options) + (options.isFlushed() ? 1 : 0);
    }

    /** How many slots a checksum rank has. */
    public static int paritySlots(org.ftrma.options.JobOptions options) {
        return options.hasDemandCheckpoints() ? 3 : 2;
    }

    /** How many buffers a rotating segment has: two that the program works on, and one for the image in each slot. */
    public static int buffers(org.ftrma.options.JobOptions options) {
        return 2 + slots(options);
    }

    public static ImageLayout decode(byte[] blob, int slots) {
        long[] values = Blob.longs(blob);
        if (values.length < 2 || values.length > 2 + MAX_ROTATING
            || Arrays.stream(values).anyMatch(v -> v < 0 || v % BLOCK != 0)
            || values[0] == 0 || values[0] > values[1]) {
            throw new FtrmaException(FtrmaException.Category.FATAL,
                "an image layout of " + blob.length + " bytes is malformed");
        }
        return new ImageLayout(values[0], values[1], Arrays.copyOfRange(values, 2, values.length), slots);
    }

    public byte[] encode() {
        long[] values = new long[2 + rotatingBytes.length];
        values[0] = headerBytes;
        values[1] = copiedBytes;
        System.arraycopy(rotatingBytes, 0, values, 2, rotatingBytes.length);
        return Blob.longs(values);
    }

    public static long align(long bytes) {
        return bytes + BLOCK - 1 & -BLOCK;
    }

    public int slots() {
        return slots;
    }

    /** Room for the header; it belongs to the copied part. */
    public long headerBytes() {
        return headerBytes;
    }

    public long copiedBytes() {
        return copiedBytes;
    }

    public int rotating() {
        return rotatingBytes.length;
    }

    public long rotatingBytes(int j) {
        return rotatingBytes[j];
    }

    /** Where rotating segment j begins in the logical image. */
    public long rotatingStart(int j) {
        long start = copiedBytes;
        for (int i = 0; i < j; i++) {
            start += rotatingBytes[i];
        }
        return start;
    }

    /** Bytes of a logical image, and of one parity. */
    public long imageBytes() {
        return rotatingStart(rotatingBytes.length);
    }

    public long dirtyMapBytes() {
        return DirtyMap.bytesFor(copiedBytes, BLOCK);
    }

    public long dirtyMapOffset(int slot) {
        return BLOCK + slot * align(dirtyMapBytes());
    }

    public long slotOffset(int slot) {
        return BLOCK + slots * align(dirtyMapBytes()) + slot * copiedBytes;
    }

    public long imageRegionBytes() {
        return slotOffset(slots);
    }

    public long parityOffset(int slot) {
        return BLOCK + slot * imageBytes();
    }

    public long parityRegionBytes(int paritySlots) {
        return parityOffset(paritySlots);
    }

    /** What a computing rank's region has that is hardly ever used. */
    public Holes imageHoles() {
        return holes(slotOffset(0), copiedBytes, slots);
    }

    /** The same of a checksum rank's region. */
    public Holes parityHoles(int paritySlots) {
        return holes(parityOffset(0), imageBytes(), paritySlots);
    }

    private Holes holes(long firstHeader, long stride, int count) {
        return headerBytes <= 2 * EAGER_HEADER ? Holes.NONE
            : new Holes(firstHeader + EAGER_HEADER, headerBytes - EAGER_HEADER, stride, count);
    }

    public static long tagOffset(int slot) {
        return 256L * slot;
    }

    public static long baseOffset(int slot) {
        return 256L * slot + 8;
    }

    public static long usedOffset(int slot) {
        return 256L * slot + 16;
    }

    public static long bufferOffset(int slot, int j) {
        return 1024 + 512L * slot + 8L * j;
    }

    public boolean sameAs(ImageLayout other) {
        return headerBytes == other.headerBytes && copiedBytes == other.copiedBytes
            && Arrays.equals(rotatingBytes, other.rotatingBytes);
    }
}
