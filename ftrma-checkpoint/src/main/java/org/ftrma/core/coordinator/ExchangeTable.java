package org.ftrma.core.coordinator;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.ftrma.core.control.ControlMessage;
import org.ftrma.spi.ControlPlane;

/**
 * The exchanges of one view. What was contributed stays: for who asks, and for a member that joins late.
 * Coordinator's thread.
 */
final class ExchangeTable {
    private record Key(int scope, int sequence) {
    }

    /** What those that take part have contributed, each at its place. */
    private record Table(int[] members, byte[][] blobs) {
        int place(int member) {
            return IntStream.range(0, members.length).filter(i -> members[i] == member).findFirst().orElse(-1);
        }
    }

    private static final int MAX_SEQUENCE = 100_000;
    /** What is told in one frame. */
    private static final int MAX_BYTES = ControlPlane.MAX_FRAME_BYTES / 2;
    private final Map<Key, Table> tables = new HashMap<>();
    private final int ranks;
    private final int members;

    ExchangeTable(int ranks, int members) {
        this.ranks = ranks;
        this.members = members;
    }

    void clear() {
        tables.clear();
    }

    /** What is wrong with a contribution, or null. */
    String refuse(int member, ControlMessage.Exchange exchange) {
        int scope = exchange.scope();
        long[] among = exchange.among();
        if (scope < 0 || scope < ControlMessage.Scope.AMONG == among.length > 0) {
            return "scope=" + scope + " among " + among.length;
        }
        if (exchange.sequence() < 0 || exchange.sequence() > MAX_SEQUENCE) {
            return "sequence=" + exchange.sequence();
        }
        if (exchange.blob().length > MAX_BYTES) {
            return "bytes=" + exchange.blob().length;
        }
        if (among.length > ranks || LongStream.of(among).anyMatch(one -> one < 0 || one >= ranks)) {
            return "among " + among.length + " of " + ranks + " ranks, up to " + LongStream.of(among).max().orElse(0);
        }
        Table known = tables.get(new Key(scope, exchange.sequence()));
        if (known != null && !Arrays.equals(known.members, participants(exchange))) {
            return "scope=" + scope + " sequence=" + exchange.sequence() + " is of other ranks";
        }
        return IntStream.of(participants(exchange)).anyMatch(one -> one == member) ? null
            : "member=" + member + " is not in scope";
    }

    /** Who takes part, in the order of their places. */
    int[] participants(ControlMessage.Exchange exchange) {
        return exchange.among().length > 0 ? LongStream.of(exchange.among()).mapToInt(one -> (int) one).toArray()
            : IntStream.range(0, exchange.scope() == ControlMessage.Scope.COMPUTING.ordinal() ? ranks : members)
                .toArray();
    }

    /**
     * What the members that somebody asks for have contributed, at least the first and as many as fit a frame; null
     * if there is no such thing.
     */
    byte[][] find(ControlMessage.Ask m) {
        Table table = tables.get(new Key(m.scope(), m.sequence()));
        byte[][] all = table == null ? new byte[0][] : table.blobs;
        if (m.member() < 0 || m.count() <= 0 || m.member() > all.length - m.count()) {
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
        Table table = tables.computeIfAbsent(new Key(exchange.scope(), exchange.sequence()), key -> {
            int[] all = participants(exchange);
            return new Table(all, new byte[all.length][]);
        });
        table.blobs[exchange.among().length == 0 ? member : table.place(member)] = exchange.blob(); // M17
        for (byte[] one : table.blobs) {
            if (one == null) {
                return false;
            }
        }
        return true;
    }

    /** Who is missing in the exchanges that are under way, for messages. */
    String missing() {
        StringBuilder text = new StringBuilder();
        tables.forEach((key, table) -> {
            for (int place = 0; place < table.blobs.length; place++) {
                if (table.blobs[place] == null) {
                    text.append(text.isEmpty() ? "" : ", ").append(MemberTable.name(table.members[place], ranks));
                }
            }
        });
        return text.toString();
    }
}
