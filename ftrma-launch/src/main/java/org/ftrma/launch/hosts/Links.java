package org.ftrma.launch.hosts;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.ftrma.launch.agent.RemoteAgent;
import org.ftrma.options.Units;

/**
 * Finds hosts that cannot reach each other although the launcher reaches both: one of them has to go, and never both.
 * It is the one that more hosts do not reach, or that has fewer processes, or the one that was named later. A host that
 * is silent is another matter. The job's thread only.
 */
final class Links {
    private final Consumer<String> notes;
    private final Set<List<String>> told = new HashSet<>();

    /** Two hosts between which nothing gets through. */
    private record Cut(JobHosts.Host one, JobHosts.Host other, long nanos) {
        boolean isOf(JobHosts.Host host) {
            return one == host || other == host;
        }
    }

    /** @param notes is told for people that a link seems to be cut */
    Links(Consumer<String> notes) {
        this.notes = notes;
    }

    /** Gives up a host for each link that was cut for too long. */
    void judge(List<JobHosts.Host> hosts, long now) {
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
        Cut longest = cuts.stream().filter(cut -> cut.nanos >= cut.one.agent().timeoutNanos())
            .reduce((first, second) -> first.nanos >= second.nanos ? first : second).orElse(null);
        if (longest != null) { // the next one when this host is gone: it may have been of both
            JobHosts.Host goes = worse(longest, hosts, cuts);
            JobHosts.Host stays = goes == longest.one ? longest.other : longest.one;
            goes.agent().giveUp("LINK: it and host " + stays.name() + " have not reached each other for more than "
                + Units.time(goes.agent().timeoutNanos()) + ", though the launcher reaches both");
        }
    }

    private static List<Cut> cuts(List<JobHosts.Host> hosts, long now) {
        List<Cut> cuts = new ArrayList<>();
        for (JobHosts.Host one : hosts) {
            for (JobHosts.Host other : hosts.subList(0, hosts.indexOf(one))) {
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

    private static boolean isHeard(JobHosts.Host host, long now) {
        RemoteAgent agent = host.agent();
        return !host.isLost() && agent.silentNanos(now) < agent.timeoutNanos() / 2;
    }

    private static JobHosts.Host worse(Cut cut, List<JobHosts.Host> hosts, List<Cut> cuts) {
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
