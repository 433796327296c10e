package org.ftrma.launch.job;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.IntUnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.ftrma.core.coordinator.JobEvent;
import org.ftrma.core.membership.JobGroups;
import org.ftrma.launch.hosts.Host;
import org.ftrma.launch.hosts.HostTopology;
import org.ftrma.launch.hosts.JobHosts;
import org.ftrma.launch.inject.InjectedFailure;
import org.ftrma.options.JobOptions;
import org.ftrma.xor.Groups;

/**
 * Chooses the hosts of a job's processes. The first ones go where the placement of their members says, so that the
 * members of a group are on different hosts as far as there are any. One that replaces another goes to a spare host,
 * else to a free slot, of a host that has no member of the same group; then to any free slot; then, where that is
 * allowed, to what is left. The job's thread only.
 */
final class HostChoice implements PlacementPolicy {
    /** Of no host. */
    static final int NONE = -1;

    private final JobOptions options;
    private final JobHosts hosts;
    private final IntUnaryOperator processOf;
    private final boolean mayDegrade;
    private final Groups groups;
    private final int[] initial;
    /** When all members were played last. */
    private HostRisk risk;
    /** Which member a process is to play that was started to replace one, until it has joined or ended. */
    private final Map<Integer, Integer> intended = new HashMap<>();

    /**
     * That of one job.
     *
     * @param processOf the process that plays a member, or -1
     * @param mayDegrade whether a process may go to a host that has no free slot
     */
    HostChoice(JobOptions options, JobHosts hosts, IntUnaryOperator processOf, boolean mayDegrade) {
        this.options = options;
        this.hosts = hosts;
        this.processOf = processOf;
        this.mayDegrade = mayDegrade;
        this.groups = options.isProtected() ? JobGroups.of(options) : null;
        this.initial = new int[members() + options.spares()];
        placeMembers();
        placeSpares();
        this.risk = groups == null ? null : HostRisk.of(Arrays.copyOf(initial, members()), groups, options.losses());
    }

    private int members() {
        return options.ranks() + options.checksums();
    }

    private void placeMembers() {
        List<Integer> inOrder = numbersInOrder();
        if (groups != null && options.hasNodes()) {
            for (int node = 0; node < inOrder.size(); node++) {
                for (int member : JobGroups.membersOn(1, node, options)) {
                    initial[member] = inOrder.get(node);
                }
            }
            return;
        }
        int at = 0;
        int used = 0;
        for (int member = 0; member < members(); member++) {
            while (at < inOrder.size() - 1 && used >= hosts.hosts().get(inOrder.get(at)).slots()) {
                at++;
                used = 0;
            }
            initial[member] = inOrder.get(at);
            used++;
        }
    }

    /** Numbers of the hosts that are to run members, in the order that the topology has them in. */
    private List<Integer> numbersInOrder() {
        List<String> names = HostTopology.inOrder(hosts.specs()).stream().map(spec -> spec.name()).toList();
        List<String> all = hosts.hosts().stream().map(Host::name).toList();
        return names.stream().map(all::indexOf).toList();
    }

    private void placeSpares() {
        int[] taken = new int[hosts.hosts().size()];
        for (int member = 0; member < members(); member++) {
            taken[initial[member]]++;
        }
        for (int spare = members(); spare < initial.length; spare++) {
            int best = 0;
            for (int host = 1; host < taken.length; host++) {
                if (isBetterForSpare(host, best, taken)) {
                    best = host;
                }
            }
            initial[spare] = best;
            taken[best]++;
        }
    }

    private boolean isBetterForSpare(int host, int than, int[] taken) {
        int free = hosts.hosts().get(host).slots() - taken[host];
        int freeThere = hosts.hosts().get(than).slots() - taken[than];
        boolean spare = hosts.hosts().get(host).isSpare() && free > 0;
        boolean spareThere = hosts.hosts().get(than).isSpare() && freeThere > 0;
        return spare != spareThere ? spare : free > freeThere;
    }

