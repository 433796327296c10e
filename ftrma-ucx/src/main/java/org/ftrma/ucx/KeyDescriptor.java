package org.ftrma.ucx;

import java.nio.ByteBuffer;

/**
 * A region's key, as given to {@code attach}.
 *
 * <pre>
 *  payload: address (u64), bytes (u64), length and bytes of the mapped domain's key, length and bytes of the network
 *           domain's key (0: no such path)
 * </pre>
 *
 * @param address where UCX has the region in its owner, who may use another mapping of it
 * @param bytes its size
 * @param mapped packed key of the mapped domain, or empty
 * @param network packed key of the network domain, or empty
 */
record KeyDescriptor(long address, long bytes, byte[] mapped, byte[] network) {
    private static final int MAGIC = 0x66744b31;

    byte[] encode() {
        ByteBuffer payload = ByteBuffer.allocate(20 + mapped.length + network.length).putLong(address).putLong(bytes);
        return SealedBlob.seal(MAGIC, SealedBlob.put(SealedBlob.put(payload, mapped), network).flip());
    }

    static KeyDescriptor decode(byte[] key) {
        ByteBuffer payload = SealedBlob.open(MAGIC, key, "a key");
        return new KeyDescriptor(payload.getLong(), payload.getLong(), SealedBlob.get(payload),
            SealedBlob.get(payload));
    }
}
