package org.ftrma.core.coordinator;

import java.util.BitSet;
import java.util.TreeMap;
import org.ftrma.core.control.ControlMessage;

/**
 * Decides the fate of coordinated checkpoints: when all ranks have arrived they copy, when all have copied they go
 * on, when they do parity is computed, when all parity is there the generation is committed (design 6.2, 6.3). Every
 * decision is made here once, so all ranks see the same. Coordinator's thread.
 */
final class CutArbiter {
    /** What the arbiter needs of the coordinator. */
    interface Actions {
        void toComputing(ControlMessage.ToMember message);

        void toChecksums(ControlMessage.ToMember message);

        void toMember(int member, ControlMessage.ToMember message);

        /**
         * A generation is committed.
         *
         * @param parityNanos time that its parity took
         * @param takenNanos processor time that this took from the ranks: of the checksum rank that it was most of
         */
        void committed(long generation, long step, long parityNanos, long takenNanos);

        /**
         * A cut was given up, or a generation.
         *
         * @param generation 0: nobody had copied yet
         * @param waitedNanos for how long ranks waited for others that did not come; 0: for none
         */
        void abandoned(long generation, String reason, long waitedNanos);

        /** These computing ranks are to tell what they do. */
        void askDoing(BitSet ranks);

        /** A checksum rank has not made its parity in time. */
        void late(int checksum, String reason);

        /** The first rank has arrived at a cut. */
        void begins(int view);

        /** All have, and are told to copy. */
        void copies();

        /** Whether the ranks stay at the cut when they have copied. */
        boolean staysThere();

        /** Whether the copies must wait for a demand checkpoint that goes into a parity. */
        boolean mustWait();
    }

    private enum Phase { IDLE, ARRIVING, COPYING }

    /**
     * A cut that was given up: ranks that arrive later get the same answer as those before them, a replacement that
     * comes again included.
     */
    private record Refusal(boolean retryNext, int intervals, String reason) {
        Refusal(boolean retryNext, String reason) {
            this(retryNext, 1, reason);
        }
    }

    /** When the checksum ranks begin at the latest, should a rank not say that it goes on. */
    private static final long GOING_ON_NANOS = 100_000_000L;
    /** More are not remembered: ranks are rarely apart by more than one. */
    private static final int MAX_REFUSALS = 256;

    private final Actions actions;
    private final int ranks;
    private final int checksums;
    private final CheckpointDeadlines patience;

    private Phase phase = Phase.IDLE;
    private long cutStep;
    /** When the first rank arrived, or when all had and the copies began. */
    private long cutSince;
    private final TreeMap<Long, Refusal> refused = new TreeMap<>();
    /** The last step of which the refusal was forgotten, or -1. */
    private long forgotten = -1;
    private long copying;
    private boolean encodeAfterCopy;
    private final BitSet arrived = new BitSet();
    private final BitSet copied = new BitSet();
    private final AwaitedRanks awaited;

    private long pending;
    private long pendingStep;
    /** When all ranks had copied, or when the checksum ranks were told to begin. */
    private long pendingSince;
    private boolean encoding;
    private final BitSet goneOn = new BitSet();
    private final BitSet encoded = new BitSet();
    private long taken;

    CutArbiter(Actions actions, int ranks, int checksums, CheckpointDeadlines patience) {
        this.actions = actions;
        this.ranks = ranks;
        this.awaited = new AwaitedRanks(ranks);
        this.checksums = checksums;
        this.patience = patience;
    }

    /** A new view: whatever was under way is over. */
    void reset(String reason) {
        if (pending != 0) {
            actions.abandoned(pending, reason, 0);
        }
        phase = Phase.IDLE;
        arrived.clear();
        copied.clear();
        refused.clear();
        forgotten = -1;
        pending = 0;
        encoded.clear();
    }

    /** A checksum rank was lost: what has no parity yet is given up, but no rank goes back. */
    void checksumLost(int view) {
        givePendingUp(view, "a checksum rank was lost"); // C15
        if (phase == Phase.ARRIVING) {
            refuse(view, true, "a checksum rank was lost");
        } else if (phase == Phase.COPYING) {
            encodeAfterCopy = false;
        }
    }

    private void givePendingUp(int view, String reason) {
        if (pending != 0) {
            remember(pendingStep, new Refusal(false, reason));
            ControlMessage.CutAbandon abandon = new ControlMessage.CutAbandon(view, pendingStep, false, 1,
                reason);
            actions.toComputing(abandon);
            actions.toChecksums(abandon);
            actions.abandoned(pending, reason, 0);
            pending = 0;
            encoded.clear();
        }
    }

