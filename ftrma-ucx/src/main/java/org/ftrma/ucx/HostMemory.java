package org.ftrma.ucx;

/** The memory of this machine. Any thread. */
public final class HostMemory {
    private HostMemory() {
    }

    /** Bytes that processes here can still take, within the memory limit of this process's control group. */
    public static long availableBytes() {
        return Pages.availableBytes();
    }
}