    /** The hosts of the first processes. */
    int[] initial() {
        return initial.clone();
    }

    /** The number of the host for a process. One that would only wait is put somewhere in any case. */
    int hostFor(int process) {
        if (process < initial.length) {
            return initial[process];
        }
        for (int member = 0; member < members(); member++) {
            if (processOf.applyAsInt(member) < 0 && !intended.containsValue(member)) {
                intended.put(process, member);
                return best(member);
            }
        }
        int host = best(NONE);
        return host != NONE ? host : leastLoaded();
    }

    private int leastLoaded() {
        int least = 0;
        for (int host = 1; host < hosts.hosts().size(); host++) {
            Host one = hosts.hosts().get(host);
            Host other = hosts.hosts().get(least);
            boolean isBetter = one.closed() == null ? other.closed() != null || one.freeSlots() > other.freeSlots()
                : !one.isLost() && other.isLost();
            if (isBetter) {
                least = host;
            }
        }
        return least;
    }

    private int best(int member) {
        int best = NONE;
        int bestRank = Integer.MAX_VALUE;
        for (int host = 0; host < hosts.hosts().size(); host++) {
            int rank = rank(host, member);
            boolean isBetter = rank < bestRank
                || rank == bestRank && best != NONE && rank < Integer.MAX_VALUE
                && hosts.hosts().get(host).freeSlots() > hosts.hosts().get(best).freeSlots();
            if (isBetter) {
                best = host;
                bestRank = rank;
            }
        }
        return best;
    }

    /** The lower the better; {@link Integer#MAX_VALUE}: not at all. */
    private int rank(int number, int member) {
        Host host = hosts.hosts().get(number);
        boolean isFree = host.freeSlots() > 0;
        if (host.closed() != null || !isFree && !mayDegrade) {
            return Integer.MAX_VALUE;
        }
        int apart = member >= 0 && sharing(number, member).size() >= options.losses() ? 1 : 0;
        return (isFree ? 0 : 4) + 2 * apart + (host.isSpare() ? 0 : 1);
    }

    /** Other members of the group of a member that run on a host now. */
    private List<Integer> sharing(int host, int member) {
        List<Integer> sharing = new ArrayList<>();
        if (groups == null) {
            return sharing;
        }
        for (int other : groups.membersOf(groups.groupOf(member))) {
            if (other != member && hosts.hostOf(processOf.applyAsInt(other)) == host) {
                sharing.add(other);
            }
        }
        return sharing;
    }

    @Override
    public String whyNoHost() {
        for (int member = 0; member < members(); member++) {
            if (processOf.applyAsInt(member) < 0 && !intended.containsValue(member)) {
                return best(member) != NONE ? null : "no host is left for "
                    + InjectedFailure.memberName(member, options) + ": " + describe();
            }
        }
        return null; // it would only wait: there is no hurry
    }

    private String describe() {
        return hosts.hosts().stream().map(host -> host.name() + " (" + (host.closed() != null ? host.closed()
            : host.slots() + " slots, all taken; --degrade yes would use it") + ")").collect(Collectors.joining(", "));
    }

    @Override
    public int memberFor(int process, List<Integer> candidates) {
        Integer meant = intended.remove(process);
        if (meant != null && candidates.contains(meant)) {
            return meant;
        }
        int host = hosts.hostOf(process);
        return candidates.stream().filter(member -> sharing(host, member).size() < options.losses()).findFirst()
            .orElse(candidates.getFirst());
    }

    @Override
    public int spareFor(int member, Collection<Integer> idle) {
        List<Integer> staying = idle.stream().filter(process -> hosts.hosts().get(hosts.hostOf(process)).leaving()
            == null).toList();
        return staying.stream().filter(process -> sharing(hosts.hostOf(process), member).size() < options.losses())
            .findFirst().orElse(staying.isEmpty() ? idle.iterator().next() : staying.getFirst());
    }

