package org.ftrma.testkit;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.BiConsumer;
import org.ftrma.core.membership.JobGroups;
import org.ftrma.options.JobOptions;
import org.ftrma.testkit.programs.SimRandom;
import org.ftrma.xor.Groups;

/**
 * The hosts of a simulated job: which process runs where, who can reach whom, and what befalls a whole host. The
 * coordinator is on a host of its own, which nothing befalls. A host that shows no sign of life for the heartbeat
 * timeout is taken for lost with all that runs there, as a launcher would: it may live, and do harm, for a little
 * while. Nothing runs there afterwards. Belongs to whoever holds the scheduler's baton.
 */
final class SimHosts {
    private static final long LONGEST_AWAKE_NANOS = 300_000;
    /** A lease is shorter than the time after which a host is taken for lost, so that its end comes first. */
    private static final double LEASE = 0.8;
    private static final int OVERSLEEPS_PER_MILLE = 500;

    private final SimScheduler scheduler;
    private final SimRandom random;
    private final JobOptions options;
    private final int count;
    private final List<SimProcess> processes;
    private final BiConsumer<SimProcess, String> takenForLost;
    private final Groups groups;
    private final List<Integer> hostOf = new ArrayList<>();
    /** Hosts on which nothing runs any more. */
    private final BitSet gone = new BitSet();
    /** Hosts that stand still. */
    private final BitSet still = new BitSet();
    /** Which host reaches which; the last one is the coordinator's. */
    private final boolean[][] blocked;
    private Runnable routesChanged = () -> { };

    /**
     * Hosts on which nothing runs yet.
     *
     * @param processes all of the job so far, by number
     * @param takenForLost is told of each process that is, wherever it is and whatever it does
     */
    SimHosts(SimScheduler scheduler, SimRandom random, JobOptions options, int count, List<SimProcess> processes,
        BiConsumer<SimProcess, String> takenForLost) {
        this.scheduler = scheduler;
        this.random = random;
        this.options = options;
        this.count = count;
        this.processes = processes;
        this.takenForLost = takenForLost;
        this.groups = JobGroups.of(options);
        this.blocked = new boolean[count + 1][count + 1];
    }

    /** Who is told when it changes who reaches whom. */
    void onRoutes(Runnable listener) {
        Runnable before = routesChanged;
        routesChanged = () -> {
            before.run();
            listener.run();
        };
    }

    private int coordinators() {
        return count;
    }

    /** Where a process is, or was. */
    int of(int process) {
        return hostOf.get(process);
    }

    private int of(SimProcess process) {
        return of(process.id);
    }

    /** Whether two processes share memory. */
    boolean areTogether(SimProcess one, SimProcess other) {
        return of(one) == of(other);
    }

    /** Whether what one process sends to another arrives there, sooner or later. */
    boolean reaches(SimProcess from, SimProcess to) {
        return !blocked[of(from)][of(to)];
    }

    /** Whether what a process sends arrives at the coordinator. */
    boolean reachesCoordinator(SimProcess from) {
        return !blocked[of(from)][coordinators()];
    }

    /** Whether what the coordinator sends arrives at a process. */
    boolean isReached(SimProcess to) {
        return !blocked[coordinators()][of(to)];
    }

    /** Whether all of the process's host stands still. */
    boolean standsStill(SimProcess process) {
        return still.get(of(process));
    }

    /**
     * Chooses where the next process runs: a first one where its member belongs, a spare and a replacement where most
     * members of the groups that lack one are not, and then where least runs. False if no host is left.
     */
    boolean place() {
        int id = hostOf.size();
        int members = options.ranks() + options.checksums();
        int host = id < members ? JobGroups.nodeOf(id, options) : best();
        hostOf.add(Math.max(host, 0));
        return host >= 0 && !gone.get(host);
    }

    private int best() {
        int best = -1;
        int bestCost = Integer.MAX_VALUE;
        for (int host = 0; host < count; host++) {
            if (answers(host)) {
                int cost = cost(host);
                if (cost < bestCost) {
                    best = host;
                    bestCost = cost;
                }
            }
        }
        return best;
    }

    private boolean answers(int host) {
        return !gone.get(host) && !still.get(host) && !blocked[host][coordinators()] && !blocked[coordinators()][host];
    }

    /** Mates of members without a living process weigh more than anything else. */
    private int cost(int host) {
        BitSet lacking = new BitSet();
        lacking.set(0, options.ranks() + options.checksums());
        for (SimProcess process : processes) {
            if (process.member >= 0 && !process.isOver() && !gone.get(of(process))) {
                lacking.clear(process.member);
            }
        }
        int cost = 0;
        for (SimProcess process : processes) {
            if (process.id < hostOf.size() && of(process) == host && !process.isOver()) {
                boolean isMate = process.member >= 0
                    && lacking.stream().anyMatch(member -> groups.groupOf(member) == groups.groupOf(process.member));
                cost += isMate ? 1000 : 1;
            }
        }
        return cost;
    }

    private List<SimProcess> on(int host) {
        return processes.stream().filter(process -> of(process) == host && !process.isOver()).toList();
    }

