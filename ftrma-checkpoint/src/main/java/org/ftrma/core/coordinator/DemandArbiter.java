package org.ftrma.core.coordinator;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.ftrma.core.control.ControlMessage;

/**
 * Decides the fate of demand checkpoints: who takes one, when its image goes into the parity, and whether it counts;
 * which image of each rank is the newest that counts (design 6.3, 6.4). One group's parity is made at a time. Where
 * it is made beside the old one, all images of the group that are ready go into it together, and one that others of
 * the group will soon be ready beside waits for these a little, unless it is urgent: ranks that do the same fill
 * their logs in the same step, or in neighbouring ones, and so those whose images went together are asked together
 * from then on, until the next coordinated checkpoint. None is pending while a coordinated one is, and a loss ends
 * all that are not committed. Coordinator's thread.
 */
final class DemandArbiter {
    /** What the arbiter needs of the coordinator. */
    interface Actions {
        void toComputing(ControlMessage.ToMember message);

        void toMember(int member, ControlMessage.ToMember message);

        /** The group of a rank. */
        int groupOf(int member);

        /** The checksum ranks of a group. */
        List<Integer> checksumsOf(int group);

        /** Whether the rank can take one: it runs, and its group is whole. */
        boolean canTake(int member);

        /** How long a step of a rank takes, 0: not known. */
        long stepNanos(int member);

        /** To be sent to all. */
        void committed(ControlMessage.DemandCommitted message, long bytes);

        void abandoned(int member, String reason);

        /** A checksum rank has not taken an image into its parity in time. */
        void late(int checksumMember, String reason);
    }

    private enum Phase { ASKED, READY, ENCODING }

    private static final class Demand {
        final int member;
        final long tag;
        Phase phase = Phase.ASKED;
        long[] covered;
        /**
         * Since when its image has been ready, as the ticks saw it, 0: not yet; and whether it has waited long enough
         * for others.
         */
        long readySince;
        boolean isOverdue;
        /** It must count as soon as it can. */
        boolean isUrgent;
        /** Asked for, and nobody waits for it any more. */
        boolean isSlow;

        Demand(int member, long tag) {
            this.member = member;
            this.tag = tag;
        }
    }

    /** Images that go into their group's parity together. */
    private static final class Batch {
        final List<Demand> demands;
        /** Of the parity: that of the newest image. */
        final long tag;
        /** Checksum ranks that live, and have not taken them into their parity yet. */
        final Set<Integer> encoding;
        boolean isInAParity;
        long bytes;

        Batch(List<Demand> demands, List<Integer> checksums) {
            this.demands = demands;
            this.tag = demands.stream().mapToLong(demand -> demand.tag).max().orElseThrow();
            this.encoding = new TreeSet<>(checksums);
        }

        ControlMessage.DemandEncode order(int view) {
            return new ControlMessage.DemandEncode(view, tag,
                demands.stream().mapToLong(demand -> demand.member).toArray(),
                demands.stream().mapToLong(demand -> demand.tag).toArray());
        }
    }

    /** Tags of demand checkpoints are above it. */
    static final long FIRST_TAG = 1L << 62;
    /** How long an image waits at most for others to go into the parity with it; else for two of their steps. */
    private static final long LONGEST_WAIT_NANOS = 2_000_000_000L;

    private final Actions actions;
    private final boolean isStreaming;
    private final int ranks;
    /** By rank: the tag of its newest image; then by group that of its newest parity. */
    private final long[] latest;
    private final Map<Integer, Demand> demands = new LinkedHashMap<>();
    /** By group: whose images went into the parity together. */
    private final Map<Integer, Set<Integer>> companions = new HashMap<>();
    private final SlowCopies slowCopies;
    private long tags = FIRST_TAG;
    /** What is being taken into a parity, or null. */
    private Batch batch;
    /** The same, and since when, as the last ticks saw it. */
    private Batch watched;
    private long watchedSince;

    /** @param pauseNanos how long a rank is not asked again whose copy was too slow, the first time */
    DemandArbiter(Actions actions, int ranks, int groups, boolean isStreaming, long pauseNanos) {
        this.actions = actions;
        this.ranks = ranks;
        this.isStreaming = isStreaming;
        this.slowCopies = new SlowCopies(pauseNanos);
        this.latest = new long[ranks + groups];
    }

    /**
     * By rank: the tag of its newest image if that was taken on demand, else 0; then, by group, that of the parity
     * which includes these.
     */
    long[] latest() {
        return latest.clone();
    }

    /** All ranks have the image of a committed generation as their newest one. */
    void generationCommitted() {
        companions.clear();
        Arrays.fill(latest, 0);
        slowCopies.forgetAll();
    }

    /** A new view: all go back to the committed generation. */
    void reset(String reason) {
        demands.values().forEach(demand -> actions.abandoned(demand.member, reason));
        demands.clear();
        batch = null;
        companions.clear();
        Arrays.fill(latest, 0);
        slowCopies.forgetAll();
    }