    /** Members that are played on a host. */
    List<Integer> membersOn(int host) {
        List<Integer> there = new ArrayList<>();
        for (int member = 0; member < members(); member++) {
            int process = processOf.applyAsInt(member);
            if (process >= 0 && hosts.hostOf(process) == host) {
                there.add(member);
            }
        }
        return there;
    }

    /** Why the members of a host cannot be played elsewhere, for people; null: they can. */
    String whyNotWithout(int host) {
        List<String> others = new ArrayList<>();
        int free = 0;
        for (int number = 0; number < hosts.hosts().size(); number++) {
            Host other = hosts.hosts().get(number);
            if (number == host) {
                continue;
            }
            int there = other.closed() != null ? 0
                : Math.max(0, other.slots() - membersOn(number).size());
            free += there;
            others.add(other.name() + " (" + (other.closed() != null ? other.closed() : there + " free slots") + ")");
        }
        int needed = membersOn(host).size();
        boolean any = hosts.hosts().stream().anyMatch(other -> other != hosts.hosts().get(host)
            && other.closed() == null);
        if (any && (mayDegrade || free >= needed)) {
            return null;
        }
        return "there is no place for its " + needed + " members elsewhere: " + String.join(", ", others)
            + (any ? "; --degrade yes would use slots twice" : "");
    }

    @Override
    public boolean areHostsBack() {
        return hosts.areBack();
    }

    /** Others of its group that are on its host; -1: it is on none. */
    private int matesBeside(int member) {
        int host = hosts.hostOf(processOf.applyAsInt(member));
        return host < 0 ? -1 : sharing(host, member).size();
    }

    private boolean mayGo(int host) {
        return IntStream.range(0, members()).filter(member -> hosts.hostOf(processOf.applyAsInt(member)) == host)
            .allMatch(member -> matesBeside(member) < options.losses());
    }

    @Override
    public int memberWhoseHostMayGo(int drawn) {
        return IntStream.range(0, members()).map(i -> (drawn + i) % members()).filter(member ->
            matesBeside(member) >= 0 && mayGo(hosts.hostOf(processOf.applyAsInt(member)))).findFirst().orElse(-1);
    }

    @Override
    public int memberBesideAMate() {
        return IntStream.range(0, members()).filter(member -> matesBeside(member) >= options.losses()).findFirst()
            .orElseThrow();
    }

    @Override
    public void loseHostOf(int member) {
        hosts.crash(processOf.applyAsInt(member));
    }

    @Override
    public void joined(int process) {
        hosts.joined(process);
    }

    @Override
    public boolean ended(int process, boolean hadJoined) {
        intended.remove(process);
        if (!hadJoined) {
            hosts.failedToStart(process);
        }
        return false;
    }

    @Override
    public void assigned(JobEvent.Assigned assigned, Consumer<String> notes) {
        if (assigned.incarnation() == 0 || groups == null) {
            return;
        }
        String shared = shared(assigned.member());
        if (shared != null) {
            notes.accept(shared);
        }
        int[] hostOf = IntStream.range(0, members()).map(member -> hosts.hostOf(processOf.applyAsInt(member)))
            .toArray();
        if (IntStream.of(hostOf).allMatch(host -> host >= 0)) { // else more is to come
            HostRisk now = HostRisk.of(hostOf, groups, options.losses());
            if (!now.equals(risk)) {
                notes.accept(now.text(risk));
            }
            risk = now;
        }
    }

    private String shared(int member) {
        int host = hosts.hostOf(processOf.applyAsInt(member));
        List<Integer> sharing = host < 0 ? List.of() : sharing(host, member);
        if (sharing.size() < options.losses()) {
            return null;
        }
        return "host " + hosts.hosts().get(host).name() + " has now " + (sharing.size() + 1) + " members of group "
            + groups.groupOf(member) + ", which survives " + (options.losses() == 1 ? "one loss" : options.losses()
            + " losses") + " at a time: the loss of that host would end the job";
    }
}
