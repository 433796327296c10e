package org.ftrma.rma.logging;

import java.lang.foreign.Arena;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.ftrma.PeerLostException;
import org.ftrma.WindowKind;
import org.ftrma.core.control.ControlMessage;
import org.ftrma.core.membership.JobGroups;
import org.ftrma.core.session.Contributions;
import org.ftrma.core.session.Exchanges;
import org.ftrma.core.session.Inbox;
import org.ftrma.core.session.PeerFailureHandling;
import org.ftrma.core.session.PeerPaths;
import org.ftrma.core.session.PeerTable;
import org.ftrma.core.session.RecoveringRanks;
import org.ftrma.core.session.Session;
import org.ftrma.options.JobOptions;
import org.ftrma.rma.log.LogDescriptor;
import org.ftrma.rma.log.LogHome;
import org.ftrma.rma.log.LogRegion;
import org.ftrma.rma.window.WindowImpl;
import org.ftrma.spi.Clock;
import org.ftrma.spi.Fabric;
import org.ftrma.spi.MemoryRegion;
import org.ftrma.spi.RemoteMemory;

/**
 * The log regions of all ranks as one rank reaches them: its own, and those of others once they are needed. Data thread
 * only.
 */
public final class LogRegions implements LogHome {
    private static final long CHUNKS_PER_RANK = 32;
    private static final long MIN_CHUNK = 4096;

    private final Fabric fabric;
    private final Clock clock;
    private final Inbox inbox;
    private final JobOptions options;
    private final PeerPaths paths;
    private final RecoveringRanks away;
    private final PeerTable peers;
    private final Exchanges exchanges;
    private final PeerFailureHandling survivor;
    private final int member;
    private final int ranks;
    private final List<WindowImpl> windows;
    private final Arena arena;
    private final LogDescriptor layout;
    private final LogRegion[] regions;
    private final RemoteMemory[] memories;
    /** Those that are opened anew before the next access, and go on as they are then. */
    private final Map<Integer, LogRegion> aside = new HashMap<>();
    private MemoryRegion own;
    private Contributions keys;
    /** Whether all regions are being opened. */
    private boolean opensAll;

    LogRegions(Session session, List<WindowImpl> windows, Arena arena) {
        this.fabric = session.fabric;
        this.clock = session.clock;
        this.inbox = session.inbox;
        this.options = session.options;
        this.paths = session.paths;
        this.away = session.away;
        this.peers = session.peers;
        this.exchanges = session.exchanges;
        this.survivor = session.survivor;
        this.member = session.member;
        this.ranks = session.ranks;
        this.windows = windows;
        this.arena = arena;
        this.layout = layout(options);
        this.regions = new LogRegion[ranks];
        this.memories = new RemoteMemory[ranks];
    }

    /** The layout of a rank's logs in a job of these options. */
    public static LogDescriptor layout(JobOptions options) {
        return layout(options, JobGroups.buddyDistance(options));
    }

    private static LogDescriptor layout(JobOptions options, int buddyDistance) {
        long budget = options.logBudgetBytes();
        return new LogDescriptor(options.ranks(), budget,
            (int) Math.clamp(Long.highestOneBit(budget / (CHUNKS_PER_RANK * options.ranks())), MIN_CHUNK,
            LogDescriptor.CHUNK_BYTES), buddyDistance);
    }

    public LogDescriptor layout() {
        return layout;
    }

    /**
     * To be called in each view: logs are empty, since what was logged before all went back did not happen; all know
     * where the others' regions are, and none is opened.
     */
    void enterView() {
        Arrays.fill(regions, null);
        Arrays.fill(memories, null);
        aside.clear();
        if (own == null) {
            own = fabric.exposeLazily(layout.regionBytes());
        }
        // L24, R30
        format();
        keys = exchanges.of(ControlMessage.Scope.COMPUTING, own.key());
    }

    /** The logs at this rank are empty; others see them as those of this view. */
    private void format() {
        layout.format(own.segment(), inbox.view() << 16 | inbox.recovery() & 0xffff);
    }

    /** What was logged here in the initialization counts for nothing. */
    void forgetAll() {
        Arrays.fill(regions, null);
        aside.clear();
        format();
    }

    /** A rank was lost: its region is reached anew once it is back. */
    void lost(int rank) {
        regions[rank] = null;
        memories[rank] = null;
        aside.remove(rank);
        if (regions[member] != null) {
            regions[member].lost(rank);
        }
    }

    /** Nothing is done there any more before its key was asked for again. */
    void setAside(int rank) {
        if (regions[rank] != null) {
            aside.put(rank, regions[rank]);
        }
        regions[rank] = null;
        memories[rank] = null;
    }

    /** All regions are about to be opened: their keys come together. */
    void fetchKeys() {
        opensAll = true;
        keys.fetch(ranks);
    }

    /** What was fetched ahead is not needed any more. */
    void forgetKeys() {
        opensAll = false;
        keys.forget();
    }

    /** Who asks for one key is about to access that rank: so who opens all for another reason asks for all again. */
    private byte[] key(int rank) {
        if (opensAll && !keys.areFetched()) {
            keys.fetch(ranks);
        }
        return keys.of(rank);
    }

    /** The memory of this rank's own region. */
    MemoryRegion own() {
        return own;
    }

    @Override
    public LogRegion region(int rank) {
        LogRegion one = regions[rank];
        if (one == null) {
            one = open(rank);
            if (options.isStagedInLog()) {
                one.packHere();
            }
            regions[rank] = one;
        }
        return one;
    }

    private LogRegion open(int rank) {
        while (true) {
            RemoteMemory memory = memories[rank];
            if (memory == null) {
                memory = peers.attachAgain(rank, () -> key(rank));
                memories[rank] = memory;
            }
            LogRegion known = aside.remove(rank);
            if (known != null) {
                return known;
            }
            try {
                LogRegion one = new LogRegion(layout, rank, member, memory,
                    rank == member ? own.segment() : memory.mapped(),
                    () -> fabric.flush(rank), arena);
                if (survivor.isPossible()) {
                    one.outliveHome();
                }
                if (rank == member || paths.isImmediate(rank)) {
                    one.giveWay(clock);
                }
                return one;
            } catch (PeerLostException e) {
                survivor.awaitBack(e);
            }
        }
    }

    @Override
    public boolean wasCutOff(int rank) {
        return survivor.wasCutOff(rank);
    }

    @Override
    public void getAgain(int rank, Consumer<GetAgain> gets) {
        while (true) {
            try {
                gets.accept((window, destination, destinationOffset, offset, length) ->
                    windows.get(window).getUnlogged(destination, destinationOffset, rank, offset, length));
                fabric.flush(rank);
                return;
            } catch (PeerLostException e) {
                survivor.awaitBack(e);
            }
        }
    }

    @Override
    public boolean isAway(int rank) {
        return away.isMissing(rank);
    }

    @Override
    public void flush(int rank) {
        try {
            fabric.flush(rank);
        } catch (PeerLostException e) {
            if (!survivor.isPossible()) {
                throw e;
            }
        }
    }

    @Override
    public boolean isScratch(int index) {
        return windows.get(index).kind() == WindowKind.SCRATCH;
    }

    /** Whether any window is in no image. */
    boolean hasScratch() {
        return windows.stream().anyMatch(window -> window.kind() == WindowKind.SCRATCH);
    }
}
