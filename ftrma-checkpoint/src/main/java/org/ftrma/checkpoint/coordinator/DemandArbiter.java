package org.ftrma.checkpoint.coordinator;

import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.ftrma.checkpoint.control.Message;

/**
 * Decides the fate of demand checkpoints: who takes one, when its image goes into the parity, one after the other, and whether it counts; which image
 * of each rank is the newest that counts (design 6.3, 6.4). None is pending while a coordinated one is, and a loss ends all that are not committed.
 * Coordinator's thread.
 */
final class DemandArbiter {
    /** What the arbiter needs of the coordinator. */
    interface Actions {
        void toComputing(Message.ToMember message);

        void toMember(int member, Message.ToMember message);

        /** The group of a rank. */
        int groupOf(int member);

        /** The checksum ranks of a group. */
        List<Integer> checksumsOf(int group);

        /** Whether the rank can take one: it runs, and its group is whole. */
        boolean canTake(int member);

        /** To be sent to all. */
        void committed(Message.DemandCommitted message, long bytes);

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
        /** Checksum ranks that have not taken the image into their parity yet. */
        final Set<Integer> encoding = new TreeSet<>();
        boolean isInAParity;
        long bytes;

        Demand(int member, long tag) {
            this.member = member;
            this.tag = tag;
        }
    }

    /** Tags of demand checkpoints are above it. */
    static final long FIRST_TAG = 1L << 62;

    private final Actions actions;
    private final boolean isStreaming;
    private final boolean trimEarly;
    private final int ranks;
    /** By rank: the tag of its newest image; then by group that of its newest parity. */
    private final long[] latest;
    private final Map<Integer, Demand> demands = new LinkedHashMap<>();
    private long tags = FIRST_TAG;
    /** What is taken into a parity, and since when, as the last ticks saw it. */
    private Demand watched;
    private long watchedSince;

    DemandArbiter(Actions actions, int ranks, int groups, boolean isStreaming, boolean trimEarly) {
        this.actions = actions;
        this.ranks = ranks;
        this.isStreaming = isStreaming;
        this.trimEarly = trimEarly;
        this.latest = new long[ranks + groups];
    }

    /** By rank: the tag of its newest image if that was taken on demand, else 0; then, by group, that of the parity which includes these. */
    long[] latest() {
        return latest.clone();
    }

    /** All ranks have the image of a committed generation as their newest one. */
    void generationCommitted() {
        Arrays.fill(latest, 0);
    }

    /** A new view: all go back to the committed generation. */
    void reset(String reason) {
        demands.values().forEach(demand -> actions.abandoned(demand.member, reason));
        demands.clear();
        Arrays.fill(latest, 0);
    }

    void wanted(int member, int by, int view) {
        if (demands.containsKey(member)) {
            return;
        }
        if (member < 0 || member >= ranks || !actions.canTake(member)) {
            actions.toMember(by, new Message.DemandAbandoned(view, member, 0));
            return;
        }
        Demand demand = new Demand(member, ++tags);
        demands.put(member, demand);
        actions.toMember(member, new Message.DemandTake(view, member, demand.tag));
    }

    void ready(int member, Message.DemandReady m) {
        Demand demand = demands.get(member);
        if (demand != null && demand.tag == m.tag() && demand.phase == Phase.ASKED) {
            demand.phase = Phase.READY;
            demand.covered = m.covered();
            encodeNext(m.view());
        }
    }

    private void encodeNext(int view) {
        if (demands.values().stream().anyMatch(demand -> demand.phase == Phase.ENCODING)) {
            return;
        }
        for (Demand demand : demands.values()) {
            if (demand.phase == Phase.READY) {
                demand.phase = Phase.ENCODING;
                if (trimEarly) {
                    actions.toComputing(new Message.DemandCommitted(view, demand.member, demand.tag, demand.covered));
                }
                demand.encoding.addAll(actions.checksumsOf(actions.groupOf(demand.member)));
                Message.DemandEncode order = new Message.DemandEncode(view, demand.member, demand.tag);
                demand.encoding.forEach(checksum -> actions.toMember(checksum, order));
                return;
            }
        }
    }