    /** Whether there is such a host, and something runs there. */
    boolean runs(int host) {
        return host < count && !gone.get(host) && !on(host).isEmpty();
    }

    /** Something befalls a host. */
    void befall(int host, Crash.How how) {
        long timeout = options.heartbeatTimeoutNanos();
        long longer = timeout + random.between(1, timeout);
        long shorter = random.between(1, timeout / 2);
        switch (how) {
            case HOST_DOWN -> down(host);
            case HOST_STANDS -> stand(host, longer);
            case HOST_STUMBLES -> stand(host, shorter);
            case HOST_CUT -> cut(host, true, true, longer);
            case HOST_CUT_SHORTLY -> cut(host, true, true, shorter);
            case HOST_DEAF -> cut(host, true, false, longer);
            case HOST_MUTE -> cut(host, false, true, longer);
            default -> throw new IllegalArgumentException(how + " befalls no host");
        }
    }

    /** All that runs there ends at once, and what was sent to it or by it is gone, or on its way. */
    void down(int host) {
        gone.set(host);
        kill(host, "host " + host + " is down");
    }

    private void kill(int host, String cause) {
        for (SimProcess process : on(host)) {
            scheduler.kill(process, cause);
        }
    }

    /** Nothing runs there for a while; what it had sent may arrive only when it goes on, or after that. */
    void stand(int host, long nanos) {
        still.set(host);
        for (SimProcess process : on(host)) {
            process.standStill();
        }
        block(coordinators(), host, true);
        block(host, coordinators(), true);
        judgeIfSilent(host);
        scheduler.after(nanos, () -> goOn(host));
    }

    private void goOn(int host) {
        still.clear(host);
        block(coordinators(), host, false);
        block(host, coordinators(), false);
        for (SimProcess process : on(host)) {
            process.wake();
        }
    }

    /** A host does not hear the others, or the coordinator, for a while, or they do not hear it, or both. */
    void cut(int host, boolean in, boolean out, long nanos) {
        for (int other = 0; other <= count; other++) {
            if (other != host) {
                cutLink(other, host, in);
                cutLink(host, other, out);
            }
        }
        endsLease(host);
        if (out) {
            judgeIfSilent(host);
        }
        scheduler.after(nanos, () -> heal(host));
    }

    private void cutLink(int from, int to, boolean isCut) {
        if (isCut) {
            block(from, to, true);
        }
    }

    /** Everybody reaches the host, and is reached by it. */
    void heal(int host) {
        for (int other = 0; other <= count; other++) {
            block(other, host, false);
            block(host, other, false);
        }
    }

    /**
     * Only two hosts do not reach each other, or one does not reach the other, for a while. Both show signs of life:
     * the coordinator removes the one with fewer members, if it lasts.
     */
    void part(int one, int other, boolean bothWays, long nanos) {
        block(one, other, true);
        block(other, one, bothWays);
        int fewer = on(one).size() < on(other).size() ? one : other;
        scheduler.after(options.heartbeatTimeoutNanos(), () -> {
            if (blocked[one][other] && !gone.get(one) && !gone.get(other)) {
                gone.set(fewer);
                kill(fewer, "host " + fewer + " and another one do not reach each other");
            }
        });
        scheduler.after(nanos, () -> {
            block(one, other, false);
            block(other, one, false);
        });
    }

    private void block(int from, int to, boolean isBlocked) {
        blocked[from][to] = isBlocked;
        routesChanged.run();
    }

    /** The agent of a host that hears nothing of the coordinator kills what runs there; it may be late. */
    private void endsLease(int host) {
        if (!random.chance(OVERSLEEPS_PER_MILLE)) {
            scheduler.after((long) (LEASE * options.heartbeatTimeoutNanos()), () -> {
                if (blocked[coordinators()][host] || blocked[host][coordinators()]) {
                    gone.set(host);
                    kill(host, "the lease of host " + host + " has ended");
                }
            });
        } else if (!blocked[host][coordinators()]) {
            // It only hears nothing: nobody else would end it.
            scheduler.after(2 * options.heartbeatTimeoutNanos(), () -> {
                gone.set(host);
                kill(host, "the lease of host " + host + " has ended");
            });
        }
    }

    /** If the coordinator hears nothing of it for too long, it is lost with all that runs there. */
    private void judgeIfSilent(int host) {
        scheduler.after(options.heartbeatTimeoutNanos(), () -> {
            if (blocked[host][coordinators()]) {
                lose(host);
            }
        });
    }

    private void lose(int host) {
        gone.set(host);
        String cause = "host " + host + " is silent";
        for (SimProcess process : processes) {
            if (of(process) == host && process.state != SimProcess.State.ENDED) {
                takenForLost.accept(process, cause);
            }
        }
        endWhenAwake(host);
    }

    /** What still runs there ends when it has been awake for a little while. */
    private void endWhenAwake(int host) {
        if (still.get(host) || blocked[host][coordinators()]) {
            scheduler.after(LONGEST_AWAKE_NANOS, () -> endWhenAwake(host));
        } else {
            scheduler.after(random.between(1, LONGEST_AWAKE_NANOS),
                () -> kill(host, "host " + host + " had been taken for lost"));
        }
    }
}