    private void remember(long step, Refusal refusal) {
        refused.put(step, refusal);
        if (refused.size() > MAX_REFUSALS) {
            forgotten = refused.pollFirstEntry().getKey();
        }
    }

    /**
     * What a rank is told that comes to a boundary later than others, or null. At a boundary that is forgotten it is
     * told to try again at the next one, until it comes to one that is not: what it was told there last is all that
     * counts, so then it does as the others do.
     */
    private Refusal earlier(long step) {
        return step <= forgotten ? new Refusal(true, "given up long ago") : refused.get(step);
    }

    /**
     * A computing rank was lost and will replay: what waits for its image is given up. Its replacement comes to the
     * same boundaries again, and gets the answers that the others got there.
     */
    void computingLost(int view, int member) {
        givePendingUp(view, "rank " + member + " was lost");
        arrived.clear(member); // C5, R27
        if (phase == Phase.COPYING) {
            refuse(view, true, "rank " + member + " was lost");
        } else if (phase == Phase.ARRIVING && arrived.isEmpty()) { // C9
            phase = Phase.IDLE; // perhaps nobody else knows of that cut
        }
    }

    void onArrived(int member, ControlMessage.CutArrived message, boolean whole, long committed, long now) {
        Refusal earlier = earlier(message.step());
        if (earlier != null) { // C8
            answer(message.view(), message.step(), earlier, member);
            return;
        }
        if (phase == Phase.IDLE) {
            actions.begins(message.view());
            phase = Phase.ARRIVING;
            cutStep = message.step();
            cutSince = now;
            arrived.clear();
            awaited.begin(now);
        } else if (phase == Phase.COPYING || message.step() != cutStep) {
            Refusal disagreement = new Refusal(false, "ranks disagree: one arrived at step " + message.step()
                + ", others at " + cutStep);
            remember(message.step(), disagreement);
            answer(message.view(), message.step(), disagreement, member);
            return;
        }
        arrived.set(member);
        if (!message.impossible().isEmpty()) { // C7
            refuse(message.view(), true, "rank " + member + ": " + message.impossible());
        } else if (!whole) { // C14
            refuse(message.view(), true, "the redundancy is being rebuilt");
        } else {
            advance(message.view(), committed, now);
        }
    }

    private void answer(int view, long step, Refusal refusal, int member) {
        actions.toMember(member, new ControlMessage.CutAbandon(view, step, refusal.retryNext(), refusal.intervals(),
            refusal.reason()));
    }

    private void refuse(int view, boolean retryNext, String reason) {
        refuse(view, new Refusal(retryNext, reason), 0);
    }

    private void refuse(int view, Refusal refusal, long waitedNanos) {
        long generation = phase == Phase.COPYING ? copying : 0;
        phase = Phase.IDLE;
        remember(cutStep, refusal);
        arrived.stream().forEach(member -> answer(view, cutStep, refusal, member));
        actions.abandoned(generation, refusal.reason(), waitedNanos);
    }

    private void advance(int view, long committed, long now) {
        if (arrived.cardinality() == ranks && pending == 0 && !actions.mustWait()) { // C5, C12, C13
            phase = Phase.COPYING;
            awaited.came();
            cutSince = now;
            copying = committed + 1;
            encodeAfterCopy = true;
            copied.clear();
            actions.copies();
            actions.toComputing(new ControlMessage.CutGo(view, cutStep, copying));
        }
    }

    void onImageReady(int member, ControlMessage.ImageReady message, long now) {
        if (phase != Phase.COPYING || message.step() != cutStep) {
            return;
        }
        copied.set(member);
        if (copied.cardinality() < ranks) { // C6
            return;
        }
        phase = Phase.IDLE;
        boolean stays = encodeAfterCopy && actions.staysThere();
        if (!stays) {
            actions.toComputing(new ControlMessage.Resume(message.view(), cutStep, message.generation()));
        }
        if (!encodeAfterCopy) {
            remember(cutStep, new Refusal(false, "a checksum rank was lost"));
            actions.toComputing(new ControlMessage.CutAbandon(message.view(), cutStep, false, 1,
                "a checksum rank was lost"));
            actions.abandoned(message.generation(), "a checksum rank was lost", 0);
            return;
        }
        pending = message.generation();
        pendingStep = cutStep;
        pendingSince = now;
        encoded.clear();
        encoding = false;
        goneOn.clear();
        if (stays) {
            encode(message.view(), now);
        }
    }

    /** The ranks that stay at the cut of this committed generation go on. */
    void goOn(int view, long step, long generation) {
        actions.toComputing(new ControlMessage.Resume(view, step, generation));
    }

