package org.ftrma.testkit.hosts;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Packet filter of the switch, as rules of nftables: all of them are written anew at each change, so a fault that is
 * ordered twice is one. Not for several threads.
 */
final class LinkRules {
    /** What one host sends to another one. */
    private record Direction(int from, int to) {
    }

    private static final String ADD = "add rule bridge ftrma forward ";

    private final Set<Integer> muted = new TreeSet<>();
    private final Set<Direction> blocked = new LinkedHashSet<>();
    private final Set<Direction> split = new LinkedHashSet<>();
    private final Map<Integer, Integer> lossPercents = new TreeMap<>();

    void mute(int host) {
        muted.add(host);
    }

    void unmute(int host) {
        muted.remove(host);
    }

    void block(int from, int to) {
        blocked.add(new Direction(from, to));
    }

    void unblock(int from, int to) {
        blocked.remove(new Direction(from, to));
    }

    void split(int one, int other) {
        split.add(new Direction(one, other));
        split.add(new Direction(other, one));
    }

    void heal() {
        split.clear();
    }

    /** @param percent of the packets, in each direction; 0: none */
    void lose(int host, int percent) {
        if (percent == 0) {
            lossPercents.remove(host);
        } else {
            lossPercents.put(host, percent);
        }
    }

    /** What is dropped now, for people. */
    List<String> faults() {
        List<String> faults = new ArrayList<>();
        muted.forEach(host -> faults.add("host " + host + " is muted"));
        blocked.forEach(way -> faults.add("what host " + way.from + " sends to host " + way.to + " is dropped"));
        split.forEach(way -> faults.add("hosts " + way.from + " and " + way.to + " are split"));
        lossPercents.forEach((host, percent) -> faults.add("host " + host + " loses " + percent + " % of its packets"));
        return faults;
    }

    /** The rules as nft reads them: one transaction. */
    String text() {
        StringBuilder text = new StringBuilder("""
            add table bridge ftrma
            add chain bridge ftrma forward { type filter hook forward priority 0; policy accept; }
            flush chain bridge ftrma forward
            """);
        for (int host : muted) {
            text.append(ADD).append(from(host)).append("drop\n").append(ADD).append(to(host)).append("drop\n");
        }
        for (Direction way : split) {
            text.append(ADD).append(from(way.from)).append(to(way.to)).append("drop\n");
        }
        for (Direction way : blocked) {
            // Who asks for an address hears the answer: else the other direction would end, too, a little later.
            text.append(ADD).append("ether type != arp ").append(from(way.from)).append(to(way.to)).append("drop\n");
        }
        lossPercents.forEach((host, percent) -> {
            String some = percent == 100 ? "drop\n" : "numgen random mod 100 < " + percent + " drop\n";
            text.append(ADD).append(from(host)).append(some).append(ADD).append(to(host)).append(some);
        });
        return text.toString();
    }

    private static String from(int host) {
        return "iifname \"v" + host + "\" ";
    }

    private static String to(int host) {
        return "oifname \"v" + host + "\" ";
    }
}
