package org.ftrma.rma.logging;

import java.util.Arrays;
import java.util.function.BooleanSupplier;
import org.ftrma.core.checkpoint.UpdateGate;
import org.ftrma.core.control.ControlMessage;
import org.ftrma.core.image.Slots;
import org.ftrma.core.session.Inbox;
import org.ftrma.core.session.PeerPaths;
import org.ftrma.core.session.Waiter;
import org.ftrma.options.JobOptions;
import org.ftrma.rma.log.AccessLog;
import org.ftrma.rma.log.Coverage;
import org.ftrma.rma.log.LogMarks;
import org.ftrma.rma.log.LogRegion;
import org.ftrma.spi.Fabric;

/**
 * Gate between the logs of one rank and demand checkpoints: whom it asks for one, what its own include, and what is
 * dropped when one counts. Over all views; data thread only.
 */
final class DemandGate implements UpdateGate {
    private final Fabric fabric;
    private final Inbox inbox;
    private final JobOptions options;
    private final Waiter waiter;
    private final PeerPaths paths;
    private final int member;
    private final int ranks;
    private final LogRegions regions;
    private final BooleanSupplier isReplaying;
    private AccessLog log;
    private DemandNeeds needs;
    private Slots slots;
    /** Where this rank's results ended when the demand checkpoint was taken that is pending, or null. */
    private LogMarks pendingResults;
    /** As above, of the newest one that counts, if these are yet to be dropped. */
    private LogMarks resultsDue;
    /** What the newest images of other ranks include that count, if that is yet to be dropped. */
    private final Coverage[] imagesDue;
    /** What an image includes that is being taken. */
    private Coverage covered;

    DemandGate(Fabric fabric, Inbox inbox, JobOptions options, Waiter waiter, PeerPaths paths, int member,
        LogRegions regions, BooleanSupplier isReplaying) {
        this.fabric = fabric;
        this.inbox = inbox;
        this.options = options;
        this.waiter = waiter;
        this.paths = paths;
        this.member = member;
        this.ranks = options.ranks();
        this.regions = regions;
        this.isReplaying = isReplaying;
        this.needs = new DemandNeeds(inbox, options, member);
        this.imagesDue = new Coverage[ranks];
    }

    /** A new view: nothing is logged yet. */
    void enterView() {
        log = null;
        pendingResults = null;
        resultsDue = null;
        Arrays.fill(imagesDue, null);
        needs = new DemandNeeds(inbox, options, member);
    }

    /** Accesses that count are logged here from now on. */
    void start(AccessLog counting) {
        log = counting;
    }

    /** A rank is lost, and what it kept. */
    void lost(int rank) {
        log.demand().forget(pendingResults, rank);
        log.demand().forget(resultsDue, rank);
    }

    @Override
    public boolean replaying() {
        return isReplaying.getAsBoolean();
    }

    @Override
    public void checkpointsInto(Slots images) {
        slots = images;
    }

    @Override
    public long[] holdUpdates(BooleanSupplier isWanted) {
        log.arrived(-1);
        log.demand().openLacking();
        LogRegion own = regions.region(member);
        own.hold(true); // D7
        waiter.begin("the end of others' atomic updates", -1);
        while (log.demand().isBeingUpdated() && isWanted.getAsBoolean()) {
            fabric.progress();
            waiter.turn();
        }
        if (!isWanted.getAsBoolean()) {
            return null;
        }
        covered = coverage(); // D5
        return covered.toLongs();
    }

    private Coverage coverage() {
        return log.demand().coverage(fabric::progress);
    }

    @Override
    public void allowUpdates() {
        regions.region(member).hold(false);
    }

    @Override
    public long[] demandTaken(long[] before) {
        pendingResults = log.resultMarks();
        return covered.toLongs(); // what has ended since may lack in the copy
    }

    @Override
    public boolean mayAsk() {
        return log != null && !isReplaying.getAsBoolean() && inbox.generation() > 0;
    }

    @Override
    public void askForDemand() {
        needs.ask(log);
    }

    /**
     * A demand checkpoint counts, perhaps of this rank. What it includes is dropped at once where all memory is mapped.
     * Elsewhere a log may be in the middle of a wait for the very region that it is in.
     */
    void committed(ControlMessage.DemandCommitted m) {
        if (m.member() == member) {
            slots.latest(m.tag());
            resultsDue = pendingResults == null ? resultsDue : pendingResults;
            pendingResults = null;
        } else {
            imagesDue[m.member()] = Coverage.of(m.covered(), ranks);
        }
        if (paths.areImmediate()) {
            trimIfDue();
        }
        needs.answered(m.member(), true);
    }

    /** Between two accesses: drops what images include that count. */
    void trimIfDue() {
        if (log == null) {
            return;
        }
        while (resultsDue != null) {
            LogMarks marks = resultsDue;
            resultsDue = null;
            log.trimResults(marks); // where this waits, another one may count meanwhile
        }
        for (int rank = 0; rank < ranks; rank++) {
            Coverage image = imagesDue[rank];
            imagesDue[rank] = null;
            if (image != null) {
                log.demand().trimFor(rank, image, regions::isScratch, regions.hasScratch());
            }
        }
    }

    /** A demand checkpoint was given up, perhaps of this rank. */
    void abandoned(ControlMessage.DemandAbandoned m) {
        if (m.member() == member) {
            pendingResults = null;
        }
        needs.answered(m.member(), false);
    }
}
