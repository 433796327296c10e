package org.ftrma.core.session;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.ftrma.PeerLostException;
import org.ftrma.spi.Fabric;
import org.ftrma.spi.MemoryRegion;
import org.ftrma.spi.RemoteMemory;

/**
 * The control regions of all computing ranks in the present view ({@link ControlDescriptor}): this member's own one,
 * and those of others. What this member tells a recovering rank of itself has a place in its own region, which is found
 * by the rank that it is for. Data thread only.
 */
public final class ControlRegions implements MembershipListener {
    private static final VarHandle WORD = ValueLayout.JAVA_LONG.varHandle();

    private final Fabric fabric;
    private final PeerTable peers;
    private final RecoveringRanks away;
    private final int member;
    private final RemoteMemory[] regions;
    private boolean areAllOpen;
    private MemoryRegion own;
    /** Control regions of earlier views, kept until nobody can write into them. */
    private final List<MemoryRegion> retired = new ArrayList<>();
    /** Whose places are where, by place: rank + 1; 0: nobody's yet. */
    private final int[] places = new int[ControlDescriptor.MAX_AWAY];
    /** By rank: where it has what it tells this member, from 1; -1: nowhere; 0: that was not looked at. */
    private final int[] found;

    ControlRegions(Fabric fabric, PeerTable peers, RecoveringRanks away, int member, int ranks) {
        this.fabric = fabric;
        this.peers = peers;
        this.away = away;
        this.member = member;
        this.regions = new RemoteMemory[ranks];
        this.found = new int[ranks];
    }

    /**
     * In a new view: exposes a new region, since a slow member may still write into the old one until all have entered.
     *
     * @return its key; empty at a checksum rank, which has none
     */
    byte[] expose() {
        Arrays.fill(regions, null);
        Arrays.fill(places, 0);
        Arrays.fill(found, 0);
        areAllOpen = false;
        if (own != null) {
            retired.add(own);
        }
        own = member < regions.length ? fabric.expose(ControlDescriptor.BYTES) : null;
        return own == null ? new byte[0] : own.key();
    }

    /** All have entered the view. */
    void closeRetired() {
        retired.forEach(MemoryRegion::close);
        retired.clear();
    }

    @Override
    public void lost(int peer, int recovery) {
        if (peer < regions.length) {
            regions[peer] = null;
            found[peer] = 0;
            if (own != null) {
                takePlace(peer);
            }
        }
    }

    /** There is one: the coordinator does not let more ranks be away at the same time. */
    private void takePlace(int lost) {
        int place = place(lost);
        for (int i = 0; i < places.length && place < 0; i++) {
            place = places[i] == 0 || !away.has(places[i] - 1) ? i : -1;
        }
        if (place < 0) {
            throw new IllegalStateException("ranks " + away.all() + " are away: more than " + places.length);
        }
        places[place] = lost + 1;
        WORD.setRelease(own.segment(), ControlDescriptor.tellsOffset(place), lost + 1L);
    }

    private int place(int lost) {
        for (int i = 0; i < places.length; i++) {
            if (places[i] == lost + 1) {
                return i;
            }
        }
        return -1;
    }

    /** This computing rank's own region. */
    public MemorySegment own() {
        return own.segment();
    }

    /** A computing rank's region. */
    public RemoteMemory of(int rank) {
        RemoteMemory memory = regions[rank];
        if (memory == null) {
            memory = peers.attach(rank, () -> peers.controlKey(rank));
            regions[rank] = memory;
        }
        return memory;
    }

    /**
     * Opens the regions of all computing ranks, which are about to be accessed: their addresses and keys come together.
     * A member that replays leaves out those that are away.
     */
    public void openAll() {
        if (!areAllOpen) {
            areAllOpen = true;
            for (int rank = 0; rank < regions.length; rank++) {
                if (rank != member && !(away.isReplaying() && away.has(rank))) {
                    peers.fetchGreetings();
                    of(rank);
                }
            }
            peers.forgetGreetings();
        }
    }

    /** Where this member tells a lost rank of a window's lock, in its own region. */
    public long heldOffset(int lost, int window) {
        return ControlDescriptor.heldOffset(place(lost), window);
    }

    /**
     * A word of another rank's region, for a member that replays; 0 if that rank is away, or is lost meanwhile: then it
     * has not accessed this one, and this one has not accessed it.
     */
    public long word(int rank, long offset) {
        return away.leavingOut(() -> {
            try {
                return away.has(rank) ? 0 : of(rank).getLong(offset);
            } catch (PeerAwayException e) {
                return 0;
            } catch (PeerLostException e) {
                peers.requireAway(e);
                return 0;
            }
        });
    }

    /** What a rank told this one, when this one was lost, of what it holds of a window's lock here; 0: nothing. */
    public long heldBy(int rank, int window) {
        if (found[rank] == 0) {
            int at = -1;
            for (int i = 0; i < places.length && at < 0 && !away.has(rank); i++) {
                at = word(rank, ControlDescriptor.tellsOffset(i)) == member + 1 ? i + 1 : -1;
            }
            if (away.has(rank)) {
                return 0;
            }
            found[rank] = at;
        }
        return found[rank] < 0 ? 0 : word(rank, ControlDescriptor.heldOffset(found[rank] - 1, window));
    }
}
