package org.ftrma.checkpoint.coordinator;

import java.util.HashMap;
import java.util.Map;
import org.ftrma.checkpoint.control.Message;

/** The exchanges of one view. The results stay, so that a member that joins late is answered at once. Coordinator's thread. */
final class ExchangeTable {
    private record Key(int scope, int sequence) {
    }

    private static final int MAX_SEQUENCE = 100_000;
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
    String refuse(int member, Message.Exchange exchange) {
        if (exchange.scope() < 0 || exchange.scope() >= Message.Scope.values().length) {
            return "scope=" + exchange.scope();
        }
        if (exchange.sequence() < 0 || exchange.sequence() > MAX_SEQUENCE) {
            return "sequence=" + exchange.sequence();
        }
        return member >= participants(exchange.scope()) ? "member=" + member + " is not in scope" : null;
    }

    int participants(int scope) {
        return scope == Message.Scope.COMPUTING.ordinal() ? ranks : members;
    }

    /** Adds a contribution; returns all of them once complete, else null. */
    byte[][] contribute(int member, Message.Exchange exchange) {
        Key key = new Key(exchange.scope(), exchange.sequence());
        byte[][] all = blobs.computeIfAbsent(key, k -> new byte[participants(k.scope())][]);
        all[member] = exchange.blob();
        for (byte[] one : all) {
            if (one == null) {
                return null;
            }
        }
        return all;
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
