package org.ftrma.launch.hosts;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.ftrma.launch.agent.RemoteAgent;
import org.ftrma.launch.agent.StuckConnections;
import org.ftrma.options.Units;

/**
 * Finds hosts that others do not reach. Of two that cannot reach each other although the launcher reaches both, one has
 * to go, and never both: the one that more hosts do not reach, or that has fewer processes, or the one that was named
 * later. A host that is silent goes sooner where its kernel does not answer another host, or this one, either: that of
 * processes that only stand still does. The job's thread only.
 */
final class Links {
    /** So often while a host may be missed this kernel is asked whether it reaches that. */
    private static final int LOOKS = 10;
    private final Consumer<String> notes;
    private final Set<List<String>> told = new HashSet<>();
    private final StuckConnections here = new StuckConnections(Path.of("/proc"));
    /** Addresses that nothing gets through to from here, and for how long; known only while a host is silent. */
    private Map<String, Long> stuckHere = Map.of();
    private long lookedNanos;

    /** Two hosts between which nothing gets through. */
    private record Cut(Host one, Host other, long nanos) {
        boolean isOf(Host host) {
            return one == host || other == host;
        }
    }

    /** @param notes is told for people that a link seems to be cut */
    Links(Consumer<String> notes) {
        this.notes = notes;
    }

    /** Gives up a host for each link that was cut for too long, and hosts that nobody hears or reaches. */
    void judge(List<Host> hosts, long now) {
        judgeSilent(hosts, now);
        List<Cut> cuts = cuts(hosts, now);
        for (Cut cut : cuts) {
            if (told.add(List.of(cut.one.name(), cut.other.name()))) {
                notes.accept("hosts " + cut.one.name() + " and " + cut.other.name()
                    + " have not reached each other for " + Units.time(cut.nanos / 1_000_000 * 1_000_000));
            }
        }
        told.removeIf(pair -> cuts.stream().noneMatch(cut -> pair.equals(List.of(cut.one.name(), cut.other.name()))));
        if (hosts.stream().anyMatch(host -> isHeard(host, now) && !host.agent().tellsOfLinks(now))) {
            return; // what one does not tell yet may be what decides between two others
        }
        Cut longest = cuts.stream().filter(cut -> cut.nanos >= cut.one.agent().missedNanos())
            .reduce((first, second) -> first.nanos >= second.nanos ? first : second).orElse(null);
        if (longest != null) { // the next one when this host is gone: it may have been of both
            Host goes = worse(longest, hosts, cuts);
            Host stays = goes == longest.one ? longest.other : longest.one;
            goes.agent().giveUp("LINK: it and host " + stays.name() + " have not reached each other for more than "
                + Units.time(goes.agent().missedNanos()) + ", though the launcher reaches both");
        }
    }

    private void judgeSilent(List<Host> hosts, long now) {
        List<Host> silent = hosts.stream().filter(host -> !host.isLost()
            && host.agent().hostSilentNanos(now) >= host.agent().missedNanos() / 2).toList();
        List<Host> heard = hosts.stream().filter(host -> isHeard(host, now)).toList();
        if (silent.isEmpty() || heard.isEmpty()) {
            return; // without anybody who is heard it may be this host that is cut off
        }
        long missedNanos = silent.getFirst().agent().missedNanos();
        if (now - lookedNanos >= missedNanos / LOOKS) {
            lookedNanos = now;
            silent.forEach(host -> host.agent().call());
            stuckHere = here.look(List.of(ProcessHandle.current().pid()), missedNanos, now);
        }
        for (Host host : silent) {
            boolean isMissed = host.agent().addresses().stream().anyMatch(address ->
                stuckHere.getOrDefault(address, 0L) >= 2 * missedNanos / LOOKS)
                || heard.stream().anyMatch(other -> other.agent().stuckNanos(host.agent(), now) > 0);
            if (isMissed && host.agent().hostSilentNanos(now) >= missedNanos) {
                host.agent().giveUp("silent for more than " + Units.time(missedNanos));
            }
        }
    }

    private static List<Cut> cuts(List<Host> hosts, long now) {
        List<Cut> cuts = new ArrayList<>();
        for (Host one : hosts) {
            for (Host other : hosts.subList(0, hosts.indexOf(one))) {
                if (isHeard(one, now) && isHeard(other, now)) {
                    long nanos = Math.max(one.agent().stuckNanos(other.agent(), now),
                        other.agent().stuckNanos(one.agent(), now));
                    if (nanos > 0) {
                        cuts.add(new Cut(other, one, nanos));
                    }
                }
            }
        }
        return cuts;
    }

    private static boolean isHeard(Host host, long now) {
        RemoteAgent agent = host.agent();
        return !host.isLost() && agent.silentNanos(now) < agent.missedNanos() / 2;
    }

    private static Host worse(Cut cut, List<Host> hosts, List<Cut> cuts) {
        long cutsOfOne = cuts.stream().filter(each -> each.isOf(cut.one)).count();
        long cutsOfOther = cuts.stream().filter(each -> each.isOf(cut.other)).count();
        if (cutsOfOne != cutsOfOther) {
            return cutsOfOne > cutsOfOther ? cut.one : cut.other;
        }
        if (cut.one.processes() != cut.other.processes()) {
            return cut.one.processes() < cut.other.processes() ? cut.one : cut.other;
        }
        return hosts.indexOf(cut.one) > hosts.indexOf(cut.other) ? cut.one : cut.other;
    }
}