    void wanted(ControlMessage.DemandWanted m, int by) {
        int member = m.member();
        int view = m.view();
        Demand present = demands.get(member);
        if (present != null) {
            present.isUrgent |= m.isUrgent();
            encodeNext(view);
            return;
        }
        if (member < 0 || member >= ranks || !canTake(member)) {
            actions.toMember(by, new ControlMessage.DemandAbandoned(view, member, 0));
            return;
        }
        ask(member, view);
        demands.get(member).isUrgent = m.isUrgent();
        Set<Integer> others = companions.getOrDefault(actions.groupOf(member), Set.of());
        if (others.contains(member)) {
            others.stream().filter(other -> !demands.containsKey(other) && canTake(other))
                .forEach(other -> ask(other, view));
        }
    }

    private boolean canTake(int member) {
        return actions.canTake(member) && !slowCopies.leavesAlone(member);
    }

    private void ask(int member, int view) {
        Demand demand = new Demand(member, ++tags);
        demands.put(member, demand);
        actions.toMember(member, new ControlMessage.DemandTake(view, member, demand.tag));
    }

    /** What that rank was asked for under this tag and has not answered yet, or null. */
    private Demand asked(int member, long tag) {
        Demand demand = demands.get(member);
        return demand != null && demand.tag == tag && demand.phase == Phase.ASKED ? demand : null; // D18
    }

    void ready(int member, ControlMessage.DemandReady m) {
        Demand demand = asked(member, m.tag());
        if (demand != null) {
            demand.phase = Phase.READY;
            demand.covered = m.covered();
            encodeNext(m.view());
        }
    }

    /** The rank has given it up by itself. It may be asked again, but not at once. */
    void tooSlow(int member, ControlMessage.DemandTooSlow m) {
        Demand demand = asked(member, m.tag());
        if (demand != null) {
            demands.remove(member);
            giveUp(demand, m.view(), "its copy was too slow; it is asked again after "
                + slowCopies.add(member) / 1_000_000 + " ms at the earliest");
            encodeNext(m.view());
        }
    }

    private void encodeNext(int view) {
        if (batch != null) {
            return;
        }
        for (Demand demand : demands.values()) {
            if (demand.phase == Phase.READY && !waits(demand)) {
                encode(view, isStreaming ? List.of(demand) : ofGroup(demand, Phase.READY));
                return;
            }
        }
    }

    private List<Demand> ofGroup(Demand one, Phase phase) {
        int group = actions.groupOf(one.member);
        return demands.values().stream().filter(demand -> demand.phase == phase)
            .filter(demand -> actions.groupOf(demand.member) == group).toList();
    }

    /**
     * Others of the group were asked too: they are waited for, if they come to a boundary soon and there is room in
     * logs until then.
     */
    private boolean waits(Demand ready) {
        return !isStreaming && !ready.isOverdue
            && ofGroup(ready, Phase.ASKED).stream().anyMatch(demand -> !demand.isSlow)
            && ofGroup(ready, Phase.READY).stream().noneMatch(demand -> demand.isUrgent);
    }

    private long patienceWith(List<Demand> asked) {
        return asked.stream().mapToLong(demand -> Math.min(LONGEST_WAIT_NANOS, 2 * actions.stepNanos(demand.member)))
            .max().orElse(0);
    }

    private void encode(int view, List<Demand> together) {
        batch = new Batch(together, actions.checksumsOf(actions.groupOf(together.getFirst().member)));
        together.forEach(demand -> demand.phase = Phase.ENCODING);
        ControlMessage.DemandEncode order = batch.order(view);
        batch.encoding.forEach(checksum -> actions.toMember(checksum, order));
    }

    private ControlMessage.DemandCommitted committed(int view, Demand demand) {
        return new ControlMessage.DemandCommitted(view, demand.member, demand.tag, batch.tag, demand.covered);
    }

    void encoded(int checksum, ControlMessage.DemandEncoded m) {
        if (batch != null && batch.tag == m.tag() && batch.encoding.contains(checksum)) {
            batch.bytes = Math.max(batch.bytes, m.bytes());
            batch.isInAParity = true;
            encoded(checksum, m.view());
        }
    }

    /** It counts, and ranks drop what it covers, when all checksum ranks of the group that live have it. */
    private void encoded(int checksum, int view) {
        if (batch.encoding.remove(checksum) && batch.encoding.isEmpty()) { // D11
            commit(view);
            encodeNext(view);
        }
    }

    private void commit(int view) {
        Batch done = batch;
        int group = actions.groupOf(done.demands.getFirst().member);
        for (Demand demand : done.demands) {
            demands.remove(demand.member);
            slowCopies.forget(demand.member);
            latest[demand.member] = demand.tag;
        }
        latest[ranks + group] = done.tag; // D17
        if (done.demands.size() > 1) {
            Set<Integer> together = companions.computeIfAbsent(group, key -> new TreeSet<>());
            done.demands.forEach(demand -> together.add(demand.member));
        }
        for (Demand demand : done.demands) {
            actions.committed(committed(view, demand), demand.tag == done.tag ? done.bytes : 0);
        }
        batch = null;
    }