    /**
     * A rank goes on after a cut. Parity is made when all do, so that it takes the processor from none that is still
     * stopped.
     */
    void onGoneOn(int member, ControlMessage.CutCost message, long now) {
        if (pending != message.generation() || encoding) {
            return;
        }
        goneOn.set(member);
        if (goneOn.cardinality() == ranks) { // C23
            encode(message.view(), now);
        }
    }

    private void encode(int view, long now) {
        encoding = true;
        pendingSince = now;
        actions.toChecksums(new ControlMessage.Encode(view, pendingStep, pending));
        commitWhenComplete(now);
    }

    /** Returns whether the generation is committed by it. */
    boolean onParityReady(int checksum, ControlMessage.ParityReady message, long now) {
        if (pending == 0 || message.step() != pendingStep) { // C16
            return false;
        }
        taken = encoded.isEmpty() ? message.nanos() : Math.max(taken, message.nanos());
        encoded.set(checksum);
        patience.forgive(checksum);
        return commitWhenComplete(now);
    }

    /** Returns whether the generation is committed now: any losses from then on can be rebuilt from its parity. */
    private boolean commitWhenComplete(long now) {
        if (encoded.cardinality() < checksums) { // C10
            return false;
        }
        commit(now);
        return true;
    }

    private void commit(long now) {
        long generation = pending;
        pending = 0;
        refused.keySet().removeIf(step -> step <= pendingStep);
        actions.committed(generation, pendingStep, now - pendingSince, taken);
    }

    /** The deadlines of a cut do not run while a rank is recovered. */
    void postpone(long now) {
        cutSince = Math.max(cutSince, now);
    }

    /** Whether no cut is under way and no generation pending. */
    boolean isQuiet() {
        return phase == Phase.IDLE && pending == 0;
    }

    /** After a commit: a cut that waited for it may begin. */
    void afterCommit(int view, long committed, long now) {
        if (phase == Phase.ARRIVING) {
            advance(view, committed, now);
        }
    }

    void onTick(int view, long committed, long now) {
        if (pending != 0 && !encoding && now - pendingSince > GOING_ON_NANOS) { // C23
            encode(view, now);
        } else if (pending != 0 && encoding && now - pendingSince > patience.parityNanos()) {
            parityIsLate(view, committed, now);
        }
        if (phase == Phase.ARRIVING && arrived.cardinality() < ranks) {
            awaitArrivals(view, now);
        } else if (phase == Phase.ARRIVING && now - cutSince > patience.arrivalNanos()) {
            refuse(view, false, "the checkpoint before was not complete within " + millis(patience.arrivalNanos())
                + " after the first rank's arrival at step " + cutStep + " (--cut-deadline)");
        } else if (phase == Phase.COPYING && now - cutSince > patience.copyNanos()) { // C20
            BitSet late = (BitSet) arrived.clone();
            late.andNot(copied);
            refuse(view, false, "ranks " + late + " have not copied their state within " + millis(patience.copyNanos())
                + " (--cut-deadline, and more for large images)");
            patience.copyMissed();
        }
    }

    private void awaitArrivals(int view, long now) {
        BitSet missing = new BitSet();
        missing.set(0, ranks);
        missing.andNot(arrived);
        boolean isInVain = awaited.areInVain(missing);
        if (!isInVain && now - cutSince <= patience.arrivalNanos()) {
            if (awaited.mustAsk(patience.arrivalNanos(), now)) {
                actions.askDoing(missing);
            }
            return;
        }
        awaited.gaveUp();
        refuse(view, new Refusal(false, awaited.intervals(), arrived.cardinality() + " of " + ranks
            + " ranks arrived at step " + cutStep + (isInVain ? ", and the others wait for what comes after it, so "
                + "that it was given up before --cut-deadline: " : " within " + millis(patience.arrivalNanos())
                + " (--cut-deadline): ") + awaited.places(missing) + (isInVain ? ". A step must not wait for what "
                + "another rank does in a later step: no checkpoint comes about between the two" : "")
            + "; the next one is tried after " + awaited.intervals()
            + (awaited.intervals() == 1 ? " interval" : " intervals")), now - cutSince);
    }

    /** What a rank does that was asked for that. */
    void onDoing(int rank, ControlMessage.Doing message) {
        awaited.told(rank, message);
    }

    private void parityIsLate(int view, long committed, long now) {
        BitSet late = new BitSet();
        late.set(0, checksums);
        late.andNot(encoded);
        String reason = "the parity of step " + pendingStep + " is not complete at checksum ranks " + late + " after "
            + millis(patience.parityNanos())
            + " (--cut-deadline, and more for large images)";
        givePendingUp(view, reason);
        patience.parityMissed();
        late.stream().forEach(checksum -> actions.late(checksum, reason));
        afterCommit(view, committed, now);
    }

    private static String millis(long nanos) {
        return nanos / 1_000_000 + " ms";
    }
}
