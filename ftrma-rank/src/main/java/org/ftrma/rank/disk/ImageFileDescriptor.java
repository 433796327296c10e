package org.ftrma.rank.disk;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.zip.CRC32C;
import org.ftrma.spi.ImageStore.Label;

/**
 * The file of one rank's image.
 *
 * <pre>
 *    0  8  magic "ftRMAimg"                     32  8  step
 *    8  4  version: 1                           40  8  bytes of the contents
 *   12  4  bytes of the header, H               48  4  bytes of a block: 1 MiB
 *   16  4  rank                                 52  4  number of blocks
 *   20  4  ranks of the job                     56  4  bytes of the layout's text, T
 *   24  8  generation                           60  4  0
 *   64  T  the layout, UTF-8, then zeros up to a multiple of 4
 *          by block: CRC-32C of its contents, 4 bytes
 *          zeros
 *  H-4  4  CRC-32C of the header before it
 *    H     contents: the logical image, as much of its header as is used; the last block as long as it is
 * </pre>
 *
 * <p>All numbers are little-endian; H is a multiple of 4096. The header is written last. Whatever bit changes, a
 * checksum does. Immutable; any thread.
 */
public final class ImageFileDescriptor {
    public static final int BLOCK_BYTES = 1 << 20;
    public static final int FIXED_BYTES = 64;
    private static final long MAGIC = ByteBuffer.wrap("ftRMAimg".getBytes(StandardCharsets.US_ASCII))
        .order(ByteOrder.LITTLE_ENDIAN).getLong();
    private static final int VERSION = 1;
    private static final int PAGE = 4096;

    private final Label label;
    private final long contentBytes;
    private final int headerBytes;
    private final byte[] layout;
    private final int[] checksums;

    private ImageFileDescriptor(Label label, byte[] layout, long contentBytes, int[] checksums) {
        this.label = label;
        this.layout = layout;
        this.contentBytes = contentBytes;
        this.checksums = checksums;
        this.headerBytes = Math.toIntExact(headerBytes(layout.length, contentBytes));
    }

    /** An image that is to be written: its checksums are 0 so far. */
    public static ImageFileDescriptor of(Label label, long contentBytes) {
        return new ImageFileDescriptor(label, label.layout().getBytes(StandardCharsets.UTF_8), contentBytes,
            new int[Math.toIntExact(blocks(contentBytes))]);
    }

    private static long blocks(long contentBytes) {
        return (contentBytes + BLOCK_BYTES - 1) / BLOCK_BYTES;
    }

    private static long checksumsAt(int layoutBytes) {
        return FIXED_BYTES + (layoutBytes + 3L & -4L);
    }

    private static long headerBytes(int layoutBytes, long contentBytes) {
        return checksumsAt(layoutBytes) + 4 * blocks(contentBytes) + 4 + PAGE - 1 & -PAGE;
    }

    public Label label() {
        return label;
    }

    public long contentBytes() {
        return contentBytes;
    }

    public int headerBytes() {
        return headerBytes;
    }

    public long fileBytes() {
        return headerBytes + contentBytes;
    }

    public int blocks() {
        return checksums.length;
    }

    public int blockBytes(int block) {
        return (int) Math.min(BLOCK_BYTES, contentBytes - (long) block * BLOCK_BYTES);
    }

    public int checksum(int block) {
        return checksums[block];
    }

    public void checksum(int block, int value) {
        checksums[block] = value;
    }

    public byte[] encode() {
        ByteBuffer header = ByteBuffer.allocate(headerBytes).order(ByteOrder.LITTLE_ENDIAN);
        header.putLong(MAGIC).putInt(VERSION).putInt(headerBytes).putInt(label.rank()).putInt(label.ranks())
            .putLong(label.generation())
            .putLong(label.step()).putLong(contentBytes).putInt(BLOCK_BYTES).putInt(checksums.length)
            .putInt(layout.length).putInt(0).put(layout);
        header.position((int) checksumsAt(layout.length));
        for (int checksum : checksums) {
            header.putInt(checksum);
        }
        header.putInt(headerBytes - 4, crc(header.array(), headerBytes - 4));
        return header.array();
    }

    /**
     * How long the header is.
     *
     * @param start the file's first {@link #FIXED_BYTES} bytes
     * @throws DamagedImageException what is wrong with them; nothing that they say is believed that the file's size
     *     does not bear out
     */
    public static int headerBytes(byte[] start, long fileBytes) {
        ByteBuffer fixed = ByteBuffer.wrap(start).order(ByteOrder.LITTLE_ENDIAN);
        if (start.length < FIXED_BYTES || fixed.getLong(0) != MAGIC) {
            throw new DamagedImageException("it is not an image file");
        }
        if (fixed.getInt(8) != VERSION) {
            throw new DamagedImageException("its version is " + fixed.getInt(8) + ", this library reads version "
                + VERSION);
        }
        long content = fixed.getLong(40);
        int layoutBytes = fixed.getInt(56);
        if (content < 0 || content > fileBytes || layoutBytes < 0 || layoutBytes > Label.MAX_LAYOUT_BYTES
            || fixed.getInt(48) != BLOCK_BYTES) {
            throw new DamagedImageException("its header is damaged: contents=" + content + " layout=" + layoutBytes
                + " block=" + fixed.getInt(48)
                + " bytes in a file of " + fileBytes);
        }
        long bytes = headerBytes(layoutBytes, content);
        if (fixed.getInt(12) != bytes || fixed.getInt(52) != blocks(content)) {
            throw new DamagedImageException("its header is damaged: header=" + fixed.getInt(12) + " blocks="
                + fixed.getInt(52));
        }
        if (bytes + content != fileBytes) {
            throw new DamagedImageException("it has " + fileBytes + " bytes instead of " + (bytes + content));
        }
        return (int) bytes;
    }

    /** The header of which {@link #headerBytes(byte[], long)} told the length. */
    public static ImageFileDescriptor decode(byte[] bytes) {
        ByteBuffer header = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        if (header.getInt(bytes.length - 4) != crc(bytes, bytes.length - 4)) {
            throw new DamagedImageException("its header is damaged: the checksum is wrong");
        }
        byte[] layout = new byte[header.getInt(56)];
        header.get(FIXED_BYTES, layout);
        int[] checksums = new int[header.getInt(52)];
        for (int i = 0; i < checksums.length; i++) {
            checksums[i] = header.getInt((int) checksumsAt(layout.length) + 4 * i);
        }
        Label label = new Label(header.getInt(16), header.getInt(20), header.getLong(24), header.getLong(32),
            new String(layout, StandardCharsets.UTF_8));
        return new ImageFileDescriptor(label, layout, header.getLong(40), checksums);
    }

    /** What a manifest knows a file by: changes with any byte of the header, and so with any of the contents. */
    public static byte[] digest(byte[] header) {
        return sha256(header, header.length);
    }

    public static byte[] sha256(byte[] bytes, int length) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update(bytes, 0, length);
            return digest.digest();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    private static int crc(byte[] bytes, int length) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, 0, length);
        return (int) crc.getValue();
    }
}
