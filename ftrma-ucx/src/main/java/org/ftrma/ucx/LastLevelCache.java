package org.ftrma.ucx;

import java.nio.file.Path;

/** Size of the CPU's largest cache. */
final class LastLevelCache {
    private static final long BYTES =
        parse(KernelFiles.read(Path.of("/sys/devices/system/cpu/cpu0/cache/index3/size")));
    private static final long DEFAULT_BYTES = 32L << 20;
    private static final long LEAST_BYTES = 1L << 20;

    private LastLevelCache() {
    }

    /** Where the system does not say, 32 MiB. */
    static long bytes() {
        return BYTES;
    }

    /** @param text KiB, as in {@code 32768K} */
    static long parse(String text) {
        String digits = text.strip().replaceFirst("K$", "");
        return digits.matches("[0-9]{1,12}") ? Math.max(LEAST_BYTES, Long.parseLong(digits) << 10) : DEFAULT_BYTES;
    }
}
