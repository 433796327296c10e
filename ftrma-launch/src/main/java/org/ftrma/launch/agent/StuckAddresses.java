package org.ftrma.launch.agent;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Addresses of other hosts to which nothing gets through from one host, as its agent has told. The job's thread. */
final class StuckAddresses {
    private final Map<String, Told> all = new HashMap<>();

    private record Told(long stuckNanos, long toldNanos) {
    }

    /** An address has been stuck for so long. */
    void told(String address, long stuckNanos, long nowNanos) {
        all.put(address, new Told(stuckNanos, nowNanos));
    }

    /** The longest of any of these addresses; 0: none is stuck, or what was told of it is older than {@code recent}. */
    long longestNanos(List<String> addresses, long nowNanos, long recent) {
        return addresses.stream().map(all::get).filter(told -> told != null && nowNanos - told.toldNanos < recent)
            .mapToLong(Told::stuckNanos).max().orElse(0);
    }
}