    /** Whether a cut must wait: an image is being taken into a parity. */
    boolean isEncoding() {
        return demands.values().stream().anyMatch(demand -> demand.phase != Phase.ASKED);
    }

    /** A cut begins: who has not taken his demand checkpoint yet need not do so. */
    void cutBegins(int view) {
        giveUp(view, false, "a coordinated checkpoint is taken"); // D3
        encodeNext(view);
    }

    /** A rank has finished: it comes to no boundary any more. */
    void finished(int member, int view) {
        Demand demand = demands.get(member);
        if (demand != null && demand.phase == Phase.ASKED) {
            demands.remove(member);
            giveUp(demand, view, "the rank has finished");
            encodeNext(view);
        }
    }

    /** A member was lost. What changes a parity in place goes on. */
    void lost(int view, String reason) {
        giveUp(view, true, reason); // D14
    }

    private void giveUp(int view, boolean readyToo, String reason) {
        if (batch != null && readyToo && !isStreaming) {
            giveUpBatch(view, reason);
        }
        for (Iterator<Demand> each = demands.values().iterator(); each.hasNext();) {
            Demand demand = each.next();
            if (demand.phase == Phase.ASKED || readyToo && demand.phase == Phase.READY) {
                each.remove();
                giveUp(demand, view, reason);
            }
        }
    }

    private void giveUpBatch(int view, String reason) {
        for (Demand demand : batch.demands) {
            demands.remove(demand.member);
            giveUp(demand, view, reason);
            batch.encoding.forEach(checksum -> actions.toMember(checksum,
                new ControlMessage.DemandAbandoned(view, demand.member, demand.tag)));
        }
        batch = null;
    }

    private void giveUp(Demand demand, int view, String reason) {
        actions.abandoned(demand.member, reason);
        actions.toComputing(new ControlMessage.DemandAbandoned(view, demand.member, demand.tag));
    }

    /**
     * What is not in the parity in time is given up; but a parity that is changed in place must be finished, or made
     * anew.
     *
     * @param limitNanos how long it may take
     * @return whether one was given up, so that what waited for it may go on
     */
    boolean onTick(int view, long now, long limitNanos) {
        slowCopies.onTick(now);
        for (Demand demand : demands.values()) {
            if (demand.phase == Phase.READY) {
                demand.readySince = demand.readySince == 0 ? now : demand.readySince;
                List<Demand> asked = ofGroup(demand, Phase.ASKED);
                if (now - demand.readySince > patienceWith(asked)) {
                    demand.isOverdue = true;
                    asked.forEach(other -> other.isSlow = true);
                }
            }
        }
        encodeNext(view);
        if (batch == null || batch != watched) {
            watched = batch;
            watchedSince = now;
        } else if (now - watchedSince > limitNanos) {
            watchedSince = now;
            String reason = "its image is not in the parity after " + limitNanos / 1_000_000
                + " ms (--cut-deadline, and more for large images)";
            Batch late = batch;
            if (!isStreaming) {
                giveUpBatch(view, reason);
                encodeNext(view);
            }
            late.encoding.forEach(checksum -> actions.late(checksum, ranks(late) + ": " + reason)); // D22
            return !isStreaming;
        }
        return false;
    }

    static JobEvent event(ControlMessage.DemandCommitted message, long bytes) {
        return new JobEvent.DemandCommitted(message.member(), message.tag() - FIRST_TAG, message.parity() - FIRST_TAG,
            bytes);
    }

    private static String ranks(Batch late) {
        return late.demands.stream().map(demand -> "rank " + demand.member).collect(Collectors.joining(", "));
    }

    /** The rank whose image is half taken into its group's parities, in place, or -1. */
    int streaming() {
        return !isStreaming || batch == null ? -1 : batch.demands.getFirst().member;
    }

    /** The same, once this member is lost, and with it, if it is a checksum rank, a parity that it was changing. */
    int streamingWithout(int lost) {
        return batch != null && batch.encoding.size() == 1 && batch.encoding.contains(lost) ? -1 : streaming();
    }

    /**
     * A checksum rank that had a half changed parity is lost, and with it that parity: it is made anew. Parities of
     * the same group that others change are finished; where there are none, the demand checkpoint is given up.
     */
    void parityLost(int checksum, int view, String reason) {
        if (batch == null || !batch.encoding.contains(checksum)) {
            return;
        }
        if (batch.encoding.size() == 1 && !batch.isInAParity) { // D16
            giveUpBatch(view, reason);
            encodeNext(view);
        } else {
            encoded(checksum, view);
        }
    }
}