    void encoded(int checksum, Message.DemandEncoded m) {
        for (Demand demand : demands.values()) {
            if (demand.tag == m.tag() && demand.phase == Phase.ENCODING && demand.encoding.contains(checksum)) {
                demand.bytes = Math.max(demand.bytes, m.bytes());
                demand.isInAParity = true;
                encoded(demand, checksum, m.view());
                return;
            }
        }
    }

    /** It counts when all checksum ranks of the group that live have it. */
    private void encoded(Demand demand, int checksum, int view) {
        if (demand.encoding.remove(checksum) && demand.encoding.isEmpty()) {
            demands.remove(demand.member);
            commit(demand, view, demand.bytes);
            encodeNext(view);
        }
    }

    private void commit(Demand demand, int view, long bytes) {
        latest[demand.member] = demand.tag;
        latest[ranks + actions.groupOf(demand.member)] = demand.tag;
        actions.committed(new Message.DemandCommitted(view, demand.member, demand.tag, demand.covered), bytes);
    }

    /** Whether a cut must wait: an image is being taken into a parity. */
    boolean isEncoding() {
        return demands.values().stream().anyMatch(demand -> demand.phase != Phase.ASKED);
    }

    /** A cut begins: who has not taken his demand checkpoint yet need not do so. */
    void cutBegins(int view) {
        giveUp(view, false, "a coordinated checkpoint is taken");
    }

    /** A rank has finished: it comes to no boundary any more. */
    void finished(int member, int view) {
        Demand demand = demands.get(member);
        if (demand != null && demand.phase == Phase.ASKED) {
            demands.remove(member);
            giveUp(demand, view, "the rank has finished");
        }
    }

    /** A member was lost. What changes a parity in place goes on. */
    void lost(int view, String reason) {
        giveUp(view, true, reason);
    }

    private void giveUp(int view, boolean readyToo, String reason) {
        for (Iterator<Demand> each = demands.values().iterator(); each.hasNext();) {
            Demand demand = each.next();
            if (demand.phase == Phase.ASKED || readyToo && !(isStreaming && demand.phase == Phase.ENCODING)) {
                each.remove();
                giveUp(demand, view, reason);
            }
        }
    }

    private void giveUp(Demand demand, int view, String reason) {
        actions.abandoned(demand.member, reason);
        Message.DemandAbandoned abandoned = new Message.DemandAbandoned(view, demand.member, demand.tag);
        actions.toComputing(abandoned);
        if (demand.phase == Phase.ENCODING) {
            demand.encoding.forEach(checksum -> actions.toMember(checksum, abandoned));
        }
    }

    /**
     * What is not in the parity in time is given up; but a parity that is changed in place must be finished, or made anew.
     *
     * @param limitNanos how long it may take
     * @return whether one was given up, so that what waited for it may go on
     */
    boolean onTick(int view, long now, long limitNanos) {
        Demand encoding = demands.values().stream().filter(demand -> demand.phase == Phase.ENCODING).findFirst().orElse(null);
        if (encoding == null || encoding != watched) {
            watched = encoding;
            watchedSince = now;
        } else if (now - watchedSince > limitNanos) {
            watchedSince = now;
            String reason = "its image is not in the parity after " + limitNanos / 1_000_000 + " ms (--cut-deadline, and more for large images)";
            if (!isStreaming) {
                demands.remove(encoding.member);
                giveUp(encoding, view, reason);
                encodeNext(view);
            }
            encoding.encoding.forEach(checksum -> actions.late(checksum, "rank " + encoding.member + ": " + reason));
            return !isStreaming;
        }
        return false;
    }

    /** The rank whose image is half taken into its group's parity, in place, or -1. */
    int streaming() {
        return !isStreaming ? -1 : demands.values().stream().filter(demand -> demand.phase == Phase.ENCODING).mapToInt(demand -> demand.member)
            .findFirst().orElse(-1);
    }

    /**
     * A checksum rank that had a half changed parity is lost, and with it that parity: it is made anew. Parities of the same group that others change
     * are finished; where there are none, the demand checkpoint is given up.
     */
    void parityLost(int checksum, int view, String reason) {
        for (Demand demand : demands.values().stream().filter(one -> one.phase == Phase.ENCODING && one.encoding.contains(checksum)).toList()) {
            if (demand.encoding.size() == 1 && !demand.isInAParity) {
                demands.remove(demand.member);
                giveUp(demand, view, reason);
            } else {
                encoded(demand, checksum, view);
            }
        }
    }
}
