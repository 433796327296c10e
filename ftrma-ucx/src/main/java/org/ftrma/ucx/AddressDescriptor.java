package org.ftrma.ucx;

import java.nio.ByteBuffer;

/**
 * A member's address, as given to {@code connect}.
 *
 * <pre>
 *  payload: memory identity (u64), process identity (u64), pid (u64), start (u64), instance (u64),
 *           length and bytes of a service worker's address (0: none)
 * </pre>
 *
 * @param host where the member lives
 * @param instance tells several fabrics of one process apart
 * @param worker UCX address of a service worker of it; empty in what it tells all, and without a network path
 */
record AddressDescriptor(HostIdentity host, long instance, byte[] worker) {
    private static final int MAGIC = 0x66744131;

    byte[] encode() {
        ByteBuffer payload = ByteBuffer.allocate(42 + worker.length);
        payload.putLong(host.memory()).putLong(host.processes()).putLong(host.pid()).putLong(host.startTicks())
            .putLong(instance);
        return SealedBlob.seal(MAGIC, SealedBlob.put(payload, worker).flip());
    }

    static AddressDescriptor decode(byte[] bytes) {
        ByteBuffer payload = SealedBlob.open(MAGIC, bytes, "an address");
        HostIdentity host = new HostIdentity(payload.getLong(), payload.getLong(), payload.getLong(),
            payload.getLong());
        return new AddressDescriptor(host, payload.getLong(), SealedBlob.get(payload));
    }
}
