package org.ftrma.core.coordinator;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.ftrma.core.control.ControlMessage;
import org.ftrma.spi.ControlPlane;

/**
 * The exchanges of one view. What was contributed stays: for who asks, and for a member that joins late.
 * Coordinator's thread.
 */
final class ExchangeTable {
    private record Key(int scope, int sequence) {
    }

    private static final int MAX_SEQUENCE = 100_000;
    /** What is told in one frame. */
    private static final int MAX_BYTES = ControlPlane.MAX_FRAME_BYTES / 2;
    private final Map<Key, byte[][]> blobs = new HashMap<>();
    private final int ranks;
    private final int members;

    ExchangeTable(int ranks, int members) {
        this.ranks = ranks;
        this.members = members;
    }

    void clear() {
        blobs.clear();
    }

    /** What is wrong with a contribution, or null. */
    String refuse(int member, ControlMessage.Exchange exchange) {
        if (exchange.scope() < 0 || exchange.scope() >= ControlMessage.Scope.values().length) {
            return "scope=" + exchange.scope();
        }
        if (exchange.sequence() < 0 || exchange.sequence() > MAX_SEQUENCE) {
            return "sequence=" + exchange.sequence();
        }
        if (exchange.blob().length > MAX_BYTES) {
            return "bytes=" + exchange.blob().length;
        }
        return member >= participants(exchange.scope()) ? "member=" + member + " is not in scope" : null;
    }

    int participants(int scope) {
        return scope == ControlMessage.Scope.COMPUTING.ordinal() ? ranks : members;
    }

    /**
     * What the members that somebody asks for have contributed, at least the first and as many as fit a frame; null
     * if there is no such thing.
     */
    byte[][] find(ControlMessage.Ask m) {
        byte[][] all = blobs.get(new Key(m.scope(), m.sequence()));
        if (all == null || m.member() < 0 || m.count() <= 0 || m.member() > all.length - m.count()) {
            return null;
        }
        int end = m.member();
        long bytes = 0;
        while (end < m.member() + m.count() && all[end] != null && bytes + all[end].length <= MAX_BYTES) {
            bytes += all[end].length + Integer.BYTES;
            end++;
        }
        return end == m.member() ? null : Arrays.copyOfRange(all, m.member(), end);
    }

    /** Adds a contribution; returns whether the exchange is complete. */
    boolean contribute(int member, ControlMessage.Exchange exchange) {
        Key key = new Key(exchange.scope(), exchange.sequence());
        byte[][] all = blobs.computeIfAbsent(key, k -> new byte[participants(k.scope())][]);
        all[member] = exchange.blob();
        for (byte[] one : all) {
            if (one == null) {
                return false;
            }
        }
        return true;
    }

    /** Who is missing in the exchanges that are under way, for messages. */
    String missing() {
        StringBuilder text = new StringBuilder();
        blobs.forEach((key, all) -> {
            for (int member = 0; member < all.length; member++) {
                if (all[member] == null) {
                    text.append(text.isEmpty() ? "" : ", ").append(MemberTable.name(member, ranks));
                }
            }
        });
        return text.toString();
    }
}
