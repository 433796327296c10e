package org.ftrma.ucx;

import java.nio.ByteBuffer;
import java.util.zip.CRC32;
import org.ftrma.MisuseException;

/**
 * The frame around addresses and keys that travel between members. UCX trusts such bytes, and would crash on damaged
 * ones, so they carry a checksum.
 *
 * <pre>
 *  0 magic (u32)   4 checksum of the rest (u32)   8 payload
 * </pre>
 */
final class SealedBlob {
    private static final int HEADER_BYTES = 8;

    private SealedBlob() {
    }

    static byte[] seal(int magic, ByteBuffer payload) {
        byte[] bytes = new byte[HEADER_BYTES + payload.remaining()];
        payload.get(bytes, HEADER_BYTES, bytes.length - HEADER_BYTES);
        ByteBuffer.wrap(bytes).putInt(magic).putInt(checksum(bytes));
        return bytes;
    }

    /** The payload, or a {@link MisuseException} if this is not what {@link #seal} made. */
    static ByteBuffer open(int magic, byte[] bytes, String what) {
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        if (bytes.length < HEADER_BYTES || buffer.getInt() != magic || buffer.getInt() != checksum(bytes)) {
            throw new MisuseException("not " + what + " of a UCX fabric: length=" + bytes.length);
        }
        return buffer;
    }

    static ByteBuffer put(ByteBuffer target, byte[] bytes) {
        return target.putShort((short) bytes.length).put(bytes);
    }

    static byte[] get(ByteBuffer source) {
        byte[] bytes = new byte[source.getShort()];
        source.get(bytes);
        return bytes;
    }

    private static int checksum(byte[] bytes) {
        CRC32 crc = new CRC32();
        crc.update(bytes, HEADER_BYTES, bytes.length - HEADER_BYTES);
        return (int) crc.getValue();
    }
}
